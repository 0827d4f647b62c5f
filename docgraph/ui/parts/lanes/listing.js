// The plan as an indented list, where the window is too narrow for lanes: each match, below it what it leads to.
function drawListing(it) {
  const { data } = it, focused = it.root.activeElement?.dataset?.at
  const byId = new Map(data.nodes.map((node) => [node.id, node]))
  const seeds = data.nodes.filter((node) => node.kind === "seed").sort((a, b) => a.y - b.y)
  const led = new Set(data.leads.map((lead) => lead.to))
  const items = seeds.map((seed) => {
    const own = data.leads.filter((lead) => lead.from === seed.id && byId.has(lead.to))
    const item = element("li", "")
    item.append(entryOf(it, seed), ...(own.length ? [listOf(own.map((lead) => leadOf(it, lead, byId.get(lead.to))))] : []))
    return item
  })
  const rest = data.nodes.filter((node) => node.kind === "expanded" && !led.has(node.id))
  const [, first, second] = data.lanes, cut = (lane) => data.blocks.filter((block) => block.lane === lane).map((block) => plain(drawBlock(it, block)))
  const more = data.groups.filter((group) => group.more).map((group) => {
    const line = element("div", "row")
    line.append(element("span", "title", group.label), link(it, group.more, { kind: "all" }, "Show every document of the plan"))
    return line
  })
  const notes = data.query.notes.length ? [element("p", "says", data.query.notes.join("; "))] : []
  it.list.replaceChildren(
    headOf(first), ...notes, listOf(items, "matches"), ...cut(1), headOf(second),
    ...(data.empty ? [element("p", "says", data.empty)] : []),
    ...(rest.length ? [listOf(rest.map((node) => { const item = element("li", ""); item.append(entryOf(it, node)); return item }), "matches")] : []),
    ...more, ...cut(2),
  )
  markListing(it)
  if (focused) stopsOf(it).find((each) => each.dataset.at === focused)?.focus()
}

function headOf({ role, title, note }) {
  const made = element("div", `lhead ${role}`)
  made.append(sign(role, 11), element("span", "", title), element("span", "note", note))
  return made
}

function listOf(items, className = "leads") {
  const made = element("ul", className)
  made.append(...items)
  return made
}

function plain(made) {
  made.removeAttribute("style")
  return made
}

function entryOf(it, node, at = node.id) {
  const gone = node.change === "left", own = documentId(node)
  const made = element("button", `entry ${node.kind}${gone ? " gone" : ""}`)
  const name = element("span", "name", node.label), facts = [own === node.label ? "" : own, node.badge, ...node.meta]
  name.append(element("small", "", facts.filter(Boolean).join(" · ")))
  made.append(gone ? element("span", "minus", "−") : sign(node.kind, 12), name, element("span", "score", node.score))
  Object.assign(made.dataset, { id: node.id, at })
  named(made, gone ? "removed from the plan" : `${node.kind}, place ${node.place}${node.ended ? `, ${node.ended}` : ""}`)
  made.onclick = (event) => pick(it, made, node.id, event)
  return made
}

// The relationship that leads to a document, and the document.
function leadOf(it, lead, node) {
  const item = element("li", lead.change ?? ""), via = element("button", "via"), state = { off: "off", left: "not followed", added: "new" }[lead.change]
  const line = drawn("svg", { width: 24, height: 8, viewBox: "0 0 24 8", "aria-hidden": "true" })
  line.append(drawn("path", { d: "M0 4h18", stroke: "currentColor", "stroke-width": 1.5, "stroke-dasharray": lead.dash.join(" ") }),
    drawn("path", { d: "M18 .5 24 4l-6 3.5z", fill: "currentColor" }))
  via.append(line, element("span", "type", lead.type), ...(state ? [element("small", "", state)] : []))
  Object.assign(via.dataset, { id: lead.id, at: `${lead.id}` })
  named(via, "relationship")
  via.onclick = (event) => pick(it, via, lead.id, event)
  item.append(via, entryOf(it, node, `${lead.id} ${node.id}`))
  return item
}

function pick(it, made, id, event) {
  it.stop = made.dataset.at
  const node = it.nodes.get(id)
  if (event.detail === 2 && node && (node.kind === "expanded" || node.change === "left")) promote(it, documentId(node))
  else choose(it, id, { exactly: true })
}

function stopsOf(it) { return [...it.list.querySelectorAll(".entry, .via")] }

function markListing(it) {
  const all = stopsOf(it)
  const stop = all.find((each) => each.dataset.at === it.stop) ?? all.find((each) => each.dataset.id === it.selected) ?? all[0]
  for (const each of all) {
    const chosen = it.selected != null && each.dataset.id === it.selected
    each.classList.toggle("chosen", chosen)
    each.setAttribute("aria-pressed", String(chosen))
    each.tabIndex = each === stop ? 0 : -1
  }
}

// One stop of the Tab key; arrows move inside.
function onListKey(it, event) {
  if (event.key === "Escape") { choose(it, null); event.preventDefault(); return }
  const next = nextStop(stopsOf(it), event)
  if (!next) return
  event.preventDefault()
  it.stop = next.dataset.at
  markListing(it)
  next.focus()
}
