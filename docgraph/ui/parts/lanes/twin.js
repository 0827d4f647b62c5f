// Both plans of a comparison: boxes are buttons over one SVG of lines; rows come from Python, widths from the panel.
// mounting.js and selection.js stand before this text in the same module.
const SVG = "http://www.w3.org/2000/svg"
const ARROW = 7, TIP = 3
const SIGNS = {
  query: '<path d="M6 .3 11.7 6 6 11.7.3 6Z" fill="currentColor"/>',
  seed: '<circle cx="6" cy="6" r="4.5" fill="currentColor"/>',
  added: '<path d="M6 1v10M1 6h10" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>',
  left: '<path d="M1 6h10" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/>',
  kept: '<path d="M1 3.8h10M1 8.2h10" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>',
  cut: '<g stroke="currentColor" stroke-width="1.3" fill="none" stroke-linecap="round"><circle cx="2.6" cy="3" r="1.7"/>' +
    '<circle cx="2.6" cy="9" r="1.7"/><path d="M4.1 4 11 9.2M4.1 8 11 2.8"/></g>',
}

function element(tag, className, text = "") {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function sign(name, className = "sign") {
  const made = element("span", className)
  made.innerHTML = `<svg viewBox="0 0 12 12" fill="none" aria-hidden="true">${SIGNS[name]}</svg>` // constants, no data
  return made
}

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text) made.textContent = text
  return made
}

function lanesAt(stops, width) {
  const inner = Math.min(Math.max(width, stops[0][0]), stops[stops.length - 1][0])
  for (let i = 1; i < stops.length; i++) {
    const [low, left] = stops[i - 1], [high, right] = stops[i]
    if (inner > high) continue
    const share = (inner - low) / (high - low)
    return [0, 1].map((lane) => {
      const [from, wide] = [0, 1].map((k) => left[lane][k] + (right[lane][k] - left[lane][k]) * share)
      return { x: Math.round(from), w: Math.round(from + wide) - Math.round(from) }
    })
  }
}

// ------------------------------------------------------------------ drawing

function draw(it) {
  const { data } = it
  it.font = getComputedStyle(it.host).fontFamily
  it.width = Math.max(Math.floor(it.host.clientWidth) - 4, data.stops[0][0])
  it.lanes = lanesAt(data.stops, it.width)
  const layout = [...data.layouts].reverse().find((one) => one.width <= it.width) ?? data.layouts[0]
  const both = (named, placed) => named.map((one, i) => ({ ...one, ...placed[i] }))
  it.pictures = data.sides.map((side, i) => {
    const places = layout.sides[i]
    return { ...side, ...places, boxes: both(side.boxes, places.boxes), lines: both(side.lines, places.lines) }
  })
  const known = new Set(it.pictures.flatMap((side) => side.boxes.map((box) => box.id)))
  if (it.hover != null && !known.has(it.hover)) { it.hover = null; it.tip.hidden = true } // its box went without a word
  it.pictures.forEach((side, i) => drawSide(it, side, i))
  const first = it.pictures.map((side) => side.boxes[0]?.key)
  it.sides.forEach((own, i) => { if (!own.boxes.has(own.stop)) own.stop = first[i] })
  mark(it)
  it.drawn = true
  it.host.dataset.ready = "1"
}

function drawSide(it, side, i) {
  const own = it.sides[i]
  own.root.setAttribute("aria-label", `${side.head}. ${side.spoken}`)
  own.head.replaceChildren(element("b", "", side.letter), element("span", "label", side.label),
    element("span", "stay", i === 1 ? it.data.note : ""), element("span", "figures", side.figures))
  own.head.querySelector(".label").title = side.label
  own.head.style.height = `${it.data.head}px`
  own.canvas.style.width = `${it.width}px`
  own.canvas.style.height = `${side.height}px`
  own.mark.style.left = "0px"
  own.mark.style.top = `${side.query_y - 7}px`
  drawBoxes(it, own, side)
  drawLines(it, own, side)
  drawNotes(it, own, side)
}

function drawBoxes(it, own, side) {
  const wanted = new Set(side.boxes.map((box) => box.key))
  for (const [key, made] of own.boxes) if (!wanted.has(key)) { made.remove(); own.boxes.delete(key) }
  let before = null
  for (const box of side.boxes) {
    const fresh = !own.boxes.has(box.key)
    const made = fresh ? element("button", "") : own.boxes.get(box.key)
    if (fresh) {
      made.type = "button"
      own.boxes.set(box.key, made)
    }
    fill(it, made, box, fresh)
    // A button is moved only when it stands wrong: moving would take the focus away.
    const next = before ? before.nextSibling : own.mark.nextSibling
    if (next !== made) own.canvas.insertBefore(made, next)
    before = made
  }
}

