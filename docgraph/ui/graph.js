// Draws the plan graph with vis-network: positions come from Python, physics is off, the scale is always 1.
const INSTANCES = (globalThis.__docgraphGraphs ??= new WeakMap())
const loadLibrary = (url) => globalThis.vis?.Network
  ? Promise.resolve(globalThis.vis)
  : (globalThis.__docgraphVis ??= import(new URL(url, location.origin).href).then(() => globalThis.vis))

const DIM = 0.15
const COLOURS = ["bg", "panel", "line", "line2", "text", "muted", "primary", "query", "seed", "expanded", "cut", "edge", "node"]

// ---------------------------------------------------------------- theme and geometry

function readColours(it) {
  // A probe resolves light-dark() and var(): a canvas needs finished colours.
  const probe = it.host.ownerDocument.createElement("i")
  it.host.append(probe)
  const colours = {}
  for (const name of COLOURS) {
    probe.style.color = `var(--${name})`
    colours[name] = getComputedStyle(probe).color
  }
  probe.remove()
  it.font = getComputedStyle(it.host).fontFamily
  return colours
}

function laneAt(stops, lane, width) {
  const inner = Math.min(Math.max(width, stops[0][0]), stops[stops.length - 1][0])
  for (let i = 1; i < stops.length; i++) {
    const [low, left] = stops[i - 1], [high, right] = stops[i]
    if (inner > high) continue
    const share = (inner - low) / (high - low)
    const at = (k) => Math.round(left[lane][k] + (right[lane][k] - left[lane][k]) * share)
    return { x: at(0), w: at(1) }
  }
}

function layOut(it) {
  const { data } = it
  it.width = Math.max(Math.floor(it.host.clientWidth), data.stops[0][0])
  it.lanes = [0, 1, 2].map((lane) => laneAt(data.stops, lane, it.width))
  const box = (lane) => ({ x: it.lanes[lane].x + 8, w: it.lanes[lane].w - 16 })
  it.boxes = [box(0), box(1), box(2)]
}

function laneOf(node) { return node.kind === "seed" ? 1 : node.kind === "expanded" ? 2 : 0 }

// ---------------------------------------------------------------- canvas: cards

function ellipsis(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text
  let low = 0, high = text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ctx.measureText(text.slice(0, middle).trimEnd() + "…").width <= room) low = middle
    else high = middle - 1
  }
  return text.slice(0, low).trimEnd() + "…"
}

function wrap(ctx, text, room, maxLines) {
  const lines = []
  let line = ""
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word
    if (!line || ctx.measureText(longer).width <= room) line = longer
    else { lines.push(line); line = word }
  }
  if (line) lines.push(line)
  if (lines.length > maxLines) lines.splice(maxLines - 1, lines.length, lines.slice(maxLines - 1).join(" "))
  return lines.map((part) => ellipsis(ctx, part, room))
}

function font(it, size, weight) { return `${weight} ${size}px ${it.font}` }

function rounded(ctx, x, y, w, h, r) {
  ctx.beginPath()
  ctx.roundRect(x, y, w, h, r)
}

function glyph(ctx, kind, x, y, colour) {
  ctx.fillStyle = ctx.strokeStyle = colour
  ctx.beginPath()
  if (kind === "seed") { ctx.arc(x, y, 4.5, 0, 2 * Math.PI); ctx.fill(); return }
  ctx.lineWidth = 2
  ctx.lineCap = "round"
  ctx.moveTo(x, y - 4.8); ctx.lineTo(x, y + 4.8)
  ctx.moveTo(x - 4.8, y); ctx.lineTo(x + 4.8, y)
  ctx.stroke()
}

function drawCard(it, ctx, node) {
  const c = it.colours, lane = laneOf(node), { x, w } = it.boxes[lane]
  const h = it.data.node_height, y = node.y - h / 2
  const role = c[node.kind], chosen = it.selected === node.id
  ctx.save()
  ctx.globalAlpha = alphaOf(it, node.id)
  if (chosen) { ctx.shadowColor = "rgba(15,19,24,.18)"; ctx.shadowBlur = 10; ctx.shadowOffsetY = 2 }
  rounded(ctx, x, y, w, h, 8)
  ctx.fillStyle = c.node
  ctx.fill()
  ctx.shadowColor = "transparent"
  ctx.save()
  ctx.clip()
  ctx.globalAlpha *= 0.11
  ctx.fillStyle = role
  ctx.fillRect(x, y, 26, h)
  ctx.restore()
  rounded(ctx, x + 0.5, y + 0.5, w - 1, h - 1, 8)
  ctx.lineWidth = chosen ? 2 : 1
  ctx.strokeStyle = chosen ? c.primary : it.hover === node.id ? c.edge : c.line2
  ctx.stroke()
  glyph(ctx, node.kind, x + 13, node.y, role)
  drawTitle(it, ctx, node, { x, y, w })
  drawMeta(it, ctx, node, { x, y, w, role })
  ctx.restore()
}

