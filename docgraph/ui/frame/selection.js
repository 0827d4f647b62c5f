// What is selected in a drawn component, between the browser and Python: the newest click wins, wherever it was made.
// It stands before the text of a component in the same module; `it` is the state that mounting.js keeps.

function tellSelection(it) {
  it.sent.push(it.selected)
  it.setState("selected", it.selected)
}

function takeSelection(it, wanted) {
  if (wanted === it.fromPython) return
  it.fromPython = wanted
  const echo = it.sent.indexOf(wanted)
  if (echo >= 0) { it.sent.splice(0, echo + 1); return } // our own click coming back: never override a newer one
  it.sent = []
  it.selected = wanted
}
