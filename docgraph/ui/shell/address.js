// The address bar: every page names its workspace, and the browser's way back goes through every question.
// Streamlit writes what is typed into the entry of the history that is there, so that the question before it is lost;
// here that entry gets its question back, and the new one an entry of its own.
let before = null
let travelling = false
let pushed = null // the question of the last entry that was begun with another question than the one before it
addEventListener("popstate", () => { travelling = true })

const asked = (href) => new URL(href, location.href).searchParams.get("query")
const push = history.pushState
history.pushState = function (state, unused, url) {
  const last = asked(location.href)
  push.call(this, state, unused, url)
  const now = asked(location.href)
  if (now !== last) pushed = now
}

function named(workspace) {
  const url = new URL(location.href)
  if (workspace && !url.searchParams.has("workspace")) url.searchParams.set("workspace", workspace)
  return url.href
}

export default function ({ data }) {
  watchConnection()
  const { workspace, page } = data
  const href = named(workspace)
  const question = asked(href)
  const another = before && before.page === page && before.question && question && before.question !== question
  if (another && !travelling && pushed !== question) {
    history.replaceState({}, "", before.href)
    history.pushState({}, "", href)
  } else if (href !== location.href) {
    history.replaceState({}, "", href)
  }
  travelling = false
  pushed = question
  before = { href, question, page }
  document.body.dataset.asked = question || ""
}
