// Cards of the plan graph on the canvas: theme, geometry of the lanes, documents, the question.
const DIM = 0.15
const FADE_MS = 260
const COLOURS = ["bg", "panel", "line", "line2", "text", "muted", "primary", "query", "seed", "expanded", "cut", "cut-text", "edge", "node"]

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

function layOut(it) {
  const { data, view } = it, { stops } = data, last = stops[stops.length - 1][0], scale = Math.min(view.scale, 1)
  const room = Math.floor(it.host.clientWidth)
  it.listed = room < stops[0][0] || matchMedia("(max-width: 899px)").matches
  it.seen = Math.max(room, stops[0][0])
  it.tall = Math.round(data.height * scale)
  it.width = Math.round(it.seen / scale)
  it.least = scale < 1 ? LEAST_TEXT / scale : 0
  it.k = Math.max(1, it.least / 12)
  it.thick = Math.min(1 / scale, 1.6)
  it.pitch = Math.max(18, it.least * 1.25)
  it.mute = it.least > data.node_height
  const wider = Math.max(it.width / last, 1) // only a small picture is ever laid out wider than a panel
  it.lanes = [0, 1, 2].map((lane) => {
    const { x, w } = spanAt(stops, lane, it.width)
    return { x: Math.round(x * wider), w: Math.round(w * wider) }
  })
  if (scale < 1) keepGap(it, scale)
  it.boxes = it.lanes.map(({ x, w }) => ({ x: x + 8, w: w - 16 }))
  const ctx = measured(it, 13, 600), widest = Math.max(0, ...data.nodes.map((node) => ctx.measureText(node.own_id ?? "").width))
  it.idWidth = Math.ceil(Math.min(widest, (data.two ? 64 : 96) * it.k))
}

// Labels are read between the lanes: drawn small, that room stays as wide as it is at full size.
function keepGap(it, scale) {
  const [, seeds, expanded] = it.lanes, [low, high] = [1, 2].map((lane) => spanAt(it.data.stops, lane, it.seen))
  const less = Math.round((high.x - low.x - low.w) / scale) - (expanded.x - seeds.x - seeds.w)
  const part = Math.round((less * seeds.w) / (seeds.w + expanded.w))
  if (less <= 0) return
  seeds.w -= part
  expanded.x += less - part
  expanded.w -= less - part
}

// Where a document stands from left to right; expanded ones may stand in two columns, dragged ones elsewhere.
function boxOf(it, node) {
  const { x, w } = homeOf(it, node)
  return { x: x + shiftOf(it, node.id)[0], w }
}

function homeOf(it, node) {
  const box = it.boxes[laneOf(node)]
  if (node.kind !== "expanded" || !it.data.two) return box
  const w = Math.floor((box.w - 8) / 2)
  return { x: box.x + (node.column ? box.w - w : 0), w }
}

function laneOf(node) { return node.kind === "seed" ? 1 : node.kind === "expanded" ? 2 : 0 }

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
  if (kind !== "left") { ctx.moveTo(x, y - 4.8); ctx.lineTo(x, y + 4.8) }
  ctx.moveTo(x - 4.8, y); ctx.lineTo(x + 4.8, y)
  ctx.stroke()
}

function drawCard(it, ctx, node) {
  if (node.change === "left") { drawGhost(it, ctx, node); return }
  const c = it.colours, { x, w } = boxOf(it, node), rows = it.data.rows, r = rows ? 6 : 8, tint = rows ? 22 : 26
  const h = it.data.node_height, y = node.y - h / 2
  const role = c[node.kind], chosen = it.selected === node.id
  ctx.save()
  ctx.globalAlpha = alphaOf(it, node.id)
  if (chosen) { ctx.shadowColor = "rgba(15,19,24,.18)"; ctx.shadowBlur = 10; ctx.shadowOffsetY = 2 }
  rounded(ctx, x, y, w, h, r)
  ctx.fillStyle = c.node
  ctx.fill()
  ctx.shadowColor = "transparent"
  ctx.save()
  ctx.clip()
  ctx.globalAlpha *= 0.11
  ctx.fillStyle = role
  ctx.fillRect(x, y, tint, h)
  ctx.restore()
  rounded(ctx, x + 0.5, y + 0.5, w - 1, h - 1, r)
  ctx.lineWidth = chosen ? 2 : 1
  ctx.strokeStyle = chosen || it.linked?.has(node.id) ? c.primary : it.hover === node.id ? c.edge : node.change === "added" ? c.expanded : c.line2
  ctx.stroke()
  glyph(ctx, node.kind, x + tint / 2, node.y, role)
  if (rows) drawRow(it, ctx, node, { x, w, role })
  else {
    drawTitle(it, ctx, node, { x, y, w })
    drawMeta(it, ctx, node, { x, y, w, role })
  }
  ctx.restore()
}

