// Two documents and their neighbourhood. drawing.js, mounting.js, selection.js and lanes.js stand before this text.
Object.assign(SIGNS, {
  kept: '<path d="M1.4 3.8h9.2M1.4 8.2h9.2" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
  missing: '<path d="M6 1.2 11.3 10.6H.7Z" stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"/><path d="M6 4.8v2.6M6 8.9v.2" stroke="currentColor" stroke-width="1.3" stroke-linecap="round"/>',
})

function sides({ host }) {
  const [canvas, under, svg] = [".canvas", ".under", "svg"].map((name) => host.querySelector(name))
  return [{ root: host, canvas, under, svg, below: svg }]
}

function pictures({ data }) {
  return [{
    ...data,
    boxes: data.boxes.map((box) => ({ ...box, key: box.id, top: box.y, y: box.y + box.h / 2 })),
    lines: data.lines.map((line) => ({ ...line, keys: line.ends })),
  }]
}

function fill({ hub, title, lane, look }) {
  const mark = hub ? element("b", "letter", hub) : sign(look || { in: "kept", out: "expanded" }[lane], 11)
  return [mark, element("span", "title", title)]
}

function around(it, side, { heads, height, head: headHeight }) {
  side.under.replaceChildren(...heads.flatMap(([title, note], i) => {
    const head = place(element("div", "head"), it.lanes[i], 0)
    head.append(element("span", "", title), element("span", "note", note))
    const empty = i !== 1 && note === "0" ? [place(element("div", "none", "none"), it.lanes[i], headHeight + 4)] : []
    return [place(element("div", "lane"), it.lanes[i], 0, height), head, ...empty]
  }))
  return []
}

function route(it, line) {
  const ctx = measured(it, 12, line.asked ? 600 : 400)
  const { path, arrow, label } = line.between ? routeBetween(it, line, ctx) : routeBeside(it, line)
  const text = ellipsis(ctx, line.label, label.room)
  return { path, arrow, label: { ...label, text }, half: ctx.measureText(text).width / 2 + 4 }
}

// A line bends beside the two and runs flat where its label stands, beside the neighbour.
function routeBeside(it, line) {
  const [from, to] = line.ends.map((id) => it.data.boxes.find((box) => box.id === id))
  const out = from.lane === "centre", hub = spanOf(it, out ? from : to), own = spanOf(it, out ? to : from)
  const right = own.x > hub.x, way = right ? 1 : -1, hubX = right ? hub.x + hub.w : hub.x, ownX = right ? own.x : own.x + own.w
  const hubY = out ? line.from_y : line.to_y, ownY = out ? line.to_y : line.from_y, gap = Math.abs(ownX - hubX)
  const flat = ownX - way * Math.min(gap * 0.76, 116), bend = (hubX + flat) / 2
  const hubEnd = hubX + way * (out ? 0 : ARROW + 1), ownEnd = ownX - way * (out ? ARROW + 1 : 0)
  const tip = out ? ownX - way : hubX + way, y = out ? ownY : hubY, back = out ? -way * ARROW : way * ARROW
  const near = out ? ownX - way * (ARROW + 3) : ownX
  return {
    path: `M${hubEnd} ${hubY}C${bend} ${hubY} ${bend} ${ownY} ${flat} ${ownY}H${ownEnd}`, arrow: `M${tip} ${y}l${back} -3.6v7.2z`,
    label: { x: (flat + near) / 2, y: ownY, room: Math.abs(near - flat) - 8 },
  }
}

function routeBetween(it, line, ctx) {
  const lane = it.lanes[1], middle = lane.x + lane.w / 2, x = middle + line.x, room = lane.w - 24, [start, end] = line.ends
  const half = Math.min(ctx.measureText(line.label).width, room) / 2 + 8 // beside its line, inside the lane
  const label = { x: Math.min(Math.max(x, lane.x + half), lane.x + lane.w - half), y: line.label_y, room }
  if (start === end) { // to itself: out below on the left, back on the right
    const y = line.from_y, deep = y + 34, out = 34 + Math.abs(line.x), left = middle - out, right = middle + out
    return {
      path: `M${left} ${y}C${left} ${deep} ${right} ${deep} ${right} ${y + ARROW + 1}`, arrow: `M${right} ${y + 1}l-3.6 ${ARROW}h7.2z`,
      label: { x: middle, y: Math.max(label.y, y + 26), room },
    }
  }
  const way = Math.sign(line.to_y - line.from_y), tip = line.to_y - way
  return { path: `M${x} ${line.from_y}V${tip - way * ARROW}`, arrow: `M${x} ${tip}l-3.6 ${-way * ARROW}h7.2z`, label }
}

function stacked(it, { heads }) {
  const said = heads.filter((_, i) => i !== 1).map(([title, note]) => `${title} ${note}`.trim())
  return [[element("div", "sline", said.join(" · "))], []]
}

export default (component) => lanes(component, ".fg", {
  lanes: ["in", "centre", "out"], inset: 6, margin: 0, span: spanAt, sides, pictures, around, fill, route,
  roots: "centre", stacked,
  // A title that is shown whole needs no tip.
  tip(made) {
    const title = made.querySelector(".title")
    return made.box.look || title.scrollHeight > title.clientHeight + 2 ? made.box.spoken : ""
  },
})