function fill(it, made, box, fresh) {
  const { x, w } = it.lanes[box.lane === "seed" ? 0 : 1]
  const born = fresh && (it.drawn || box.look === "added")
  made.className = `box ${box.lane} ${box.look}${born ? " born" : ""}`
  Object.assign(made.style, { left: `${x}px`, width: `${w}px`, top: `${box.y}px`, height: `${box.h}px` })
  Object.assign(made.dataset, { id: box.id, key: box.key, look: box.look })
  made.box = box
  made.setAttribute("aria-label", spoken(box))
  const empty = box.look === "future" || box.look === "ghost"
  const parts = []
  if (!empty) {
    const title = element("span", box.rows > 1 ? "title" : "title one", box.title)
    title.style.webkitLineClamp = box.rows
    parts.push(sign(box.look === "added" || box.look === "left" ? box.look : box.lane === "seed" ? "seed" : "kept"), title)
  }
  if (box.note) parts.push(element("span", "note", box.note))
  made.replaceChildren(...parts)
}

function spoken(box) {
  const looks = { added: "added", left: "left", kept: "kept", future: "", moved: "", ghost: "" }
  return [...box.tip.split("\n").slice(0, 1), box.lane, looks[box.look], ...box.tip.split("\n").slice(1)].filter(Boolean).join(", ")
}

function drawLines(it, own, side) {
  const [seeds, expanded] = it.lanes, start = seeds.x + seeds.w, tip = expanded.x - TIP
  const [share, least] = it.data.label_share
  const left = start + Math.max((expanded.x - start) * share, least), right = expanded.x - ARROW - TIP - 4
  const middle = (left + right) / 2, room = right - left - 2 * it.data.label_pad
  const asks = side.boxes.filter((box) => box.lane === "seed" && box.here).map((box) => {
    const end = box.y + box.h / 2, y = side.query_y
    const made = drawn("path", { class: "ask", d: `M12 ${y}C20 ${y} 18 ${end} ${seeds.x} ${end}` })
    made.dataset.ids = JSON.stringify([box.id])
    return made
  })
  // The browser's own dots and dashes differ in length: frames of what is not here are drawn like the lines.
  const frames = side.boxes.filter((box) => ["future", "ghost", "left"].includes(box.look)).map((box) => {
    const { x, w } = it.lanes[box.lane === "seed" ? 0 : 1]
    const made = drawn("rect", { class: `frame ${box.look}`, x: x + 0.5, y: box.y + 0.5, width: w - 1, height: box.h - 1, rx: 6 })
    made.dataset.ids = JSON.stringify([box.id])
    return made
  })
  own.svg.setAttribute("width", it.width)
  own.svg.setAttribute("height", side.height)
  const links = side.lines.map((line) => {
    const label = textWidth(it, line.label) <= room ? line.label : ellipsis(it, line.short, room)
    const half = textWidth(it, label) / 2 + it.data.label_pad, y = line.to_y, bend = (start + left) / 2
    const curves = line.from_ys.map((y0) => `M${start} ${y0}C${bend} ${y0} ${bend} ${y} ${left} ${y}`).join("")
    const path = `${curves}H${middle - half}M${middle + half} ${y}H${tip - ARROW}`
    const made = drawn("g", { class: `link ${line.look}` })
    made.append(drawn("path", { class: "stroke", d: path, "stroke-dasharray": line.dash.join(" ") }),
      drawn("path", { class: "arrow", d: `M${tip} ${y}l${-ARROW} -3.6v7.2z` }),
      drawn("text", { x: middle, y: y + 4 }, label), drawn("path", { class: "hit", d: `${curves}H${tip}` }))
    made.dataset.ids = JSON.stringify([...line.sources, line.target])
    made.line = line
    if (it.drawn && !own.keys.has(line.key)) made.classList.add("born")
    return made
  })
  own.keys = new Set(side.lines.map((line) => line.key))
  own.svg.replaceChildren(...frames, ...asks, ...links)
}

function drawNotes(it, own, side) {
  const notes = side.notes.map((note) => {
    const made = element("div", "foot", note.lines.join(" "))
    Object.assign(made.style, { left: `${note.x}px`, top: `${note.y}px`, width: `${it.width - note.x}px` })
    made.title = note.tip
    if (note.cut) made.append(sign("cut"))
    return made
  })
  const empty = element("div", "empty", side.empty)
  empty.style.left = `${it.lanes[0].x + it.lanes[0].w + 24}px`
  own.notes.replaceChildren(...notes, empty)
}

function textWidth(it, text) {
  const ctx = (it.ctx ??= document.createElement("canvas").getContext("2d"))
  ctx.font = `600 12px ${it.font}`
  return ctx.measureText(text).width
}

function ellipsis(it, text, room) {
  let cut = text
  while (cut && textWidth(it, `${cut}…`) > room) cut = cut.slice(0, -1).trimEnd()
  return cut === text && textWidth(it, text) <= room ? text : `${cut}…`
}

// ------------------------------------------------------------------ what is near, what is chosen

