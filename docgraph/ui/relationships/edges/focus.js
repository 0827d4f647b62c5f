// Two documents and their neighbourhood: boxes are buttons over one SVG of lines; rows come from Python, widths from the panel.
// graph_cards.js, graph_lanes.js, mounting.js and selection.js stand before this text in the same module.
const SVG = "http://www.w3.org/2000/svg"
const ARROW = 7, PAD = 6, PLAN_SIGN = { in: "kept", out: "expanded" }
SIGNS.kept = '<path d="M1.4 3.8h9.2M1.4 8.2h9.2" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>'
SIGNS.missing = '<path d="M6 1.2 11.3 10.6H.7Z" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"/><path d="M6 4.8v2.6M6 8.9v.2" stroke="currentColor" stroke-width="1.3" stroke-linecap="round"/>'

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text) made.textContent = text
  return made
}

function draw(it) {
  const { data } = it
  it.font = getComputedStyle(it.host).fontFamily
  it.width = Math.max(Math.floor(it.host.clientWidth), data.stops[0][0])
  it.lanes = [0, 1, 2].map((lane) => laneAt(data.stops, lane, it.width))
  it.at = new Map(data.nodes.map((node) => [node.id, { ...node, ...it.lanes[LANE[node.lane]] }]))
  if (it.hover != null && !it.at.has(it.hover) && !lineById(it, it.hover)) { it.hover = null; it.tip.hidden = true }
  it.canvas.style.width = `${it.width}px`
  it.canvas.style.height = `${data.height}px`
  drawHeads(it)
  drawBoxes(it)
  drawLines(it)
  mark(it)
  it.host.dataset.ready = "1"
}

const LANE = { in: 0, centre: 1, out: 2 }

function drawHeads(it) {
  it.under.replaceChildren(...it.data.heads.flatMap(([title, note], i) => {
    const lane = place(element("div", "lane"), it.lanes[i], 0), head = place(element("div", "head"), it.lanes[i], 0)
    lane.style.height = `${it.data.height}px`
    head.append(element("span", "", title), element("span", "note", note))
    const empty = i !== 1 && note === "0" ? place(element("div", "none", "none"), it.lanes[i], it.data.head + 4) : null
    return empty ? [lane, head, empty] : [lane, head]
  }))
}

function drawBoxes(it) {
  const wanted = new Set(it.at.keys())
  for (const [id, made] of it.boxes) if (!wanted.has(id)) { made.remove(); it.boxes.delete(id) }
  for (const node of it.at.values()) {
    const made = it.boxes.get(node.id) ?? element("button", "")
    if (!it.boxes.has(node.id)) { it.boxes.set(node.id, made); it.canvas.append(made) }
    made.className = `box ${node.lane}${node.missing ? " missing" : ""}`
    Object.assign(made.style, { left: `${node.x + PAD}px`, width: `${node.w - 2 * PAD}px`, top: `${node.y - node.h / 2}px`, height: `${node.h}px` })
    made.dataset.id = node.id
    made.node = node
    const title = element("span", "title", node.title)
    const mark = node.hub ? element("b", "letter", node.hub) : sign(node.missing ? "missing" : PLAN_SIGN[node.lane], 11)
    made.replaceChildren(mark, title)
    made.setAttribute("aria-label", spoken(it, node))
  }
}

function spoken(it, node) {
  const role = node.hub ? `document ${node.hub}` : node.lane === "in" ? "points at A or B" : "A or B point at it"
  return [node.title, role, node.missing ? "not stored" : node.doc_type].filter(Boolean).join(", ")
}

function drawLines(it) {
  it.svg.setAttribute("width", it.width)
  it.svg.setAttribute("height", it.data.height)
  // The one in question goes last: it is drawn over the others.
  const links = [...it.data.lines].sort((a, b) => a.asked - b.asked).map((line) => {
    const made = drawn("g", { class: `link${line.between ? " between" : ""}${line.asked ? " asked" : ""}${line.proposed ? " proposed" : ""}` })
    const { path, arrow, label } = line.between ? betweenPath(it, line) : lanePath(it, line)
    made.append(drawn("path", { class: "hit", d: path }),
      drawn("path", { class: "stroke", d: path, "stroke-dasharray": line.proposed ? "5 4" : line.dash.join(" ") }),
      drawn("path", { class: "arrow", d: arrow }))
    const text = ellipsis(measured(it, line.asked), line.label, label.room), half = measured(it, line.asked).measureText(text).width / 2 + 4
    made.append(drawn("rect", { x: label.x - half, y: label.y - 8, width: 2 * half, height: 16 }),
      drawn("text", { x: label.x, y: label.y + 4 }, text))
    made.line = line
    made.dataset.id = line.id
    made.labelAt = label
    return made
  })
  it.svg.replaceChildren(...links)
}

