// Edges of the plan graph on the canvas, and what is near, hit and selected.
function pathOf(it, edge) {
  const to = it.nodes.get(edge.to), [fromX, fromY] = shiftOf(it, edge.from), [toX, toY] = endShift(it, edge)
  if (edge.kind === "query") {
    const x0 = it.boxes[0].x + it.boxes[0].w, y0 = it.top + Math.min(it.question.h / 2, it.data.node_height)
    const x1 = it.boxes[1].x + toX, gap = x1 - x0
    return [[x0, y0], [x0 + gap * 0.6, y0, x1 - gap * 0.6, to.y, x1, to.y]]
  }
  const { bend, aside } = edge.route, from_y = edge.route.from_y + fromY, to_y = edge.route.to_y + toY
  const lane = it.boxes[1].x + it.boxes[1].w, right = lane + fromX
  if (aside) {
    const out = lane + Math.max(fromX, toX) + 24 + 6 * (bend % 5), shift = 3 * (bend % 5)
    return [[right, from_y - shift], [out, from_y - shift, out, to_y + shift, lane + toX + 7, to_y + shift]]
  }
  const end = edgeOfLane(it) - 1 + toX, run = labelRun(it), start = end - run, gap = start - right
  // Lower targets bend earlier, so that the curves nest and cross as little as they can.
  const k = Math.min(bend, 5) / 6, c0 = right + gap * (0.75 - 0.4 * k), c1 = start - gap * (0.38 + 0.32 * k)
  const curve = [[right, from_y], [c0, from_y, Math.max(c1, right), to_y, start, to_y]]
  return edge.group == null ? [...curve, [end - 7, to_y]] : curve
}

// How far the end of a line was dragged: with its document, or not at all where it ends at a group's frame.
function endShift(it, edge) { return edge.group == null ? shiftOf(it, edge.to) : [0, 0] }

// Where arrows end: at the cards, or at the frames around them.
function edgeOfLane(it) { return it.boxes[2].x - (it.data.rows ? 4 : 0) }

function labelRun(it) {
  const gap = edgeOfLane(it) - (it.boxes[1].x + it.boxes[1].w)
  return Math.round(it.data.rows ? Math.min(142, gap * 0.74) : Math.min(128, gap * 0.58))
}

function isDrawn(it, edge) { return !edge.route?.aside || it.data.between || it.hover === edge.id || isStrong(it, edge) }

function drawFrames(it, ctx) {
  const c = it.colours, x = it.boxes[2].x - 4, w = it.boxes[2].w + 8
  for (const group of it.data.groups) {
    ctx.save()
    ctx.globalAlpha = it.near && !group.members.some((id) => it.near.has(id)) ? 0.4 : 1
    rounded(ctx, x + 0.5, group.top + 0.5, w - 1, group.height - 1, 8)
    const alpha = ctx.globalAlpha
    ctx.fillStyle = ctx.strokeStyle = c.expanded
    ctx.globalAlpha = alpha * 0.06
    ctx.fill()
    ctx.globalAlpha = alpha * 0.3
    ctx.stroke()
    ctx.restore()
  }
}

// Where a dragged document belongs; lines into a group end at its frame, so its document hangs on a thread.
function drawHomes(it, ctx) {
  for (const id of it.view.moved.keys()) {
    const node = it.nodes.get(id)
    if (!node) continue
    const { x, w } = homeOf(it, node), box = boxOf(it, node), h = it.data.node_height, y = node.y - shiftOf(it, id)[1]
    ctx.save()
    ctx.globalAlpha = alphaOf(it, id)
    ctx.strokeStyle = it.colours.line2
    ctx.setLineDash([3, 3])
    rounded(ctx, x + 0.5, y - h / 2 + 0.5, w - 1, h - 1, it.data.rows ? 6 : 8)
    ctx.stroke()
    if (it.data.rows && node.kind === "expanded") {
      ctx.setLineDash([])
      ctx.strokeStyle = it.colours.expanded
      ctx.beginPath()
      ctx.moveTo(x + w / 2, y)
      ctx.lineTo(box.x + box.w / 2, node.y)
      ctx.stroke()
    }
    ctx.restore()
  }
}

