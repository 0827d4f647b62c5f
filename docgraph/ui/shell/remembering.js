// Who edits, kept by the browser for this tab: a reload is a new session, and goes on under the same name.
const KEY = "docgraph.editing"

export default function ({ data, setTriggerValue }) {
  try {
    if (data.unknown) {
      const kept = JSON.parse(sessionStorage.getItem(KEY) || "null")
      if (kept && kept.name) setTriggerValue("kept", kept)
    } else {
      sessionStorage.setItem(KEY, JSON.stringify({ name: data.name, editing: data.editing }))
    }
  } catch { /* no storage: the name is asked for again */ }
}
