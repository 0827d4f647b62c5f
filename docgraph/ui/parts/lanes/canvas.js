// The life of the plan graph: vis-network as canvas and hit box, positions from Python, physics off.
// drawing.js, mounting.js, selection.js, cards.js, edges.js, blocks.js, view.js and listing.js stand before this text in
// the same module.
const loadLibrary = (url) => globalThis.vis?.Network
  ? Promise.resolve(globalThis.vis)
  : (globalThis.__docgraphVis ??= import(new URL(url, location.origin).href).then(() => globalThis.vis))

function onKey(it, event) {
  if (onLookKey(it, event)) return
  const lines = it.edges.get().filter((edge) => edge.kind === "edge" && !edge.route.aside)
  const node = it.selected == null ? null : it.nodes.get(it.selected) // get(null) would give every node
  const line = it.selected == null ? null : lineOf(it, it.selected)
  const column = (kind) => it.nodes.get().filter((n) => n.kind === kind).sort((a, b) => a.y - b.y || a.column - b.column)
  let next
  if (event.key === "Escape") { choose(it, null); event.preventDefault(); return }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const list = node ? column(node.kind) : line ? lines : column("seed")
    const at = list.findIndex((item) => item.id === (node ?? line)?.id)
    next = list[at < 0 ? 0 : Math.min(Math.max(at + (event.key === "ArrowDown" ? 1 : -1), 0), list.length - 1)]
  } else if (event.key === "ArrowRight") {
    next = line && !node ? it.nodes.get(line.to) : lines.find((edge) => edge.from === node?.id) ?? column("seed")[0]
    if (node?.kind === "expanded") next = node
  } else if (event.key === "ArrowLeft") {
    next = line && !node ? it.nodes.get(line.from) : lines.find((edge) => edge.to === node?.id) ?? node
  } else return
  event.preventDefault()
  if (next && next.id !== it.selected) { choose(it, next.id, { slow: true }); reveal(it, next) }
}

// Escape clears wherever the focus is, unless somebody types, or something is open that Escape closes.
const TAKES_ESCAPE = "input, textarea, select, [contenteditable=true], [role=dialog], [role=grid]"
const OPEN = "[role=dialog], [role=menu], [role=listbox], [data-testid=stPopoverBody]"

function onEscape(it, event) {
  if (event.key !== "Escape" || event.isComposing || it.selected == null || event.composedPath().includes(it.host)) return
  if (event.target.closest?.(TAKES_ESCAPE) || document.querySelector(OPEN)) return
  choose(it, null)
}

// The page scrolls, not the graph: the nearest element around it that does.
function scrollerOf(it) {
  let at = it.host.getRootNode().host ?? it.host
  while (at && !(at.scrollHeight > at.clientHeight && ["auto", "scroll"].includes(getComputedStyle(at).overflowY))) at = at.parentElement
  return at ?? document.scrollingElement
}

const BESIDE = 110 // the page's head stands over what scrolls

function reveal(it, item) {
  const y = item.y ?? item.route?.to_y, { view } = it
  if (y == null) return
  if (view.scale > 1) {
    const { x, w } = item.y == null ? { x: it.boxes[1].x, w: 0 } : boxOf(it, item), half = it.data.node_height / 2
    const into = (low, high, at, room) => Math.max(Math.min(at, room - 8 - high * view.scale), 8 - low * view.scale)
    view.x = into(x, x + w, view.x, it.seen)
    view.y = into(y - half, y + half, view.y, it.tall)
    settle(it)
  }
  const scroller = scrollerOf(it), at = it.host.getBoundingClientRect().top + y * view.scale + view.y
  const box = scroller.getBoundingClientRect(), low = Math.max(box.top, 0) + BESIDE, high = Math.min(box.bottom, innerHeight) - 60
  if (at < low) scroller.scrollBy(0, at - low)
  if (at > high) scroller.scrollBy(0, at - high)
}

function reconcile(set, wanted, seen) {
  const ids = new Set(wanted.map((item) => item.id))
  set.remove(set.getIds().filter((id) => !ids.has(id)))
  for (const id of [...seen.keys()]) if (!ids.has(id)) seen.delete(id)
  const changed = wanted.filter((item) => {
    const text = JSON.stringify(item)
    const differs = seen.get(item.id) !== text
    seen.set(item.id, text)
    return differs
  })
  if (changed.length) set.update(changed)
}

