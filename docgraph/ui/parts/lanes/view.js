// How the plan graph is looked at: zoom, the part in sight, documents that were dragged. It outlives a rerun of the plan.
// Below its full size the picture keeps the panel's width: lanes are laid out wider, rows stand closer, and no text
// falls under LEAST_TEXT. Above it the panel is a window that the picture is moved behind.
const LEAST_TEXT = 11, LEAST = 0.5, MOST = 3, STEP = 1.25
const ROOM_LEAST = 0.6, ROOM_BESIDE = 300 // what a window leaves for a picture: all but the page's head, or this share
const NEAR_FULL = 0.03
const LOOK = (globalThis.__docgraphLook ??= { plan: null }) // of one plan only: another one begins afresh

function takeLook(it) {
  const { plan, overview } = it.data
  if (LOOK.plan !== plan) Object.assign(LOOK, { plan, scale: 1, x: 0, y: 0, fitted: overview, moved: new Map() })
  it.view = LOOK
  if (LOOK.fitted) Object.assign(LOOK, { scale: fitting(it), x: 0, y: 0 })
}

// The scale at which the whole picture stands in the window: by the window's height alone, never above full size.
function fitting(it) {
  const room = Math.max(ROOM_LEAST * innerHeight, innerHeight - ROOM_BESIDE)
  return Math.min(1, Math.floor((room / it.data.height) * 100) / 100)
}

function startScale(it) { return it.data.overview ? fitting(it) : 1 }

function isReduced(it) { return it.view.scale < 1 - NEAR_FULL }

function isAtStart({ view, data, ...it }) {
  const start = startScale({ data })
  return view.scale === start && !view.moved.size && (start < 1 || (!view.x && !view.y))
}

// How far a document was dragged, in pixels of the drawing; sideways it is kept as a share of the width.
function shiftOf(it, id) {
  const [share, down] = it.view.moved.get(id) ?? [0, 0]
  return [share * it.width, down]
}

// Keeps the picture in the panel, and puts canvas and HTML at the same place.
function settle(it) {
  const { view, data } = it, { scale } = view
  const inside = (value, room, size) => Math.min(Math.max(value, Math.min(room - size * scale, 0)), 0)
  view.x = scale > 1 ? inside(view.x, it.seen, it.width) : 0
  view.y = scale > 1 ? inside(view.y, it.tall, data.height) : 0
  it.net.moveTo({ position: { x: (it.seen / 2 - view.x) / scale, y: (it.tall / 2 - view.y) / scale }, scale, animation: false })
  const moved = scale === 1 && !view.x && !view.y ? "" : `translate(${view.x}px, ${view.y}px) scale(${scale})`
  it.under.style.transform = it.over.style.transform = moved
  it.host.style.setProperty("--k", it.k)
  it.host.classList.toggle("reduced", isReduced(it))
  it.host.classList.toggle("magnified", scale > 1)
  drawTools(it)
  it.net.redraw()
}

// Zooms so that what is at this point of the panel stays there; where the picture gives no way, the page scrolls.
function zoomTo(it, wanted, at = middleInSight(it)) {
  const { view } = it, before = view.scale, fit = fitting(it)
  let scale = Math.min(Math.max(wanted, Math.min(fit, LEAST)), MOST)
  if (Math.abs(scale - 1) < NEAR_FULL) scale = 1
  if (scale === before) return
  const share = (at.x - view.x) / before / it.width, down = (at.y - view.y) / before
  Object.assign(view, { scale, fitted: false })
  Object.assign(view, { x: at.x - share * it.seen * Math.max(scale, 1), y: at.y - down * scale })
  if (before < 1 || scale < 1) refresh(it)
  else settle(it)
  scrollerOf(it).scrollBy(0, down * scale + view.y - at.y)
  it.live.textContent = `Zoom ${Math.round(scale * 100)} %`
}

function middleInSight(it) {
  const box = it.stage.getBoundingClientRect(), top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight)
  return { x: it.seen / 2, y: (top + bottom) / 2 - box.top }
}

function fit(it) {
  Object.assign(it.view, { scale: fitting(it), x: 0, y: 0, fitted: true })
  refresh(it)
  showTop(it)
  it.live.textContent = "The whole plan is in sight"
}