function drawTitle(it, ctx, node, { x, y, w }) {
  let room = w - 26 - 8 - 10
  ctx.textBaseline = "middle"
  if (node.badge) {
    ctx.font = font(it, 11, 600)
    const width = ctx.measureText(node.badge).width + 10
    rounded(ctx, x + w - 10 - width + 0.5, y + 8.5, width - 1, 16, 4)
    ctx.lineWidth = 1
    ctx.strokeStyle = it.colours.line2
    ctx.stroke()
    ctx.fillStyle = it.colours.muted
    ctx.textAlign = "left"
    ctx.fillText(node.badge, x + w - 5 - width, y + 17)
    room -= width + 8
  }
  ctx.font = font(it, 14, 600)
  ctx.fillStyle = it.colours.text
  ctx.textAlign = "left"
  const shown = ellipsis(ctx, node.label, room)
  it.shortened.set(node.id, shown !== node.label)
  ctx.fillText(shown, x + 34, y + 17)
}

function drawMeta(it, ctx, node, { x, y, w, role }) {
  const c = it.colours, at = y + 37
  rounded(ctx, x + 34, at - 2, 48, 4, 2)
  ctx.fillStyle = c.line
  ctx.fill()
  if (node.bar > 0) {
    rounded(ctx, x + 34, at - 2, Math.max(48 * node.bar, 3), 4, 2)
    ctx.fillStyle = role
    ctx.fill()
  }
  ctx.font = font(it, 12, 600)
  ctx.fillStyle = c.text
  ctx.fillText(node.score, x + 90, at)
  ctx.font = font(it, 12, 400)
  ctx.fillStyle = c.muted
  ctx.textAlign = "right"
  const room = w - 90 - 34
  const both = node.meta.join("   ")
  ctx.fillText(ctx.measureText(both).width <= room ? both : node.meta[0], x + w - 10, at)
  ctx.textAlign = "left"
}

function drawQuery(it, ctx, node) {
  const c = it.colours, { x, w } = it.boxes[0], { lines, h } = it.question
  ctx.save()
  ctx.globalAlpha = alphaOf(it, node.id)
  rounded(ctx, x + 0.5, it.top + 0.5, w - 1, h - 1, 8)
  ctx.fillStyle = c.node
  ctx.fill()
  ctx.strokeStyle = it.selected === node.id ? c.primary : c.query
  ctx.lineWidth = it.selected === node.id ? 2 : 1
  ctx.stroke()
  ctx.font = font(it, 13, 600)
  ctx.fillStyle = c.text
  ctx.textBaseline = "middle"
  lines.forEach((line, i) => ctx.fillText(line, x + 9, it.top + 18 + i * 18))
  ctx.restore()
}

// ---------------------------------------------------------------- canvas: edges

function pathOf(it, edge) {
  const from = it.nodes.get(edge.from), to = it.nodes.get(edge.to)
  if (edge.kind === "query") {
    const x0 = it.boxes[0].x + it.boxes[0].w, y0 = it.top + Math.min(it.question.h / 2, it.data.node_height)
    const x1 = it.boxes[1].x, gap = x1 - x0
    return [[x0, y0], [x0 + gap * 0.6, y0, x1 - gap * 0.6, to.y, x1, to.y]]
  }
  const { from_y, to_y, bend, aside } = edge.route, right = it.boxes[1].x + it.boxes[1].w
  if (aside) {
    const out = right + 24 + 6 * (bend % 5), shift = 3 * (bend % 5)
    return [[right, from_y - shift], [out, from_y - shift, out, to_y + shift, right + 7, to_y + shift]]
  }
  const end = it.boxes[2].x - 1, run = labelRun(it), start = end - run, gap = start - right
  // Lower targets bend earlier, so that the curves nest and cross as little as they can.
  const k = Math.min(bend, 5) / 6, c0 = right + gap * (0.75 - 0.4 * k), c1 = start - gap * (0.38 + 0.32 * k)
  return [[right, from_y], [c0, from_y, Math.max(c1, right), to_y, start, to_y], [end - 7, to_y]]
}

