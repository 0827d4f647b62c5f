// Documents in lanes as an indented list, where the panel is too narrow for lanes side by side: what stands in the lane
// of a mode's `roots`, below each what a line joins it with. drawing.js, selection.js and lanes.js stand before this text.
function drawStack(it, side, picture) {
  const { mode } = it, roots = picture.boxes.filter((box) => box.lane === mode.roots), rest = new Set(picture.boxes.filter((box) => box.lane !== mode.roots))
  const byKey = new Map(picture.boxes.map((box) => [box.key, box]))
  const items = roots.map((root, i) => {
    const below = new Map() // a document that several lines lead to stands there once
    for (const line of picture.lines.filter((each) => each.keys.includes(root.key))) {
      const others = line.keys.filter((key) => key !== root.key)
      for (const key of others.length ? others : [root.key]) {
        const box = byKey.get(key)
        if (!box || (box.lane === mode.roots && roots.indexOf(box) < i)) continue // between two roots: below the first
        rest.delete(box)
        below.set(box, [...below.get(box) ?? [], line])
      }
    }
    const item = element("li", "")
    item.append(stackedBox(it, root), ...(below.size ? [stackOf([...below].map(([box, lines]) => stackedLines(it, lines, box)), "leads")] : []))
    return item
  })
  const others = [...rest].map((box) => { const item = element("li", ""); item.append(stackedBox(it, box)); return item })
  const [first, second] = mode.stacked(it, picture)
  side.stack.replaceChildren(...first, stackOf(items), ...second, ...(others.length ? [stackOf(others)] : []), ...mode.foot?.(it, picture) ?? [])
}

function stackOf(items, className = "") {
  const made = element("ul", className)
  made.append(...items)
  return made
}

function stackedBox(it, box) {
  const made = element("button", `box ${box.lane} ${box.look}`)
  made.append(...it.mode.fill(box))
  if (box.more == null) made.setAttribute("aria-label", box.spoken)
  else named(made, box.more)
  made.dataset.id = box.id
  return Object.assign(made, { chooses: box.id, isChosen: () => it.selected === box.id })
}

// The relationships that join two documents, and the other document.
function stackedLines(it, lines, box) {
  const item = element("li", "")
  for (const line of lines) {
    const chosen = line.ids.length > 0 // only what can be told apart can be chosen
    const via = element(chosen ? "button" : "span", `via ${line.look}`), out = line.ends[line.ends.length - 1] === box.id
    via.append(element("span", "way", out ? "→" : "←"), element("span", "", line.label))
    if (chosen) {
      named(via, line.spoken)
      Object.assign(via, { chooses: line.chooses, isChosen: () => line.ids.includes(it.selected) })
    }
    item.append(via)
  }
  item.append(stackedBox(it, box))
  return item
}

function stackStops(it) { return it.sides.flatMap((side) => [...side.stack.querySelectorAll("button")]) }

function markStack(it) {
  const all = stackStops(it), stop = all.find((each) => each === it.stop) ?? all.find((each) => each.isChosen()) ?? all[0]
  for (const each of all) {
    each.classList.toggle("chosen", each.isChosen())
    each.setAttribute("aria-pressed", String(each.isChosen()))
    each.tabIndex = each === stop ? 0 : -1
  }
}

function onStackClick(it, event) {
  const made = event.target.closest?.("button")
  if (!made) return
  it.stop = made
  choose(it, made.chooses)
  markStack(it)
}

// One stop of the Tab key; arrows move inside.
function onStackKey(it, event) {
  if (event.key === "Escape") { choose(it, null); event.preventDefault(); return }
  const next = nextStop(stackStops(it), event)
  if (!next) return
  event.preventDefault()
  it.stop = next
  markStack(it)
  next.focus()
}
