// Edges of the plan graph on the canvas, and what is near, hit and selected.
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
  const gone = edge.change === "off" || edge.change === "left"
  ctx.strokeStyle = ctx.fillStyle = gone ? c.cut : strong ? c.primary : edge.change === "added" ? c.expanded : c.edge
  ctx.lineWidth = strong ? 2 : aside ? 1.2 : 1.5
  if (aside && !strong && !(it.near?.has(edge.id))) ctx.globalAlpha *= 0.4
  if (gone && !strong) ctx.globalAlpha *= 0.7
  ctx.setLineDash(gone ? [6, 4] : edge.dash)
  ctx.lineCap = !gone && edge.dash[0] < 2 ? "round" : "butt"
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
  const off = edge.change === "off" ? " off" : ""
  const after = off ? ctx.measureText(off).width : 0
  const text = ellipsis(ctx, edge.label, (aside ? 120 : run + 4) - after)
  const own = ctx.measureText(text).width, width = own + after
  const x = aside ? right + 34 + 7 * (edge.route.bend % 4) : middle
  const y = aside ? (edge.route.from_y + edge.route.to_y) / 2 : edge.route.to_y
  const left = aside ? x - 4 : x - width / 2 - 6
  const dim = ctx.globalAlpha
  ctx.globalAlpha = 1
  ctx.fillStyle = it.colours.bg
  ctx.fillRect(left, y - 8, width + (aside ? 8 : 12), 16)
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
    (edge.id === chosen || edge.ids.includes(chosen) || edge.to === chosen || edge.from === chosen)
}

function neighbours(it, id) {
  const near = joined(it.edges.get(), id)
  if (it.nodes.get(id)?.kind === "expanded" || it.edges.get(id)) near.add("query")
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
    : node && it.shortened.get(id) ? (node.change === "left" ? `${node.label}: ${node.meta[0]}` : node.label) : line && !node ? tipOf(it, line) : ""
  it.tip.hidden = !text
  if (text) {
    it.tip.textContent = text
    it.tip.style.left = `${Math.max(4, Math.min(x + 12, it.width - it.tip.offsetWidth - 8))}px`
    it.tip.style.top = `${y + 16}px`
  }
}

function tipOf(it, line) {
  const state = { off: ", off in this draft", left: ", not followed in this draft", added: ", new in this draft" }[line.change] ?? ""
  return `${it.nodes.get(line.from).label} —${line.label}→ ${it.nodes.get(line.to).label}${state}`
}

function choose(it, id, { slow = false } = {}) {
  const target = id === "query" ? null : id
  const single = target && lineOf(it, target)
  // A bundled line selects its target: the panel lists every edge of it.
  it.selected = single && single.ids.length > 1 ? single.to : single ? single.ids[0] : target
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
  it.live.textContent = node ? `${node.label}, ${node.change === "left" ? node.meta[0] : `${node.kind}, place ${node.place}`}` : line ? tipOf(it, line) : "Nothing selected"
}
