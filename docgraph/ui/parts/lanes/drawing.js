// What every picture of lanes is made of: elements, signs, texts that fit, and the places of the lanes.
// It stands first in the module of a component.
const SVG = "http://www.w3.org/2000/svg"
const SIGNS = {
  query: '<path d="M6 .8 11.2 6 6 11.2.8 6Z" fill="currentColor"/>',
  seed: '<circle cx="6" cy="6" r="4.4" fill="currentColor"/>',
  expanded: '<path d="M6 1.2v9.6M1.2 6h9.6" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
  cut: '<g stroke="var(--cut)" stroke-width="1.3" fill="none" stroke-linecap="round"><circle cx="2.6" cy="3" r="1.7"/>' +
    '<circle cx="2.6" cy="9" r="1.7"/><path d="M4.1 4 11 9.2M4.1 8 11 2.8"/></g>',
}

function element(tag, className, text = "") {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  if (tag === "button") made.type = "button"
  return made
}

// The name of a button: what stands on it, word for word, and `more` behind that. So it is pressed by who says what it shows.
function named(made, more) {
  for (const each of made.querySelectorAll("*")) if (each.nextElementSibling && !(each instanceof SVGElement)) each.after(" ")
  made.setAttribute("aria-label", [made.textContent.replace(/\s+/g, " ").trim(), more].filter(Boolean).join(", "))
}

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  if (text) made.textContent = text
  return made
}

function sign(name, size, { colour = "", className = "sign" } = {}) {
  const made = element("span", className)
  Object.assign(made.style, { width: `${size}px`, height: `${size}px`, color: colour })
  made.innerHTML = `<svg width="${size}" height="${size}" viewBox="0 0 12 12" fill="none" aria-hidden="true">${SIGNS[name]}</svg>` // constants, no data
  return made
}

function place(made, { x, w }, top, height) {
  Object.assign(made.style, { left: `${x}px`, width: `${w}px`, top: `${top}px` })
  if (height != null) made.style.height = `${height}px`
  return made
}

// Left edge and width of a lane, not rounded: `stops` say them for some widths, between two stops they move in proportion.
function laneAt(stops, lane, width) {
  const inner = Math.min(Math.max(width, stops[0][0]), stops[stops.length - 1][0])
  const i = stops.findIndex(([high], at) => at > 0 && inner <= high)
  const [low, left] = stops[i - 1], [high, right] = stops[i], share = (inner - low) / (high - low)
  return [0, 1].map((k) => left[lane][k] + (right[lane][k] - left[lane][k]) * share)
}

function spanAt(stops, lane, width) {
  const [x, w] = laneAt(stops, lane, width).map(Math.round)
  return { x, w }
}

// A picture that is drawn smaller than it is has a `least` size of its texts.
function font(it, size, weight) { return `${weight} ${Math.max(size, it.least ?? 0)}px ${it.font}` }

// A context that measures as a text of this size and weight is drawn.
function measured(it, size, weight) {
  const ctx = (it.measure ??= document.createElement("canvas").getContext("2d"))
  ctx.font = font(it, size, weight)
  return ctx
}

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

// Where an arrow leads from the stop that has the focus, in a list that is one stop of the Tab key.
function nextStop(all, event) {
  const at = all.indexOf(event.target)
  return at < 0 ? null : { ArrowDown: all[at + 1], ArrowUp: all[at - 1], Home: all[0], End: all[all.length - 1] }[event.key]
}

// Whoever a line joins with `id`, and the lines themselves; a line's `ends` are the ids of its documents.
function joined(lines, id) {
  const near = new Set([id])
  for (const line of lines) if (line.id === id || line.ends.includes(id)) for (const one of [line.id, ...line.ends]) near.add(one)
  return near
}
