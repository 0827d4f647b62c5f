// Both plans of a comparison, A above B. drawing.js, mounting.js, selection.js and lanes.js stand before this text.
const TIP = 3
Object.assign(SIGNS, {
  query: '<path d="M6 .3 11.7 6 6 11.7.3 6Z" fill="currentColor"/>',
  seed: '<circle cx="6" cy="6" r="4.5" fill="currentColor"/>',
  added: '<path d="M6 1v10M1 6h10" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>',
  left: '<path d="M1 6h10" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/>',
  kept: '<path d="M1 3.8h10M1 8.2h10" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
})

function sides(it) {
  const made = ["a", "b"].map((name) => {
    const root = element("section", "side"), head = element("div", "head"), canvas = element("div", "canvas")
    root.dataset.side = name
    root.setAttribute("role", "group")
    const svg = drawn("svg", { "aria-hidden": "true" }), query = sign("query", 14, { className: "mark" }), notes = element("div", "")
    canvas.append(svg, query, notes)
    root.append(head, canvas)
    return { root, head, canvas, svg, below: query, query, notes }
  })
  it.host.querySelector(".sides").replaceChildren(...made.map((side) => side.root))
  return made
}

// What is drawn once, and where it stands in the widest layout that fits.
function pictures({ data, width }) {
  const layout = [...data.layouts].reverse().find((one) => one.width <= width) ?? data.layouts[0]
  return data.sides.map((side, i) => {
    const places = layout.sides[i]
    return {
      ...side, ...places,
      boxes: side.boxes.map((box, n) => ({ ...box, ...places.boxes[n], top: places.boxes[n].y, spoken: spoken(box) })),
      lines: side.lines.map((line, n) => ({ ...line, ...places.lines[n] })),
    }
  })
}

function spoken({ tip, lane, look }) {
  const [title, ...rest] = tip.split("\n")
  return [title, lane, ["added", "left", "kept"].includes(look) ? look : "", ...rest].filter(Boolean).join(", ")
}

function fill({ title, lane, look, note, rows }) {
  const parts = []
  if (look !== "future" && look !== "ghost") {
    const name = element("span", rows > 1 ? "title" : "title one", title)
    name.style.webkitLineClamp = rows
    parts.push(sign(look === "added" || look === "left" ? look : lane === "seed" ? "seed" : "kept", 12), name)
  }
  if (note) parts.push(element("span", "note", note))
  return parts
}

function around(it, side, picture) {
  side.root.setAttribute("aria-label", `${picture.head}. ${picture.spoken}`)
  side.head.replaceChildren(element("b", "", picture.letter), element("span", "label", picture.label),
    element("span", "stay", side === it.sides[1] ? it.data.note : ""), element("span", "figures", picture.figures))
  side.head.querySelector(".label").title = picture.label
  side.head.style.height = `${it.data.head}px`
  Object.assign(side.query.style, { left: "0px", top: `${picture.query_y - 7}px` })
  const [seeds] = it.lanes, notes = picture.notes.map((note) => {
    const made = place(element("div", "foot", note.lines.join(" ")), { x: note.x, w: it.width - note.x }, note.y)
    made.title = note.tip
    if (note.cut) made.append(sign("cut", 12))
    return made
  })
  const empty = element("div", "empty", picture.empty)
  empty.style.left = `${seeds.x + seeds.w + 24}px`
  side.notes.replaceChildren(...notes, empty)
  return [...asks(it, picture), ...frames(it, picture)]
}

function asks(it, { boxes, query_y: y }) {
  return boxes.filter((box) => box.lane === "seed" && box.here).map((box) => {
    const end = box.y + box.h / 2
    return Object.assign(drawn("path", { class: "ask", d: `M12 ${y}C20 ${y} 18 ${end} ${it.lanes[0].x} ${end}` }), { of: box.id })
  })
}

// The browser's own dots and dashes differ in length: frames of what is not here are drawn like the lines.
function frames(it, { boxes }) {
  return boxes.filter((box) => ["future", "ghost", "left"].includes(box.look)).map((box) => {
    const { x, w } = spanOf(it, box)
    const made = drawn("rect", { class: `frame ${box.look}`, x: x + 0.5, y: box.y + 0.5, width: w - 1, height: box.h - 1, rx: 6 })
    return Object.assign(made, { of: box.id })
  })
}

// A line is open where its label stands.
function route(it, line) {
  const { data, lanes: [seeds, expanded] } = it
  const start = seeds.x + seeds.w, tip = expanded.x - TIP, y = line.to_y
  const left = start + Math.max((expanded.x - start) * data.label_share[0], data.label_share[1]), right = tip - ARROW - 4
  const room = right - left - 2 * data.label_pad, middle = (left + right) / 2, bend = (start + left) / 2
  const ctx = measured(it, 12, 600), width = (text) => ctx.measureText(text).width
  const text = width(line.label) <= room ? line.label : ellipsis(ctx, line.short, room), half = width(text) / 2 + data.label_pad
  const curves = line.from_ys.map((y0) => `M${start} ${y0}C${bend} ${y0} ${bend} ${y} ${left} ${y}`).join("")
  return {
    path: `${curves}H${middle - half}M${middle + half} ${y}H${tip - ARROW}`, hit: `${curves}H${tip}`,
    arrow: `M${tip} ${y}l${-ARROW} -3.6v7.2z`, label: { x: middle, y, text },
  }
}

export default (component) => lanes(component, ".tl", {
  lanes: ["seed", "expanded"], inset: 0, margin: 4, showsFocus: true, sides, pictures, around, fill, route,
  span(stops, lane, width) {
    const [from, wide] = laneAt(stops, lane, width)
    return { x: Math.round(from), w: Math.round(from + wide) - Math.round(from) }
  },
  tip: (made) => made.box.tip,
})
