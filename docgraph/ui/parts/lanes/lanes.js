// Documents in lanes: boxes are buttons over one SVG of lines; rows come from Python, widths from the panel.
// drawing.js, mounting.js and selection.js stand before this text in the same module, stack.js and a mode (union.js)
// behind it.
const ARROW = 7

// Draws with a mode, which gives: `lanes` (their names), `inset` of a box in its lane, `margin` of the panel,
// `span(stops, lane, width)`; `sides(it)`, built once: {root, canvas, svg, below} of each picture, its boxes stand after `below`; `pictures(it)`: {boxes, lines,
// height} of each; `around(it, side, picture)` draws what stands beside the boxes, and returns shapes that lie under the
// lines; `roots` (a lane), `stacked(it, picture)` (what stands above the list, and above its rest) and `foot(it, picture)`
// are for the list of a narrow panel; `fill(box)` gives the children of a box, `route(it, line)` the way of a line, `tip(made)` the tip of a box.
function lanes(component, selector, mode) {
  const it = mounted(component, selector, () => ({ mode, sides: null }))
  if (it.data.alt) it.host.setAttribute("aria-label", it.data.alt)
  takeSelection(it, it.data.selected ?? null)
  if (!it.sides) build(it)
  draw(it)
  return () => unmount(it)
}

// ------------------------------------------------------------------ drawing

function draw(it) {
  const { data, mode } = it
  it.font = getComputedStyle(it.host).fontFamily
  it.width = Math.max(Math.floor(it.host.clientWidth) - mode.margin, data.stops[0][0])
  it.lanes = mode.lanes.map((_, lane) => mode.span(data.stops, lane, it.width))
  it.pictures = mode.pictures(it)
  it.listed = it.host.clientWidth < data.stops[0][0]
  it.host.classList.toggle("listed", it.listed)
  const known = new Set(it.pictures.flatMap(({ boxes, lines }) => [...boxes, ...lines].map((one) => one.id)))
  if (it.hover != null && !known.has(it.hover)) { it.hover = null; it.tip.hidden = true } // it went without a word
  it.pictures.forEach((picture, i) => (it.listed ? drawStack : drawPicture)(it, it.sides[i], picture))
  mark(it)
  it.drawn = true
  it.host.dataset.ready = "1"
}

function drawPicture(it, side, picture) {
  Object.assign(side.canvas.style, { width: `${it.width}px`, height: `${picture.height}px` })
  side.svg.setAttribute("width", it.width)
  side.svg.setAttribute("height", picture.height)
  drawBoxes(it, side, picture.boxes)
  side.svg.replaceChildren(...it.mode.around(it, side, picture), ...picture.lines.map((line) => drawLine(it, side, line)))
  side.lines = picture.lines
  side.known = new Set(picture.lines.map((line) => line.id))
}

function spanOf(it, box) {
  const { x, w } = it.lanes[it.mode.lanes.indexOf(box.lane)], { inset } = it.mode
  return { x: x + inset, w: w - 2 * inset }
}

function drawBoxes(it, side, boxes) {
  const wanted = new Set(boxes.map((box) => box.key))
  for (const [key, made] of side.boxes) if (!wanted.has(key)) { made.remove(); side.boxes.delete(key) }
  let before = side.below
  for (const box of boxes) {
    const fresh = !side.boxes.has(box.key), made = fresh ? element("button", "") : side.boxes.get(box.key)
    side.boxes.set(box.key, made)
    const born = fresh && (it.drawn || box.look === "added")
    made.className = `box ${box.lane} ${box.look}${born ? " born" : ""}`
    place(made, spanOf(it, box), box.top, box.h)
    Object.assign(made.dataset, { id: box.id, key: box.key, look: box.look })
    made.box = box
    made.replaceChildren(...it.mode.fill(box))
    if (box.more == null) made.setAttribute("aria-label", box.spoken)
    else named(made, box.more)
    // A button is moved only when it stands wrong: moving would take the focus away.
    if (before.nextSibling !== made) before.after(made)
    before = made
  }
  if (!side.boxes.has(side.stop)) side.stop = boxes[0]?.key
}

function drawLine(it, side, line) {
  const { path, hit = path, arrow, label, half } = it.mode.route(it, line)
  const made = drawn("g", { class: `link ${line.look}${it.drawn && !side.known.has(line.id) ? " born" : ""}` })
  made.append(drawn("path", { class: "hit", d: hit }),
    drawn("path", { class: "stroke", d: path, "stroke-dasharray": line.dash.join(" ") }), drawn("path", { class: "arrow", d: arrow }))
  if (half) made.append(drawn("rect", { x: label.x - half, y: label.y - 8, width: 2 * half, height: 16 }))
  made.append(drawn("text", { x: label.x, y: label.y + 4 }, label.text))
  return Object.assign(made, { line, of: line.id })
}