// From where the lines of a group meet to its frame: one run with its type, its number of documents, and one arrow.
function drawRun(it, ctx, group) {
  const c = it.colours, lines = group.lines.map((id) => it.edges.get(id)).filter(Boolean)
  if (!lines.length) return
  const strong = lines.some((line) => isStrong(it, line)), gone = lines.every((line) => ["off", "left"].includes(line.change))
  const end = edgeOfLane(it) - 1, start = end - labelRun(it), y = group.y
  ctx.save()
  ctx.globalAlpha = it.near && !lines.some((line) => it.near.has(line.id)) ? DIM : 1
  ctx.strokeStyle = ctx.fillStyle = gone ? c.cut : strong ? c.primary : c.edge
  ctx.lineWidth = (strong ? 2 : 1.8) * it.thick
  ctx.setLineDash(gone ? [6, 4] : group.dash)
  ctx.beginPath()
  ctx.moveTo(start, y)
  ctx.lineTo(end - 8, y)
  ctx.stroke()
  ctx.setLineDash([])
  drawArrow(ctx, [end - 7, y], 1)
  if (lines.length > 1) {
    ctx.beginPath()
    ctx.arc(start, y, 3, 0, 2 * Math.PI)
    ctx.fill()
  }
  drawRunLabel(it, ctx, group, { middle: (start + end - 8) / 2 + 1, room: end - start - 26, strong, gone })
  ctx.restore()
}

function drawRunLabel(it, ctx, group, { middle, room, strong, gone }) {
  const c = it.colours, y = group.y
  ctx.textBaseline = "middle"
  ctx.textAlign = "left"
  ctx.font = font(it, 12, 600)
  const high = 16 * it.k
  const number = gone ? " off" : ` ${group.n}`, after = ctx.measureText(number).width
  ctx.font = font(it, 12, strong ? 600 : 400)
  const text = ellipsis(ctx, group.label, room - after), own = ctx.measureText(text).width, left = middle - (own + after) / 2
  const dim = ctx.globalAlpha
  ctx.globalAlpha = 1
  ctx.fillStyle = c.bg
  ctx.fillRect(left - 5, y - high / 2, own + after + 10, high)
  ctx.globalAlpha = dim
  ctx.fillStyle = gone ? c["cut-text"] : strong ? c.primary : c.muted
  ctx.fillText(text, left, y + 0.5)
  if (gone) ctx.fillRect(left, y, own, 1)
  ctx.font = font(it, 12, 600)
  ctx.fillText(number, left + own, y + 0.5)
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
  if (!isDrawn(it, edge)) return
  const c = it.colours, strong = isStrong(it, edge), path = pathOf(it, edge)
  ctx.save()
  ctx.globalAlpha = alphaOf(it, edge.id)
  if (edge.kind === "query") {
    ctx.globalAlpha *= 0.55
    ctx.strokeStyle = c.query
    ctx.lineWidth = 1.5 * it.thick
    trace(ctx, path)
    ctx.stroke()
    ctx.restore()
    return
  }
  const aside = edge.route.aside
  const gone = edge.change === "off" || edge.change === "left"
  ctx.strokeStyle = ctx.fillStyle = gone ? c.cut : strong ? c.primary : edge.change === "added" ? c.expanded : c.edge
  ctx.lineWidth = (aside ? 1.2 : strong ? 2 : edge.main == null ? 1.5 : edge.main ? 1.8 : 1.3) * it.thick
  if (aside && !strong && !(it.near?.has(edge.id))) ctx.globalAlpha *= 0.4
  if (gone && !strong) ctx.globalAlpha *= 0.7
  ctx.setLineDash(gone ? [6, 4] : edge.dash)
  ctx.lineCap = !gone && edge.dash[0] < 2 ? "round" : "butt"
  trace(ctx, path)
  ctx.stroke()
  ctx.setLineDash([])
  if (edge.group != null) { ctx.restore(); return }
  drawArrow(ctx, path[path.length - 1].slice(-2), aside ? -1 : 1)
  if (!aside || it.hover === edge.id || it.selected === edge.id) drawLabel(it, ctx, edge, strong)
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
  const run = labelRun(it), [endX, endY] = endShift(it, edge), middle = it.boxes[2].x - 8 - run / 2 + endX, high = 16 * it.k
  ctx.font = font(it, 12, strong ? 600 : 400)
  ctx.textAlign = aside ? "left" : "center"
  ctx.textBaseline = "middle"
  const off = edge.change === "off" ? " off" : ""
  const after = off ? ctx.measureText(off).width : 0
  const text = ellipsis(ctx, edge.label, (aside ? 120 : run + 4) - after)
  const own = ctx.measureText(text).width, width = own + after
  const x = aside ? right + 34 + 7 * (edge.route.bend % 4) : middle
  const y = aside ? (edge.route.from_y + shiftOf(it, edge.from)[1] + edge.route.to_y + endY) / 2 : edge.route.to_y + endY
  const left = aside ? x - 4 : x - width / 2 - 6
  const dim = ctx.globalAlpha
  ctx.globalAlpha = 1
  ctx.fillStyle = it.colours.bg
  ctx.fillRect(left, y - high / 2, width + (aside ? 8 : 12), high)
  ctx.globalAlpha = off && !it.near ? 1 : dim
  const colour = edge.change === "off" || edge.change === "left" ? it.colours["cut-text"] : null
  ctx.fillStyle = colour ?? (strong ? it.colours.primary : it.colours.muted)
  const start = aside ? x : x - width / 2
  ctx.textAlign = "left"
  ctx.fillText(text, start, y + 0.5)
  if (off) {
    ctx.fillText(off, start + own, y + 0.5)
    ctx.fillRect(start, y, own, 1)
  }
}