function reset(it) {
  Object.assign(it.view, { scale: startScale(it), x: 0, y: 0, fitted: it.data.overview })
  it.view.moved.clear()
  refresh(it)
  showTop(it)
  it.live.textContent = "Everything is at its place"
}

// A picture that stands above the window, or below it, comes back into it.
function showTop(it) {
  const top = it.host.getBoundingClientRect().top
  if (top < BESIDE || it.stage.getBoundingClientRect().bottom > innerHeight) scrollerOf(it).scrollBy(0, Math.min(top - BESIDE, Math.max(it.stage.getBoundingClientRect().bottom + 40 - innerHeight, 0) || top - BESIDE))
}

// From the overview to full size, with this group or this height in the middle of the window.
function zoomInto(it, y) {
  Object.assign(it.view, { scale: 1, x: 0, y: 0, fitted: false })
  refresh(it)
  scrollerOf(it).scrollBy(0, it.host.getBoundingClientRect().top + y - innerHeight / 2)
  it.live.textContent = "Full size"
}

// Moves the picture; what the panel does not take, the page does.
function pan(it, dx, dy) {
  const { view } = it, before = view.y
  view.x += dx
  view.y += dy
  settle(it)
  const left = dy - (view.y - before)
  if (left) scrollerOf(it).scrollBy(0, -left)
}

// A document may be dragged anywhere in the picture, below the heads.
function shift(it, id, dx, dy) {
  const node = it.nodes.get(id), [x, y] = shiftOf(it, id), box = boxOf(it, node), half = it.data.node_height / 2
  const left = Math.min(Math.max(box.x + dx, 0), it.width - box.w) - box.x + x
  const top = Math.min(Math.max(node.y + dy, 34 + half), it.data.height - half) - node.y + y
  if (Math.hypot(left, top) < 1) it.view.moved.delete(id)
  else it.view.moved.set(id, [left / it.width, top])
  const now = boxOf(it, node)
  it.nodes.update({ id, x: now.x + now.w / 2, y: node.y - y + (it.view.moved.get(id)?.[1] ?? 0) })
  it.seenNodes.delete(id)
  drawTools(it)
  it.net.redraw()
}

function isDocument(it, id) { return id != null && ["seed", "expanded"].includes(it.nodes.get(id)?.kind) }

// ------------------------------------------------------------------ hands and keys

const DRAG = 4 // so far a hand may tremble in a click

function takeHands(it) {
  const net = it.host.querySelector(".net"), isInside = (event) => net.contains(event.target) // not on a button over it
  it.host.addEventListener("wheel", (event) => {
    if (it.listed || !(event.ctrlKey || event.metaKey)) return // a plain wheel scrolls the page
    event.preventDefault()
    const box = it.stage.getBoundingClientRect(), lines = event.deltaMode ? 16 : 1
    const by = Math.max(Math.min(event.deltaY * lines, 60), -60)
    zoomTo(it, it.view.scale * Math.exp(-by * 0.004), { x: event.clientX - box.left, y: event.clientY - box.top })
  }, { passive: false })
  it.stage.onpointerdown = (event) => {
    it.dragged = false
    if (event.button !== 0 || event.pointerType === "touch") return // a finger scrolls, two of them zoom the page
    const { id } = isInside(event) ? hit(it, event) : {}
    it.grip = { id: isDocument(it, id) ? id : null, x: event.clientX, y: event.clientY, pointer: event.pointerId, began: false }
  }
  it.stage.onpointermove = (event) => {
    if (!it.grip) { if (isInside(event)) point(it, event); else hover(it, null, 0, 0); return }
    const { grip } = it, dx = event.clientX - grip.x, dy = event.clientY - grip.y
    if (!grip.began && Math.hypot(dx, dy) < DRAG) return
    if (!grip.began) {
      grip.began = it.dragged = true
      it.stage.setPointerCapture(grip.pointer)
      hover(it, null, 0, 0)
      it.host.classList.add("grabbed")
    }
    Object.assign(grip, { x: event.clientX, y: event.clientY })
    if (grip.id) shift(it, grip.id, dx / it.view.scale, dy / it.view.scale)
    else pan(it, dx, dy)
  }
  it.stage.onpointerup = it.stage.onpointercancel = () => {
    it.grip = null
    it.host.classList.remove("grabbed")
  }
  it.stage.onpointerleave = () => { if (!it.grip) hover(it, null, 0, 0) }
}