function labelRun(it) {
  const gap = it.boxes[2].x - (it.boxes[1].x + it.boxes[1].w)
  return Math.round(Math.min(128, gap * 0.58))
}

function trace(ctx, path) {
  ctx.beginPath()
  ctx.moveTo(...path[0])
  for (const part of path.slice(1)) {
    if (part.length === 6) ctx.bezierCurveTo(...part)
    else ctx.lineTo(...part)
  }
}

function drawEdge(it, ctx, edge) {
  const c = it.colours, strong = isStrong(it, edge), path = pathOf(it, edge)
  ctx.save()
  ctx.globalAlpha = alphaOf(it, edge.id)
  if (edge.kind === "query") {
    ctx.globalAlpha *= 0.55
    ctx.strokeStyle = c.query
    ctx.lineWidth = 1.5
    trace(ctx, path)
    ctx.stroke()
    ctx.restore()
    return
  }
  const aside = edge.route.aside
  ctx.strokeStyle = ctx.fillStyle = strong ? c.primary : c.edge
  ctx.lineWidth = strong ? 2 : aside ? 1.2 : 1.5
  if (aside && !strong && !(it.near?.has(edge.id))) ctx.globalAlpha *= 0.4
  ctx.setLineDash(edge.dash)
  ctx.lineCap = edge.dash[0] < 2 ? "round" : "butt"
  trace(ctx, path)
  ctx.stroke()
  ctx.setLineDash([])
  drawArrow(ctx, path[path.length - 1].slice(-2), aside ? -1 : 1)
  if (!aside || strong || it.hover === edge.id) drawLabel(it, ctx, edge, strong)
  ctx.restore()
}

function drawArrow(ctx, [x, y], direction) {
  const tip = x + 7 * direction
  ctx.beginPath()
  ctx.moveTo(tip, y)
  ctx.lineTo(tip - 8 * direction, y - 4.5)
  ctx.lineTo(tip - 8 * direction, y + 4.5)
  ctx.closePath()
  ctx.fill()
}

function drawLabel(it, ctx, edge, strong) {
  const aside = edge.route.aside, right = it.boxes[1].x + it.boxes[1].w
  const run = labelRun(it), middle = it.boxes[2].x - 8 - run / 2
  ctx.font = font(it, 12, strong ? 600 : 400)
  ctx.textAlign = aside ? "left" : "center"
  ctx.textBaseline = "middle"
  const text = ellipsis(ctx, edge.label, aside ? 120 : run + 4)
  const width = ctx.measureText(text).width
  const x = aside ? right + 34 + 7 * (edge.route.bend % 4) : middle
  const y = aside ? (edge.route.from_y + edge.route.to_y) / 2 : edge.route.to_y
  const left = aside ? x - 4 : x - width / 2 - 6
  const dim = ctx.globalAlpha
  ctx.globalAlpha = 1
  ctx.fillStyle = it.colours.bg
  ctx.fillRect(left, y - 8, width + (aside ? 8 : 12), 16)
  ctx.globalAlpha = dim
  ctx.fillStyle = strong ? it.colours.primary : it.colours.muted
  ctx.fillText(text, x, y + 0.5)
}

// ---------------------------------------------------------------- selection, hover, neighbours

function isStrong(it, edge) {
  const chosen = it.selected
  return edge.kind === "edge" && chosen != null &&
    (edge.id === chosen || edge.ids.includes(chosen) || edge.to === chosen || edge.from === chosen)
}

function neighbours(it, id) {
  const near = new Set([id])
  for (const edge of it.edges.get()) {
    if (edge.id === id || edge.from === id || edge.to === id) { near.add(edge.id); near.add(edge.from); near.add(edge.to) }
  }
  if (it.nodes.get(id)?.kind === "expanded" || it.edges.get(id)) near.add("query")
  return near
}

function alphaOf(it, id) { return it.near && !it.near.has(id) ? DIM : 1 }