// One line: id, title, what is remarkable, and the similarity of the best chunk.
function drawRow(it, ctx, node, { x, w, role }) {
  if (it.mute) return
  const c = it.colours, { k } = it, bar = w < 260 * k ? 0 : (it.data.two ? 28 : 36) * k
  ctx.textBaseline = "middle"
  ctx.textAlign = "right"
  ctx.font = font(it, 12, 600)
  ctx.fillStyle = c.text
  ctx.fillText(node.score, x + w - 9, node.y + 0.5)
  let right = x + w - 9 - 32 * k
  if (bar) {
    const left = right - bar - 2
    rounded(ctx, left, node.y - 2, bar, 4, 2)
    ctx.fillStyle = c.line
    ctx.fill()
    if (node.bar > 0) {
      rounded(ctx, left, node.y - 2, Math.max(bar * node.bar, 3), 4, 2)
      ctx.fillStyle = role
      ctx.fill()
    }
    right = left - 8
  }
  const badge = it.data.two || w < 345 * k ? node.badge_short : node.badge
  if (badge) right = drawBadge(it, ctx, badge, right, node.y - 8, node.ended) - 8
  drawNames(it, ctx, node, x + 30, right)
}

function drawBadge(it, ctx, text, right, top, ended = false) {
  ctx.font = font(it, 11, 600)
  const width = ctx.measureText(text).width + 10
  rounded(ctx, right - width + 0.5, top + 8.5 - 8 * it.k, width - 1, 16 * it.k, 4)
  ctx.lineWidth = 1
  ctx.strokeStyle = ended ? it.colours.cut : it.colours.line2
  ctx.stroke()
  ctx.fillStyle = ended ? it.colours["cut-text"] : it.colours.muted
  ctx.textAlign = "left"
  ctx.fillText(text, right + 5 - width, top + 9)
  return right - width
}

// Ids stand under each other; what is left of a title that begins with its id follows.
function drawNames(it, ctx, node, left, right) {
  const gone = node.change === "left"
  ctx.textAlign = "left"
  ctx.fillStyle = gone ? it.colours.muted : it.colours.text
  ctx.font = font(it, 13, 600)
  const own = ellipsis(ctx, node.own_id, it.idWidth)
  ctx.fillText(own, left, node.y + 0.5)
  ctx.font = font(it, 13, 400)
  const at = node.own_id ? left + it.idWidth + 10 * it.k : left, shown = ellipsis(ctx, node.short, Math.max(right - at, 0))
  ctx.fillText(shown, at, node.y + 0.5)
  it.shortened.set(node.id, own !== node.own_id || shown !== node.short)
}