function point(it, event) {
  const at = hit(it, event)
  hover(it, at.id, at.left, at.top)
  it.host.classList.toggle("enters", isReduced(it) && entry(it, at) != null)
}

// Where a click leads in from a picture that is drawn small: the middle of a group, or the height of free ground.
function entry(it, { x, y, id }) {
  const end = edgeOfLane(it), group = it.data.groups.find((each) => y >= each.top && y <= each.top + each.height)
  if (group && !isDocument(it, id) && x >= end - labelRun(it)) return group.y
  return id == null ? y : null
}

const PAN = 60, NUDGE = 12
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

// Whether a key is about how the picture is looked at. Arrows alone choose; with Shift they move the picture, with Alt
// and Shift the document that is chosen.
function onLookKey(it, event) {
  if (event.ctrlKey || event.metaKey) return false
  const way = event.shiftKey && WAYS[event.key]
  if (way && event.altKey && isDocument(it, it.selected)) shift(it, it.selected, way[0] * NUDGE, way[1] * NUDGE)
  else if (way && !event.altKey) pan(it, -way[0] * PAN, -way[1] * PAN)
  else if (event.altKey) return false
  else if (event.key === "+" || event.key === "=") zoomTo(it, it.view.scale * STEP)
  else if (event.key === "-" || event.key === "_") zoomTo(it, it.view.scale / STEP)
  else if (event.key === "0") fit(it)
  else return false
  event.preventDefault()
  return true
}

// ------------------------------------------------------------------ the line below the picture

const KEYS = "Plus and minus zoom, 0 fits the whole plan. Shift and arrows move the picture, Alt, Shift and arrows the selected document."
const TOOLS = [
  ["out", "", "Zoom out", (it) => zoomTo(it, it.view.scale / STEP)],
  ["in", "", "Zoom in", (it) => zoomTo(it, it.view.scale * STEP)],
  ["fit", "Fit", "the whole plan in the window (key 0)", fit],
  ["reset", "Reset", "zoom and dragged documents", reset],
]
const STROKES = { out: "M2 6h8", in: "M2 6h8M6 2v8" }

function buildTools(it) {
  it.host.setAttribute("aria-description", KEYS)
  it.tools = {}
  const made = TOOLS.map(([name, text, says, act]) => {
    const button = element("button", `tool ${name}`, text)
    button.setAttribute("aria-label", text ? `${text}: ${says}` : says)
    button.title = text ? `${text} ${says}` : `${says} (key ${name === "in" ? "+" : "−"}, or Ctrl + scroll)`
    if (!text) {
      const svg = drawn("svg", { width: 12, height: 12, viewBox: "0 0 12 12", "aria-hidden": "true" })
      svg.append(drawn("path", { d: STROKES[name], stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round" }))
      button.append(svg)
    }
    button.onclick = () => { if (button.getAttribute("aria-disabled") !== "true") act(it) }
    it.tools[name] = button
    return button
  })
  const hint = element("span", "hint"), size = element("span", "size")
  Object.assign(it, { hint, size })
  it.bar.replaceChildren(hint, made[0], size, ...made.slice(1))
}

// Fit and Reset are there when they would change something.
function drawTools(it) {
  const { view, tools, data } = it, fits = fitting(it)
  const shown = { fit: view.scale !== fits, reset: !isAtStart(it) }
  for (const [name, wanted] of Object.entries(shown)) {
    if (!wanted && it.root.activeElement === tools[name]) it.host.focus({ preventScroll: true })
    tools[name].hidden = !wanted
  }
  tools.out.setAttribute("aria-disabled", String(view.scale <= Math.min(fits, LEAST)))
  tools.in.setAttribute("aria-disabled", String(view.scale >= MOST))
  it.size.textContent = `${Math.round(view.scale * 100)} %`
  it.hint.textContent = (isReduced(it) ? `Click ${data.groups.length ? "a group or " : ""}free ground to zoom in. ` : "") + "Ctrl + scroll to zoom, drag to move"
}
