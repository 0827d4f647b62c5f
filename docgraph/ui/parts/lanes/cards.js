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
  const { data } = it
  it.width = Math.max(Math.floor(it.host.clientWidth), data.stops[0][0])
  it.lanes = [0, 1, 2].map((lane) => spanAt(data.stops, lane, it.width))
  it.boxes = it.lanes.map(({ x, w }) => ({ x: x + 8, w: w - 16 }))
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
  ctx.strokeStyle = chosen ? c.primary : it.hover === node.id ? c.edge : node.change === "added" ? c.expanded : c.line2
  ctx.stroke()
  glyph(ctx, node.kind, x + 13, node.y, role)
  drawTitle(it, ctx, node, { x, y, w })
  drawMeta(it, ctx, node, { x, y, w, role })
  ctx.restore()
}

// What a draft leaves out keeps its place: dashed, a minus, the reason in words.
function drawGhost(it, ctx, node) {
  const c = it.colours, { x, w } = it.boxes[laneOf(node)], h = it.data.node_height, y = node.y - h / 2
  ctx.save()
  ctx.globalAlpha = alphaOf(it, node.id)
  rounded(ctx, x + 1.5, y + 1.5, w - 3, h - 3, 7)
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
  glyph(ctx, "left", x + 13, node.y, c.cut)
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
  ctx.fillStyle = node.change === "left" ? it.colours.muted : it.colours.text
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