function mark(it) {
  const near = it.hover == null ? null : neighbours(it, it.hover)
  it.host.classList.toggle("dim", near != null)
  for (const own of it.sides) {
    for (const [key, made] of own.boxes) {
      const chosen = made.box.id === it.selected
      made.classList.toggle("chosen", chosen)
      made.classList.toggle("near", near != null && near.has(made.box.id))
      made.setAttribute("aria-pressed", String(chosen))
      made.tabIndex = key === own.stop ? 0 : -1
    }
    for (const made of own.svg.children) {
      const ids = JSON.parse(made.dataset.ids)
      const link = made.line != null
      made.classList.toggle("near", near != null && (link ? ids.includes(it.hover) : near.has(ids[0])))
      made.classList.toggle("strong", link && it.selected != null && ids.includes(it.selected))
    }
  }
}

function neighbours(it, id) {
  const near = new Set([id])
  for (const side of it.pictures) {
    for (const line of side.lines) {
      if (line.target === id || line.sources.includes(id)) for (const other of [...line.sources, line.target]) near.add(other)
    }
  }
  return near
}

function hover(it, id, tip, at) {
  if (it.hover !== id) { it.hover = id; mark(it) }
  it.tip.hidden = !tip
  if (!tip) return
  it.tip.textContent = tip
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
  const box = id == null ? null : it.pictures.flatMap((side) => side.boxes).find((one) => one.id === id)
  it.live.textContent = box ? `Selected: ${box.title}` : "Nothing selected"
  tellSelection(it)
}

// ------------------------------------------------------------------ hands and keys

function onKey(it, own, event) {
  const made = event.target.closest?.(".box")
  if (event.key === "Escape") { choose(it, null); hover(it, null, ""); event.preventDefault(); return }
  if (!made || !event.key.startsWith("Arrow")) return
  event.preventDefault()
  const all = [...own.boxes.values()]
  const lane = all.filter((one) => one.box.lane === made.box.lane), at = lane.indexOf(made)
  const others = all.filter((one) => one.box.lane !== made.box.lane)
  let next
  if (event.key === "ArrowDown") next = lane[at + 1]
  else if (event.key === "ArrowUp") next = lane[at - 1]
  else if ((event.key === "ArrowRight") === (made.box.lane === "seed")) next = linked(it, own, made, others)
  if (!next) return
  own.stop = next.box.key
  mark(it)
  next.focus()
}

// Across the lanes: along a line when there is one, else to the box that stands nearest.
function linked(it, own, made, others) {
  const line = [...own.svg.children].map((one) => one.line).find((one) =>
    one && (made.box.lane === "seed" ? one.sources.includes(made.box.id) : one.target === made.box.id))
  const id = line && (made.box.lane === "seed" ? line.target : line.sources[0])
  return others.find((one) => one.box.id === id) ??
    others.sort((a, b) => Math.abs(a.box.y - made.box.y) - Math.abs(b.box.y - made.box.y))[0]
}

function build(it) {
  it.sides = ["a", "b"].map((name) => {
    const root = element("section", "side"), head = element("div", "head"), canvas = element("div", "canvas")
    root.dataset.side = name
    root.setAttribute("role", "group")
    const svg = drawn("svg", { "aria-hidden": "true" }), mark = sign("query", "mark"), notes = element("div", "")
    canvas.append(svg, mark, notes)
    root.append(head, canvas)
    const own = { root, head, canvas, svg, mark, notes, boxes: new Map(), keys: new Set(), stop: null }
    const what = (event) => event.target.closest?.(".box") ?? event.target.closest?.(".link")
    canvas.onclick = (event) => {
      const made = what(event)
      if (made?.box) { own.stop = made.box.key; choose(it, made.box.id) } else choose(it, made?.line?.target ?? null)
    }
    canvas.onpointerover = (event) => {
      const made = what(event)
      if (made?.box) hover(it, made.box.id, made.box.tip, made.getBoundingClientRect())
      else if (made?.line) hover(it, made.line.target, made.line.spoken, made.querySelector("text").getBoundingClientRect())
      else hover(it, null, "")
    }
    canvas.onpointerleave = () => hover(it, null, "")
    canvas.onfocusin = (event) => {
      const made = what(event)
      if (made?.box && made.matches(":focus-visible")) hover(it, made.box.id, made.box.tip, made.getBoundingClientRect())
    }
    canvas.onfocusout = () => hover(it, null, "")
    root.onkeydown = (event) => onKey(it, own, event)
    return own
  })
  it.host.querySelector(".sides").replaceChildren(...it.sides.map((own) => own.root))
  followWidth(it, draw)
}

export default function (component) {
  const it = mounted(component, ".tl", () => ({ sides: null }))
  takeSelection(it, it.data.selected ?? null)
  if (!it.sides) build(it)
  draw(it)
  return () => unmount(it)
}