// A line bends beside the two and runs flat where its label stands, beside the neighbour.
function lanePath(it, line) {
  const from = it.at.get(line.start), to = it.at.get(line.end), out = from.lane === "centre"
  const hub = out ? from : to, own = out ? to : from, right = own.lane === "out"
  const hubX = right ? hub.x + hub.w - PAD : hub.x + PAD, ownX = right ? own.x + PAD : own.x + own.w - PAD
  const hubY = out ? line.from_y : line.to_y, ownY = out ? line.to_y : line.from_y, gap = Math.abs(ownX - hubX)
  const way = right ? 1 : -1, flat = ownX - way * Math.min(gap * 0.76, 116), bend = (hubX + flat) / 2
  const hubEnd = hubX + way * (out ? 0 : ARROW + 1), ownEnd = ownX - way * (out ? ARROW + 1 : 0)
  const path = `M${hubEnd} ${hubY}C${bend} ${hubY} ${bend} ${ownY} ${flat} ${ownY}H${ownEnd}`
  const tip = out ? ownX - way : hubX + way, y = out ? ownY : hubY, back = out ? -way * ARROW : way * ARROW
  const near = out ? ownX - way * (ARROW + 3) : ownX
  return { path, arrow: `M${tip} ${y}l${back} -3.6v7.2z`, label: { x: (flat + near) / 2, y: ownY, room: Math.abs(near - flat) - 8 } }
}

function betweenPath(it, line) {
  const lane = it.lanes[1], x = lane.x + lane.w / 2 + line.x, room = lane.w - 24
  const half = Math.min(measured(it, line.asked).measureText(line.label).width, room) / 2 + 8 // beside its line, inside the lane
  const label = { x: Math.min(Math.max(x, lane.x + half), lane.x + lane.w - half), y: line.label_y, room }
  if (line.start === line.end) { // to itself: out below on the left, back on the right
    const y = line.from_y, deep = y + 34, out = 34 + Math.abs(line.x)
    const left = lane.x + lane.w / 2 - out, right = lane.x + lane.w / 2 + out
    Object.assign(label, { x: lane.x + lane.w / 2, y: Math.max(label.y, y + 26) })
    return { path: `M${left} ${y}C${left} ${deep} ${right} ${deep} ${right} ${y + ARROW + 1}`, arrow: `M${right} ${y + 1}l-3.6 ${ARROW}h7.2z`, label }
  }
  const way = Math.sign(line.to_y - line.from_y), tip = line.to_y - way
  return { path: `M${x} ${line.from_y}V${tip - way * ARROW}`, arrow: `M${x} ${tip}l-3.6 ${-way * ARROW}h7.2z`, label }
}

function measured(it, strong) {
  const ctx = (it.ctx ??= document.createElement("canvas").getContext("2d"))
  ctx.font = font(it, 12, strong ? 600 : 400)
  return ctx
}

// ------------------------------------------------------------------ what is near, what is chosen

const lineById = (it, id) => it.data.lines.find((line) => line.id === id || line.ids.includes(id))

function mark(it) {
  const near = it.hover == null ? null : neighbours(it, it.hover)
  it.host.classList.toggle("dim", near != null)
  const stop = it.boxes.has(it.stop) ? it.stop : it.data.nodes[0].id
  for (const [id, made] of it.boxes) {
    made.classList.toggle("chosen", id === it.selected)
    made.classList.toggle("near", near != null && near.has(id))
    made.setAttribute("aria-pressed", String(id === it.selected))
    made.tabIndex = id === stop ? 0 : -1
  }
  for (const made of it.svg.children) {
    const { line } = made, chosen = line.id === it.selected || line.ids.includes(it.selected)
    made.classList.toggle("chosen", chosen)
    made.classList.toggle("strong", line.start === it.selected || line.end === it.selected)
    made.classList.toggle("near", near != null && near.has(line.id))
  }
}

