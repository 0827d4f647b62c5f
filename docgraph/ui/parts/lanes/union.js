// Both plans of a comparison in one picture. drawing.js, mounting.js, selection.js and lanes.js stand before this text.
const TIP = 3
Object.assign(SIGNS, {
  query: '<path d="M6 .3 11.7 6 6 11.7.3 6Z" fill="currentColor"/>',
  seed: '<circle cx="6" cy="6" r="4.5" fill="currentColor"/>',
  added: '<path d="M6 1v10M1 6h10" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>',
  left: '<path d="M1 6h10" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/>',
  related: '<path d="M6 1.2v9.6M1.2 6h9.6" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
  kept: '<path d="M1.6 4.2h8.8M1.6 7.8h8.8" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
  relevant: '<path d="M1.8 6.4 4.8 9.4 10.4 3" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>',
  gained: '<path d="M6 1.6 11 10.2H1Z" fill="currentColor"/>',
  lost: '<path d="M6 10.4 1 1.8h10Z" fill="currentColor"/>',
  missing: '<path d="M6 10.4 1 1.8h10Z" stroke="currentColor" stroke-width="1.4"/>',
})

function sides(it) {
  const root = it.host, canvas = root.querySelector(".canvas"), svg = canvas.querySelector("svg")
  return [{ root, canvas, svg, below: svg, under: canvas.querySelector(".under") }]
}

// A view shows one of the runs, or the change; every box keeps its pixel.
function pictures({ data }) {
  const there = (box) => (data.view === "a" ? box.in_a : box.in_b)
  return [{
    height: data.height,
    boxes: data.boxes.map((box) => ({ ...box, top: box.y, look: seen(data.view, box, there(box)), more: more(box) })),
    lines: data.view === "a" ? [] : data.lines.filter((line) => data.view === "change" || line.look !== "left"),
  }]
}

function seen(view, box, there) {
  if (view === "change" || box.look === "ghost") return view === "a" && box.look === "ghost" ? "kept" : box.look
  if (!there) return "absent"
  return view === "a" ? "kept" : box.look
}

// What a box does not say in words: how it is drawn.
function more({ lane, look, score, said }) {
  return [lane, look === "kept" ? "" : look, `best passage ${score}`, said].filter(Boolean).join(", ")
}

function fill(box) {
  const { title, lane, look, score, bar } = box
  // In the view of one run nothing has left or been lost: it is read there, as what it is.
  const alone = look === "kept" && !(box.in_a && box.in_b), note = alone ? box.document_id : box.note
  const tag = alone && box.tag ? "relevant" : box.tag, said = alone ? "relevant" : box.said
  const name = look === "added" || look === "left" ? look : lane === "seed" ? "seed" : "related"
  const mark = element("span", "mark"), text = element("span", "text"), meta = element("span", "meta")
  mark.append(sign(name, 12))
  const track = element("span", "bar"), part = element("i", "")
  part.style.width = `${Math.round(bar * 1000) / 10}%`
  track.append(part)
  const known = look !== "absent"
  if (known) meta.append(track, element("b", "", score), element("span", look === "left" || look === "ghost" || look === "moved" ? "why" : "id", note))
  else meta.append(element("span", "why", "not read"))
  if (tag && known) {
    const judged = element("span", `judged ${tag}`)
    judged.append(sign(tag, 10), element("span", "", tag === "gained" ? "relevant" : said))
    meta.append(judged)
  }
  text.append(element("span", "title", title), meta)
  return [mark, text]
}