// ------------------------------------------------------------------ what is near, what is chosen

function mark(it) {
  if (it.listed) { markStack(it); return }
  const near = it.hover == null ? null : joined(it.pictures.flatMap((picture) => picture.lines), it.hover)
  it.host.classList.toggle("dim", near != null)
  for (const side of it.sides) {
    for (const [key, made] of side.boxes) {
      const chosen = made.box.id === it.selected
      made.classList.toggle("chosen", chosen)
      made.classList.toggle("near", near?.has(made.box.id) ?? false)
      made.setAttribute("aria-pressed", String(chosen))
      made.tabIndex = key === side.stop ? 0 : -1
    }
    for (const made of side.svg.children) {
      made.classList.toggle("near", near?.has(made.of) ?? false)
      made.classList.toggle("chosen", it.selected != null && (made.line?.ids.includes(it.selected) ?? false))
      made.classList.toggle("strong", it.selected != null && (made.line?.ends.includes(it.selected) ?? false))
    }
  }
}

function hover(it, id, text, at) {
  if (it.hover !== id) { it.hover = id; mark(it) }
  it.tip.hidden = !text
  if (!text) return
  it.tip.textContent = text
  const room = it.host.getBoundingClientRect()
  const x = at.left - room.left + it.host.scrollLeft, below = at.bottom - room.top + 6
  const above = at.top - room.top - it.tip.offsetHeight - 6
  it.tip.style.left = `${Math.max(2, Math.min(x, room.width - it.tip.offsetWidth - 4))}px`
  it.tip.style.top = `${below + it.tip.offsetHeight <= room.height || above < 0 ? below : above}px`
}

function choose(it, id) {
  if (id === it.selected) return
  it.selected = id
  mark(it)
  const all = it.pictures.flatMap(({ boxes, lines }) => [...boxes, ...lines])
  const found = id == null ? null : all.find((one) => one.id === id || one.ids?.includes(id))
  it.live.textContent = found ? `Selected: ${found.title ?? found.spoken}` : "Nothing selected"
  tellSelection(it)
}

// ------------------------------------------------------------------ hands and keys

function build(it) {
  it.sides = it.mode.sides(it).map((side) => ({ ...side, boxes: new Map(), lines: [], known: new Set(), stop: null }))
  for (const side of it.sides) {
    const what = (event) => event.target.closest?.(".box, .link")
    const leave = () => hover(it, null, "")
    const show = (made) => {
      if (made?.box) hover(it, made.box.id, it.mode.tip(made), made.getBoundingClientRect())
      else if (made?.line) hover(it, made.line.hovers, made.line.spoken, made.querySelector("text").getBoundingClientRect())
      else leave()
    }
    side.canvas.onclick = (event) => {
      const made = what(event)
      if (made?.box) side.stop = made.box.key
      choose(it, made?.box?.id ?? made?.line?.chooses ?? null)
    }
    side.canvas.onpointerover = (event) => show(what(event))
    side.canvas.onpointerleave = leave
    if (it.mode.showsFocus) {
      side.canvas.onfocusin = (event) => { if (event.target.matches?.(".box:focus-visible")) show(event.target) }
      side.canvas.onfocusout = leave
    }
    side.stack = element("div", "stack")
    side.canvas.after(side.stack)
    side.stack.onclick = (event) => onStackClick(it, event)
    side.root.onkeydown = (event) => (it.listed ? onStackKey(it, event) : onKey(it, side, event))
  }
  followWidth(it, draw)
}

function onKey(it, side, event) {
  const made = event.target.closest?.(".box")
  if (event.key === "Escape") { choose(it, null); hover(it, null, ""); event.preventDefault(); return }
  if (!made || !event.key.startsWith("Arrow")) return
  event.preventDefault()
  const lane = (name) => [...side.boxes.values()].filter((one) => one.box.lane === name).sort((a, b) => a.box.y - b.box.y)
  const own = lane(made.box.lane), at = own.indexOf(made)
  const beside = (step) => nearest(side, made, lane(it.mode.lanes[it.mode.lanes.indexOf(made.box.lane) + step]))
  const next = { ArrowDown: () => own[at + 1], ArrowUp: () => own[at - 1], ArrowLeft: () => beside(-1), ArrowRight: () => beside(1) }[event.key]?.()
  if (!next) return
  side.stop = next.box.key
  mark(it)
  next.focus()
}

// Across the lanes: along a line when there is one, else to the box that stands nearest.
function nearest(side, made, others) {
  const joins = (one) => side.lines.some(({ keys }) => keys.includes(made.box.key) && keys.includes(one.box.key))
  const away = (one) => Math.abs(one.box.y - made.box.y)
  return others.find(joins) ?? others.sort((a, b) => away(a) - away(b))[0]
}