function neighbours(it, id) {
  const near = new Set([id])
  for (const line of it.data.lines) {
    if (line.id === id || line.start === id || line.end === id) { near.add(line.id); near.add(line.start); near.add(line.end) }
  }
  return near
}

const lineText = (it, line) => `${it.at.get(line.start).title} —${line.label}→ ${it.at.get(line.end).title}${line.proposed ? ", proposed" : ""}`

function hover(it, id, text, at) {
  if (it.hover !== id) { it.hover = id; mark(it) }
  it.tip.hidden = !text
  if (!text) return
  it.tip.textContent = text
  const room = it.host.getBoundingClientRect()
  const x = at.left - room.left + it.host.scrollLeft, below = at.bottom - room.top + 6, above = at.top - room.top - it.tip.offsetHeight - 6
  it.tip.style.left = `${Math.max(2, Math.min(x, room.width - it.tip.offsetWidth - 4))}px`
  it.tip.style.top = `${below + it.tip.offsetHeight <= room.height || above < 0 ? below : above}px`
}

function choose(it, id) {
  if (id === it.selected) return
  it.selected = id
  mark(it)
  const node = id && it.at.get(id), line = id && !node && lineById(it, id)
  it.live.textContent = node ? `Selected: ${node.title}` : line ? `Selected: ${lineText(it, line)}` : "Nothing selected"
  tellSelection(it)
}

// ------------------------------------------------------------------ hands and keys

function onKey(it, event) {
  const made = event.target.closest?.(".box")
  if (event.key === "Escape") { choose(it, null); hover(it, null, ""); event.preventDefault(); return }
  if (!made || !event.key.startsWith("Arrow")) return
  event.preventDefault()
  const lane = (name) => [...it.boxes.values()].filter((one) => one.node.lane === name).sort((a, b) => a.node.y - b.node.y)
  const own = lane(made.node.lane), at = own.indexOf(made), order = ["in", "centre", "out"]
  let next
  if (event.key === "ArrowDown") next = own[at + 1]
  else if (event.key === "ArrowUp") next = own[at - 1]
  else {
    const other = lane(order[order.indexOf(made.node.lane) + (event.key === "ArrowRight" ? 1 : -1)])
    const joined = neighbours(it, made.node.id)
    next = other.find((one) => joined.has(one.node.id)) ?? other.sort((a, b) => Math.abs(a.node.y - made.node.y) - Math.abs(b.node.y - made.node.y))[0]
  }
  if (!next) return
  it.stop = next.node.id
  mark(it)
  next.focus()
}

function build(it) {
  const what = (event) => event.target.closest?.(".box") ?? event.target.closest?.(".link")
  const shortened = (made) => { const title = made.querySelector(".title"); return title.scrollHeight > title.clientHeight + 2 }
  it.canvas.onclick = (event) => {
    const made = what(event)
    if (made?.node) { it.stop = made.node.id; choose(it, made.node.id) }
    else if (made?.line) choose(it, made.line.ids.length > 1 ? [made.line.start, made.line.end].find((id) => !it.at.get(id).hub) ?? made.line.end : made.line.ids[0])
    else choose(it, null)
  }
  it.canvas.onpointerover = (event) => {
    const made = what(event)
    if (made?.node) hover(it, made.node.id, shortened(made) || made.node.missing ? spoken(it, made.node) : "", made.getBoundingClientRect())
    else if (made?.line) hover(it, made.line.id, lineText(it, made.line), made.querySelector("text").getBoundingClientRect())
    else hover(it, null, "")
  }
  it.canvas.onpointerleave = () => hover(it, null, "")
  it.host.onkeydown = (event) => onKey(it, event)
  followWidth(it, draw)
}

export default function (component) {
  const it = mounted(component, ".fg", (host) => ({
    boxes: new Map(), canvas: host.querySelector(".canvas"), under: host.querySelector(".under"), svg: host.querySelector("svg"),
  }))
  it.host.setAttribute("aria-label", it.data.alt)
  takeSelection(it, it.data.selected ?? null)
  if (!it.observer) build(it)
  draw(it)
  return () => unmount(it)
}