// What a draft leaves out keeps its place: dashed, a minus, the reason in words.
function drawGhost(it, ctx, node) {
  const c = it.colours, { x, w } = boxOf(it, node), h = it.data.node_height, y = node.y - h / 2, rows = it.data.rows
  ctx.save()
  ctx.globalAlpha = alphaOf(it, node.id)
  rounded(ctx, x + 1.5, y + 1.5, w - 3, h - 3, rows ? 5 : 7)
  ctx.setLineDash([5, 3])
  ctx.lineWidth = 1.5
  ctx.strokeStyle = c.cut
  ctx.stroke()
  ctx.setLineDash([])
  if (it.selected === node.id) {
    rounded(ctx, x - 2, y - 2, w + 4, h + 4, 10)
    ctx.lineWidth = 2
    ctx.strokeStyle = c.primary
    ctx.stroke()
  }
  glyph(ctx, "left", x + (rows ? 11 : 13), node.y, c.cut)
  if (rows) {
    ctx.textBaseline = "middle"
    ctx.textAlign = "right"
    ctx.font = font(it, 12, 600)
    ctx.fillStyle = c["cut-text"]
    const why = ellipsis(ctx, node.meta[0], (w - 40 - it.idWidth) * 0.6)
    ctx.fillText(why, x + w - 9, node.y + 0.5)
    const room = x + w - 19 - ctx.measureText(why).width
    drawNames(it, ctx, node, x + 30, room)
    if (why !== node.meta[0]) it.shortened.set(node.id, true)
    ctx.restore()
    return
  }
  drawTitle(it, ctx, node, { x, y, w })
  ctx.font = font(it, 12, 400)
  ctx.fillStyle = c.muted
  ctx.textAlign = "right"
  const tokens = ctx.measureText(node.meta[1]).width
  ctx.fillText(node.meta[1], x + w - 10, y + 37)
  ctx.textAlign = "left"
  ctx.font = font(it, 12, 600)
  ctx.fillStyle = c["cut-text"]
  const shown = ellipsis(ctx, node.meta[0], w - 34 - 20 - tokens)
  if (shown !== node.meta[0]) it.shortened.set(node.id, true)
  ctx.fillText(shown, x + 34, y + 37)
  ctx.restore()
}

function drawTitle(it, ctx, node, { x, y, w }) {
  const left = x + 34
  let right = x + w - 10
  ctx.textBaseline = "middle"
  if (node.badge) right = drawBadge(it, ctx, node.badge, right, y + 8, node.ended) - 8
  ctx.textAlign = "left"
  const title = node.label
  ctx.font = font(it, 14, 600)
  ctx.fillStyle = node.change === "left" ? it.colours.muted : it.colours.text
  const shown = ellipsis(ctx, title, right - left)
  it.shortened.set(node.id, shown !== title)
  ctx.fillText(shown, left, y + 17)
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
  const room = w - 90 - 34 * it.k
  // In a narrow box the tokens make room for the id: the panel and the table have them.
  const both = node.meta.join("   "), counted = w >= 300 && ctx.measureText(both).width <= room ? both : node.meta[0]
  ctx.fillText(counted, x + w - 10, at)
  ctx.textAlign = "left"
  drawId(it, ctx, node, { left: x + 90 + 32 * it.k, right: x + w - 20 - ctx.measureText(counted).width, at })
}

// The id in what the figures leave free; cut or without room it stands in the tip.
function drawId(it, ctx, node, { left, right, at }) {
  const own = documentId(node)
  if (own === node.label) return
  ctx.font = font(it, 11, 400)
  const shown = right - left < 28 ? "" : ellipsis(ctx, own, right - left)
  if (shown) ctx.fillText(shown, left, at + 0.5)
  if (shown !== own) it.shortened.set(node.id, true)
}

function documentId(node) { return node.id.slice("doc:".length) }

// Beside the rows of a large plan the question is a bracket around all seeds.
function drawBracket(it, ctx) {
  const c = it.colours, { top, bottom, y } = it.data.bracket, x = it.boxes[0].x + 3, end = it.lanes[1].x
  if (bottom <= 0) return
  ctx.save()
  ctx.globalAlpha *= it.near && !it.near.has("query") ? DIM : 1
  ctx.strokeStyle = c.query
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.globalAlpha *= 0.6
  if (bottom > top) {
    ctx.moveTo(end - 2, top)
    ctx.arcTo(x, top, x, top + 6, 5)
    ctx.lineTo(x, y - 12)
    ctx.moveTo(x, y + 12)
    ctx.arcTo(x, bottom, end - 2, bottom, 5)
  } else ctx.moveTo(x + 10, y)
  ctx.lineTo(end - 2, bottom)
  ctx.stroke()
  ctx.globalAlpha /= 0.6
  ctx.fillStyle = c.query
  ctx.beginPath()
  ctx.moveTo(x, y - 7); ctx.lineTo(x + 7, y); ctx.lineTo(x, y + 7); ctx.lineTo(x - 7, y)
  ctx.fill()
  ctx.restore()
}

function drawQuery(it, ctx, node) {
  if (it.data.bracket) { drawBracket(it, ctx); return }
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
  lines.forEach((line, i) => ctx.fillText(line, x + 9, it.top + it.pitch + i * it.pitch))
  ctx.restore()
}