function refresh(it) {
  const { data } = it
  takeLook(it)
  layOut(it)
  it.colours = readColours(it)
  it.top = data.nodes[0].y - data.node_height / 2
  const lines = wrap(measured(it, 13, 600), data.query.text, it.boxes[0].w - 18, 12)
  it.question = { lines, h: Math.max(lines.length * it.pitch + 18, data.node_height), cut: lines.some((l) => l.endsWith("…")) }
  it.shortened = new Map()
  // vis-network keeps the first renderer of a node for good, so it asks for the node's data of now.
  const drawNode = (first) => ({ ctx }) => {
    const node = it.nodes.get(first.id) ?? first
    return {
      drawNode: () => (node.kind === "query" ? drawQuery(it, ctx, node) : drawCard(it, ctx, node)),
      // It is drawn while a part of it is in sight; the question hangs down from its middle.
      nodeDimensions: { width: boxOf(it, node).w, height: node.kind === "query" ? 2 * it.question.h : it.data.node_height },
    }
  }
  const nodes = data.nodes.map((node) => {
    const kind = node.kind ?? "query", full = { change: null, ...node, kind, physics: false, at: it.width }
    const box = boxOf(it, full)
    full.x = box.x + box.w / 2
    full.y += shiftOf(it, node.id)[1]
    return { ...full, ctxRenderer: drawNode(full) }
  })
  // Lines go first: vis-network may draw in between, and a line without its ends cannot be drawn.
  const kept = new Set(data.edges.map((edge) => edge.id))
  it.edges.remove(it.edges.getIds().filter((id) => !kept.has(id)))
  reconcile(it.nodes, nodes, it.seenNodes)
  reconcile(it.edges, data.edges.map((edge) => ({ change: null, ...edge, hidden: true })), it.seenEdges)
  it.host.classList.toggle("listed", it.listed)
  it.host.setAttribute("role", it.listed ? "group" : "application")
  it.host.tabIndex = it.listed ? -1 : 0
  if (it.listed) drawListing(it)
  else {
    it.list.replaceChildren()
    it.stage.style.height = `${it.tall}px`
    it.net.setSize(`${it.seen}px`, `${it.tall}px`)
    drawLanes(it)
    settle(it)
  }
  fadeIn(it, [...nodes.map((node) => node.id), ...data.edges.map((edge) => edge.id)])
  if (it.listed) it.host.dataset.ready = "1"
}

function start(it, vis) {
  buildTools(it)
  it.nodes = new vis.DataSet()
  it.edges = new vis.DataSet()
  it.net = new vis.Network(it.host.querySelector(".net"), { nodes: it.nodes, edges: it.edges }, {
    autoResize: false, physics: { enabled: false }, layout: { randomSeed: 1, improvedLayout: false },
    nodes: { shape: "custom" }, edges: { smooth: false },
    interaction: { dragNodes: false, dragView: false, zoomView: false, selectable: false, hover: false, keyboard: false },
  })
  it.net.on("beforeDrawing", (ctx) => {
    const lines = it.edges.get().filter((edge) => it.nodes.get(edge.from) && it.nodes.get(edge.to)).sort((a, b) => isStrong(it, a) - isStrong(it, b))
    it.linked = linkedTo(it)
    drawFrames(it, ctx)
    drawHomes(it, ctx)
    for (const edge of lines) drawEdge(it, ctx, edge)
    for (const group of it.data.groups) drawRun(it, ctx, group)
  })
  it.net.on("afterDrawing", (ctx) => {
    for (const id of it.view.moved.keys()) if (it.nodes.get(id)) drawCard(it, ctx, it.nodes.get(id)) // over what it was dragged to
    it.host.dataset.ready = "1"
  })
  const net = it.host.querySelector(".net")
  takeHands(it)
  net.onclick = (event) => {
    if (it.dragged) { it.dragged = false; return } // the end of a drag is no click
    it.host.focus({ preventScroll: true })
    const at = hit(it, event), { id } = at, node = id && it.nodes.get(id), y = isReduced(it) ? entry(it, at) : null
    if (y != null) zoomInto(it, y)
    else if (event.detail !== 2) choose(it, id)
    else if (node && (node.kind === "expanded" || node.change === "left")) promote(it, id.slice("doc:".length))
  }
  it.host.onkeydown = (event) => { if (event.target === it.host && !it.listed) onKey(it, event) }
  it.list.onkeydown = (event) => onListKey(it, event)
  it.onEscape = (event) => onEscape(it, event)
  window.addEventListener("keydown", it.onEscape, true)
  followWidth(it, refresh)
}

export default function (component) {
  const it = mounted(component, ".dg", (host) => ({
    root: host.getRootNode(), near: null, born: new Map(), seenNodes: new Map(), seenEdges: new Map(), shortened: new Map(),
    ...Object.fromEntries(["stage", "under", "over", "bar", "list"].map((name) => [name, host.querySelector(`.${name}`)])),
  }))
  const { host, data } = it
  host.docgraph = it
  it.trigger = component.setTriggerValue
  host.setAttribute("aria-label", data.alt)
  loadLibrary(data.lib).then((vis) => {
    if (!it.alive || !host.isConnected || it.data !== data) return
    if (!it.net) start(it, vis)
    takeSelection(it, data.selected ?? null)
    refresh(it)
  })
  return () => {
    clearTimeout(it.timer)
    unmount(it)
    window.removeEventListener("keydown", it.onEscape, true)
    it.net?.destroy()
  }
}