function around(it, side, picture) {
  const { data, lanes: [seeds, expanded] } = it
  it.host.dataset.view = data.view
  const lane = ({ x, w }, name) => place(element("div", `lane ${name}`), { x: x - 8, w: w + 16 }, 0, picture.height)
  const head = ({ x, w }, name, mark, says, end) => {
    const made = place(element("div", `head ${name}`), { x, w }, 4, 20)
    made.append(sign(mark, 10), element("b", "", name === "seed" ? "Matches" : "Related"), element("span", "", says), element("em", "", end))
    return made
  }
  const parts = [lane(seeds, "seed"), lane(expanded, "expanded"), head(seeds, "seed", "seed", data.heads[0], "best passage, cosine"),
    head(expanded, "expanded", "related", "one relationship away", data.view === "a" ? "relationships are off" : data.heads[1])]
  const query = sign("query", 13, { className: "query" }), ys = picture.boxes.filter((box) => box.lane === "seed" && (data.view === "a" ? box.in_a : box.in_b)).map((box) => box.y + box.h / 2)
  const gone = data.view === "change" ? picture.boxes.filter((box) => box.lane === "seed" && box.look === "left").map((box) => box.y + box.h / 2) : []
  const all = [...ys, ...gone], y = all.length ? (ys[0] ?? gone[0]) / 2 + (ys[ys.length - 1] ?? gone[gone.length - 1]) / 2 : 40
  Object.assign(query.style, { left: "0px", top: `${y - 6.5}px` })
  parts.push(query, ...cuts(it, picture, expanded), ...(data.view === "a" ? [] : data.notes).map((note, i) =>
    place(element("div", "note", note), expanded, picture.height - 6 - 18 * (data.notes.length - i))))
  parts.push(...data.folds.map((fold) => {
    const made = place(element("div", "fold"), fold.lane === "seed" ? seeds : expanded, fold.y, 18)
    made.append(sign("kept", 10), element("span", "", fold.text))
    return made
  }))
  if (!picture.boxes.some((box) => box.lane === "expanded")) parts.push(place(element("div", "none", "no related document on either side"), expanded, data.head + 10))
  side.under.replaceChildren(...parts)
  return [...bracket(seeds, ys, y, ""), ...bracket(seeds, gone, y, "gone"), ...frames(it, picture)]
}

// One bracket from the question over all that is read; dashed over what was.
function bracket({ x }, ys, y, name) {
  if (!ys.length) return []
  const [first, last] = [ys[0], ys[ys.length - 1]], left = 6, right = x - 9
  if (name) return [drawn("path", { class: `ask ${name}`, d: `M${left} ${y + 8}V${last - 6}Q${left} ${last} ${left + 6} ${last}H${right}` + ys.slice(0, -1).map((one) => `M${left} ${one}H${right}`).join("") })]
  const ends = first === last ? `M13 ${first}H${right}` : `M${left} ${y - 9}V${first + 6}Q${left} ${first} ${left + 6} ${first}H${right}M${left} ${y + 9}V${last - 6}Q${left} ${last} ${left + 6} ${last}H${right}`
  return [drawn("path", { class: "ask", d: ends })]
}

function cuts(it, picture, expanded) {
  const { data } = it
  if (!data.cut_head || data.view === "a") return []
  const boxes = picture.boxes.filter((box) => box.lane === "expanded")
  let y = Math.max(data.head, ...boxes.map((box) => box.y + box.h)) + 12
  const head = place(element("div", "cuthead"), expanded, y, 18)
  head.append(sign("cut", 12), element("b", "", data.cut_head))
  const rows = data.cut.map((row) => {
    y += 20
    const made = place(element("div", row.lost ? "cutrow lost" : "cutrow"), expanded, y, 18)
    if (row.lost) made.append(sign("lost", 9))
    made.append(element("span", "", row.title), element("em", "", row.would_be))
    made.title = row.title
    return made
  })
  return [head, ...rows]
}

// The browser's own dashes differ in length: frames of what is not here are drawn like the lines.
function frames(it, { boxes }) {
  return boxes.filter((box) => ["left", "ghost", "absent"].includes(box.look)).map((box) => {
    const { x, w } = spanOf(it, box)
    return Object.assign(drawn("rect", { class: `frame ${box.look}`, x: x + 0.5, y: box.y + 0.5, width: w - 1, height: box.h - 1, rx: 8 }), { of: box.id })
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

// In a list: heads with the same counts, what is folded in its lane, who was cut and the notes as lines.
function stacked({ data }) {
  const head = (mark, name, says, end) => {
    const made = element("div", "shead")
    made.append(sign(mark, 10), element("b", "", name), element("span", "", says), ...(end ? [element("em", "", end)] : []))
    return made
  }
  const folds = (seed) => data.folds.filter((fold) => (fold.lane === "seed") === seed).map((fold) => element("div", "sline", fold.text))
  return [
    [head("seed", "Matches", data.heads[0]), ...folds(true)],
    [head("related", "Related", data.view === "a" ? "relationships are off" : data.heads[1]), ...folds(false)],
  ]
}

function foot({ data }) {
  if (data.view === "a") return []
  const cut = data.cut_head ? [element("div", "sline", data.cut_head), ...data.cut.map((row) => element("div", row.lost ? "sline lost" : "sline", `${row.title}, ${row.would_be}`))] : []
  return [...cut, ...data.notes.map((note) => element("div", "sline", note))]
}

export default (component) => lanes(component, ".ul", {
  lanes: ["seed", "expanded"], inset: 0, margin: 0, showsFocus: true, sides, pictures, around, fill, route,
  roots: "seed", stacked, foot,
  span: spanAt, tip: (made) => made.box.tip,
})
