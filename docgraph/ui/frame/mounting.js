// A drawn component in the page: one state for each place where it stands, drawn anew when that place changes its width.
// It stands before the text of a component in the same module.
const MOUNTED = (globalThis.__docgraphMounted ??= new WeakMap())

// The state of the component at `selector`, with its newest data; `parts` makes what it has beside the common part, once.
function mounted({ data, parentElement, setStateValue }, selector, parts) {
  const host = parentElement.querySelector(selector)
  const it = MOUNTED.get(host) ?? {
    host, alive: true, sent: [], selected: null, hover: null, tip: host.querySelector(".tip"), live: host.querySelector(".live"),
    ...parts(host),
  }
  MOUNTED.set(host, it)
  return Object.assign(it, { data, setState: setStateValue })
}

function unmount(it) {
  it.alive = false
  it.observer?.disconnect()
  MOUNTED.delete(it.host)
}

// Draws at once, as observing tells the first width, then with every other one, and when the fonts have come.
function followWidth(it, draw) {
  it.observer = new ResizeObserver(() => {
    const width = Math.floor(it.host.clientWidth)
    if (width && width !== it.seenWidth) { it.seenWidth = width; draw(it) }
  })
  it.observer.observe(it.host)
  document.fonts?.ready.then(() => it.alive && draw(it))
}