function lineOf(it, id) { return it.edges.get().find((edge) => edge.id === id || edge.ids?.includes(id)) }

function hitEdge(it, x, y) {
  let best = null, nearest = 7
  for (const edge of it.edges.get()) {
    if (edge.kind !== "edge") continue
    const distance = distanceTo(pathOf(it, edge), x, y)
    if (distance < nearest) { nearest = distance; best = edge.id }
  }
  return best
}

function distanceTo(path, x, y) {
  let [px, py] = path[0], best = Infinity
  const near = (ax, ay, bx, by) => {
    const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1
    const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    best = Math.min(best, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)))
  }
  for (const part of path.slice(1)) {
    if (part.length === 2) { near(px, py, part[0], part[1]); [px, py] = part; continue }
    const [ax, ay, bx, by, ex, ey] = part, sx = px, sy = py
    for (let i = 1; i <= 24; i++) {
      const t = i / 24, u = 1 - t
      const qx = u * u * u * sx + 3 * u * u * t * ax + 3 * u * t * t * bx + t * t * t * ex
      const qy = u * u * u * sy + 3 * u * u * t * ay + 3 * u * t * t * by + t * t * t * ey
      near(px, py, qx, qy)
      px = qx; py = qy
    }
  }
  return best
}

function hitNode(it, x, y) {
  for (const node of it.nodes.get()) {
    const { x: left, w } = it.boxes[laneOf(node)], query = node.kind === "query"
    const top = query ? it.top : node.y - it.data.node_height / 2
    const height = query ? it.question.h : it.data.node_height
    if (x >= left && x <= left + w && y >= top && y <= top + height) return node.id
  }
  return null
}

function hit(it, event) {
  const box = it.net.body.container.getBoundingClientRect()
  const x = event.clientX - box.left, y = event.clientY - box.top
  return { id: hitNode(it, x, y) ?? hitEdge(it, x, y), x, y }
}

function hover(it, id, x, y) {
  if (it.hover !== id) {
    it.hover = id
    it.near = id == null || id === "query" ? null : neighbours(it, id)
    it.host.style.cursor = id == null || id === "query" ? "" : "pointer"
    it.host.classList.toggle("dim", it.near != null)
    it.net.redraw()
  }
  const node = id && it.nodes.get(id), line = id && lineOf(it, id)
  const text = node?.kind === "query" ? (it.question.cut ? node.label : "")
    : node && it.shortened.get(id) ? node.label : line && !node ? tipOf(it, line) : ""
  it.tip.hidden = !text
  if (text) {
    it.tip.textContent = text
    it.tip.style.left = `${Math.max(4, Math.min(x + 12, it.width - it.tip.offsetWidth - 8))}px`
    it.tip.style.top = `${y + 16}px`
  }
}

function tipOf(it, line) {
  return `${it.nodes.get(line.from).label} —${line.label}→ ${it.nodes.get(line.to).label}`
}

function choose(it, id, { slow = false } = {}) {
  const target = id === "query" ? null : id
  const single = target && lineOf(it, target)
  // A bundled line selects its target: the panel lists every edge of it.
  it.selected = single && single.ids.length > 1 ? single.to : single ? single.ids[0] : target
  it.net.redraw()
  announce(it)
  clearTimeout(it.timer)
  const send = () => { it.sent.push(it.selected); it.setState("selected", it.selected) }
  if (slow) it.timer = setTimeout(send, 160)
  else send()
}

function announce(it) {
  const node = it.selected && it.nodes.get(it.selected), line = it.selected && lineOf(it, it.selected)
  it.live.textContent = node ? `${node.label}, ${node.kind}, place ${node.place}` : line ? tipOf(it, line) : "Nothing selected"
}

// ---------------------------------------------------------------- keyboard