function isStrong(it, edge) {
  const chosen = it.selected
  return edge.kind === "edge" && chosen != null &&
    (edge.id === chosen || edge.ids.includes(chosen) || edge.targets.includes(chosen) || edge.sources.includes(chosen))
}

// The seeds that brought the selection in.
function linkedTo(it) {
  const node = it.selected == null ? null : it.nodes.get(it.selected)
  if (it.selected == null || node?.kind === "seed") return new Set()
  return new Set(it.edges.get().filter((edge) => isStrong(it, edge) && !edge.route.aside).flatMap((edge) => edge.sources))
}

function neighbours(it, id) {
  const near = new Set([id])
  for (const edge of it.edges.get()) {
    if (!isDrawn(it, edge)) continue
    const from = edge.sources ?? [edge.from], to = edge.targets ?? [edge.to]
    const others = edge.id === id ? [...from, ...to] : from.includes(id) ? to : to.includes(id) ? from : null
    if (others) for (const one of [edge.id, ...others]) near.add(one)
  }
  if (it.data.rows || it.nodes.get(id)?.kind === "expanded" || it.edges.get(id)) near.add("query")
  return near
}

function alphaOf(it, id) { return (it.near && !it.near.has(id) ? DIM : 1) * fadeOf(it, id) }

// What a change of the plan brought in fades in; what was there before does not move and does not blink.
function fadeOf(it, id) {
  const born = it.born.get(id)
  return born == null ? 1 : Math.min((performance.now() - born) / FADE_MS, 1)
}

function fadeIn(it, ids) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches
  if (it.drawn && !still) for (const id of ids) if (!it.drawn.has(id)) it.born.set(id, performance.now())
  it.drawn = new Set(ids)
  const step = () => {
    if (!it.alive || !it.born.size) return
    for (const id of [...it.born.keys()]) if (fadeOf(it, id) >= 1) it.born.delete(id)
    it.net.redraw()
    requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
}

function lineOf(it, id) { return it.edges.get().find((edge) => edge.id === id || edge.ids?.includes(id)) }