function onKey(it, event) {
  const lines = it.edges.get().filter((edge) => edge.kind === "edge")
  const node = it.nodes.get(it.selected), line = lineOf(it, it.selected)
  const column = (kind) => it.nodes.get().filter((n) => n.kind === kind).sort((a, b) => a.y - b.y)
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

function reveal(it, item) {
  const y = item.y ?? item.route?.to_y
  if (y == null) return
  if (y - 60 < it.host.scrollTop) it.host.scrollTop = y - 60
  if (y + 60 > it.host.scrollTop + it.host.clientHeight) it.host.scrollTop = y + 60 - it.host.clientHeight
}

// ---------------------------------------------------------------- lanes, heads and cut lists (HTML around the canvas)

const SIGNS = {
  query: '<path d="M6 .8 11.2 6 6 11.2.8 6Z" fill="currentColor"/>',
  seed: '<circle cx="6" cy="6" r="4.4" fill="currentColor"/>',
  expanded: '<path d="M6 1.2v9.6M1.2 6h9.6" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
  cut: '<g stroke="var(--cut)" stroke-width="1.3" fill="none" stroke-linecap="round"><circle cx="2.6" cy="3" r="1.7"/>' +
    '<circle cx="2.6" cy="9" r="1.7"/><path d="M4.1 4 11 9.2M4.1 8 11 2.8"/></g>',
}

function sign(name, size, colour = "") {
  const box = document.createElement("span")
  box.className = "sign"
  box.style.width = `${size}px`
  box.style.height = `${size}px`
  box.style.color = colour
  box.innerHTML = `<svg width="${size}" height="${size}" viewBox="0 0 12 12" fill="none" aria-hidden="true">${SIGNS[name]}</svg>`
  return box
}

function element(tag, className, text = "") {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  if (tag === "button") made.type = "button"
  return made
}

function place(made, { x, w }, top) {
  made.style.left = `${x}px`
  made.style.width = `${w}px`
  made.style.top = `${top}px`
  return made
}

function drawLanes(it) {
  const { data } = it
  it.under.replaceChildren(...it.lanes.map((span) => {
    const lane = place(element("div", "lane"), span, 0)
    lane.style.height = `${data.height}px`
    return lane
  }))
  const heads = data.lanes.map((head, i) => {
    const made = place(element("div", `head ${head.role}`), it.lanes[i], 0)
    made.append(sign(head.role, 11), element("span", "", head.title), element("span", "note", head.note))
    return made
  })
  const notes = place(element("div", "notes"), { x: it.boxes[0].x + 2, w: it.boxes[0].w - 4 }, it.top + it.question.h + 14)
  notes.append(...data.query.notes.map((note) => element("div", "", note)))
  it.over.replaceChildren(...heads, notes, ...data.blocks.map((block) => drawBlock(it, block)))
}

function drawBlock(it, block) {
  const made = place(element("div", `block ${block.kind}`), it.boxes[block.lane], block.top - 6)
  const head = element("div", "bhead")
  if (block.kind === "cut") head.append(sign("cut", 12))
  head.append(element("span", "title", block.head))
  if (block.fix_label) head.append(link(it, block.fix_label, { kind: "fix", block: block.key }, "What if: let the next one in"))
  made.append(head)
  if (block.kind === "rest") {
    const row = element("div", "row")
    row.append(link(it, "show all", { kind: "all" }, ""))
    made.append(row)
    return made
  }
  made.append(...block.rows.map((row) => drawRow(it, row)))
  if (block.more || block.unfolded || block.foot) {
    const foot = element("div", "row")
    if (block.more || block.unfolded) {
      foot.append(link(it, block.more ? `${block.more} more` : "fewer", { kind: "fold", block: block.key }, ""))
    }
    if (block.foot) foot.append(element("span", "foot", block.foot))
    made.append(foot)
  }
  return made
}

function drawRow(it, row) {
  const made = element("button", "row")
  made.title = row.title
  made.setAttribute("aria-label", `${row.title}, ${row.back ? "in the plan over an edge" : "not in the plan: why?"}`)
  if (row.lead) made.append(element("span", "lead", row.lead))
  made.append(element("span", "title", row.title), element("span", "tail", row.tail))
  made.append(row.back ? sign("expanded", 9, "var(--expanded)") : element("span", "sign"))
  made.onclick = () => row.back ? choose(it, `doc:${row.document_id}`)
    : it.trigger("action", { kind: "cut", document_id: row.document_id })
  return made
}

function link(it, text, action, title) {
  const made = element("button", "link", text)
  if (title) made.title = title
  made.onclick = () => it.trigger("action", action)
  return made
}

// ---------------------------------------------------------------- life cycle

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
  layOut(it)
  const { data } = it
  it.colours = readColours(it)
  it.top = data.nodes[0].y - data.node_height / 2
  const ctx = (it.measure ??= document.createElement("canvas").getContext("2d"))
  ctx.font = font(it, 13, 600)
  const lines = wrap(ctx, data.query.text, it.boxes[0].w - 18, 12)
  it.question = { lines, h: Math.max(lines.length * 18 + 18, data.node_height), cut: lines.some((l) => l.endsWith("…")) }
  it.shortened = new Map()
  const drawNode = (node) => ({ ctx, x, y }) => ({
    drawNode: () => (node.kind === "query" ? drawQuery(it, ctx, node) : drawCard(it, ctx, node)),
    nodeDimensions: { width: it.boxes[laneOf(node)].w, height: data.node_height },
  })
  const nodes = data.nodes.map((node) => {
    const kind = node.kind ?? "query", full = { ...node, kind, physics: false, at: it.width }
    const box = it.boxes[laneOf(full)]
    full.x = box.x + box.w / 2
    return { ...full, ctxRenderer: drawNode(full) }
  })
  reconcile(it.nodes, nodes, it.seenNodes)
  reconcile(it.edges, data.edges.map((edge) => ({ ...edge, hidden: true })), it.seenEdges)
  it.host.style.height = `${data.panel}px`
  it.net.setSize(`${it.width}px`, `${data.height}px`)
  it.net.moveTo({ position: { x: it.width / 2, y: data.height / 2 }, scale: 1, animation: false })
  drawLanes(it)
  it.net.redraw()
}