function hitEdge(it, x, y) {
  let best = null, nearest = 7 / it.view.scale
  for (const edge of it.edges.get()) {
    if (edge.kind !== "edge" || !isDrawn(it, edge)) continue
    const distance = distanceTo(pathOf(it, edge), x, y)
    if (distance < nearest) { nearest = distance; best = edge.id }
  }
  const end = edgeOfLane(it)
  for (const { lines, y: at } of it.data.groups) {
    const main = lines.find((id) => it.edges.get(id)?.main) ?? lines[0]
    if (main && x <= end && x >= end - labelRun(it) && Math.abs(y - at) < nearest) best = main
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
  // What was dragged lies on top.
  for (const node of it.nodes.get().sort((a, b) => it.view.moved.has(b.id) - it.view.moved.has(a.id))) {
    const { x: left, w } = boxOf(it, node), query = node.kind === "query"
    if (query && it.data.rows) continue
    const top = query ? it.top : node.y - it.data.node_height / 2
    const height = query ? it.question.h : it.data.node_height
    if (x >= left && x <= left + w && y >= top && y <= top + height) return node.id
  }
  return null
}

// What is at the pointer, in pixels of the drawing; `left` and `top` are those of the panel.
function hit(it, event) {
  const box = it.stage.getBoundingClientRect(), { view } = it
  const left = event.clientX - box.left, top = event.clientY - box.top
  const x = (left - view.x) / view.scale, y = (top - view.y) / view.scale
  return { id: hitNode(it, x, y) ?? hitEdge(it, x, y), x, y, left, top }
}

// What a box has no room for: its title with the id, and why it leaves.
function namedTip(node) {
  const named = documentId(node) === node.label ? node.label : `${node.label} (${documentId(node)})`
  const said = node.change === "left" ? node.meta[0] : node.ended
  return said ? `${named}: ${said}` : named
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
    : node && (node.ended || it.shortened.get(id)) ? namedTip(node) : line && !node ? tipOf(it, line) : ""
  it.tip.hidden = !text
  if (text) {
    it.tip.textContent = text
    it.tip.style.left = `${Math.max(4, Math.min(x + 12, it.seen - it.tip.offsetWidth - 8))}px`
    it.tip.style.top = `${y + 16}px`
  }
}

function tipOf(it, line) {
  const state = { off: ", off in this draft", left: ", not followed in this draft", added: ", new in this draft" }[line.change] ?? ""
  const to = line.targets.length === 1 ? it.nodes.get(line.to).label : `${line.targets.length} documents; each click selects another relationship`
  return `${it.nodes.get(line.from).label} —${line.label}→ ${to}${state}`
}

// `exactly` this edge, also where its line stands for several.
function choose(it, id, { slow = false, exactly = false } = {}) {
  const target = id === "query" ? null : id
  const single = target && !exactly && lineOf(it, target)
  // A line of several edges selects its only target, where the panel lists them all, or one edge after the other.
  const many = single && single.ids.length > 1
  it.selected = many && single.targets.length === 1 ? single.to
    : many ? single.ids[(single.ids.indexOf(it.selected) + 1) % single.ids.length] : single ? single.ids[0] : target
  if (it.listed) markListing(it)
  if (it.near) it.near = neighbours(it, it.hover) // edges between seeds are drawn with the selected one
  it.net.redraw()
  announce(it)
  clearTimeout(it.timer)
  if (slow) it.timer = setTimeout(tellSelection, 160, it)
  else tellSelection(it)
}

// A double click makes a seed of a document: the second click is told apart by its count, not by its target, because
// the first one may have drawn the lists anew.
function promote(it, documentId) { it.trigger("action", { kind: "promote", document_id: documentId }) }

function announce(it) {
  const node = it.selected && it.nodes.get(it.selected), line = it.selected && lineOf(it, it.selected)
  it.live.textContent = node ? `${node.label}, ${node.change === "left" ? node.meta[0] : `${node.kind}, place ${node.place}${node.ended ? `, ${node.ended}` : ""}`}` : line ? tipOf(it, line) : "Nothing selected"
}