function start(it, vis) {
  it.nodes = new vis.DataSet()
  it.edges = new vis.DataSet()
  it.net = new vis.Network(it.root.querySelector(".net"), { nodes: it.nodes, edges: it.edges }, {
    autoResize: false, physics: { enabled: false }, layout: { randomSeed: 1, improvedLayout: false },
    nodes: { shape: "custom" }, edges: { smooth: false },
    interaction: { dragNodes: false, dragView: false, zoomView: false, selectable: false, hover: false, keyboard: false },
  })
  it.net.on("beforeDrawing", (ctx) => {
    const lines = it.edges.get().sort((a, b) => isStrong(it, a) - isStrong(it, b))
    for (const edge of lines) drawEdge(it, ctx, edge)
  })
  it.net.on("afterDrawing", () => { it.host.dataset.ready = "1" })
  const net = it.root.querySelector(".net")
  net.onpointermove = (event) => { const at = hit(it, event); hover(it, at.id, at.x, at.y) }
  net.onpointerleave = () => hover(it, null, 0, 0)
  net.onclick = (event) => { it.host.focus({ preventScroll: true }); choose(it, hit(it, event).id) }
  it.host.onkeydown = (event) => { if (event.target === it.host) onKey(it, event) }
  it.observer = new ResizeObserver(() => { if (it.host.clientWidth && Math.floor(it.host.clientWidth) !== it.seenWidth) { it.seenWidth = Math.floor(it.host.clientWidth); refresh(it) } })
  it.observer.observe(it.host)
  document.fonts?.ready.then(() => it.alive && it.net && refresh(it))
}

export default function (component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component
  const host = parentElement.querySelector(".dg")
  let it = INSTANCES.get(host)
  if (!it) {
    it = { host, root: host, alive: true, sent: [], selected: null, hover: null, near: null,
      seenNodes: new Map(), seenEdges: new Map(), shortened: new Map(), under: host.querySelector(".under"),
      over: host.querySelector(".over"), tip: host.querySelector(".tip"), live: host.querySelector(".live") }
    INSTANCES.set(host, it)
    host.docgraph = it
  }
  Object.assign(it, { data, setState: setStateValue, trigger: setTriggerValue })
  host.style.height = `${data.panel}px`
  host.setAttribute("aria-label", data.alt)
  loadLibrary(data.lib).then((vis) => {
    if (!it.alive || !host.isConnected || it.data !== data) return
    if (!it.net) start(it, vis)
    takeSelection(it, data.selected ?? null)
    refresh(it)
  })
  return () => {
    it.alive = false
    clearTimeout(it.timer)
    it.observer?.disconnect()
    it.net?.destroy()
    INSTANCES.delete(host)
  }
}

function takeSelection(it, wanted) {
  if (wanted === it.fromPython) return
  it.fromPython = wanted
  const echo = it.sent.indexOf(wanted)
  if (echo >= 0) { it.sent.splice(0, echo + 1); return } // our own click coming back: never override a newer one
  it.sent = []
  it.selected = wanted
}
