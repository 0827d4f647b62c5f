// Lanes, heads and cut lists of the plan graph: HTML around the canvas, so that they can be reached by keyboard.
function drawLanes(it) {
  const { data } = it
  const first = data.rows ? 1 : 0
  it.under.replaceChildren(...it.lanes.slice(first).map((span) => place(element("div", "lane"), span, 0, data.height)))
  const heads = data.lanes.slice(first).map((head, i) => {
    const made = place(element("div", `head ${head.role}`), it.lanes[i + first], 0)
    made.append(sign(head.role, 11), element("span", "", head.title), element("span", "note", head.note))
    made.querySelector(".note").title = head.note
    if (data.rows && it.lanes[i + first].w > 380) made.append(element("span", "scale", head.scale))
    return made
  })
  const more = data.groups.filter((group) => group.more).map((group) => {
    const made = place(element("div", "more"), it.boxes[2], group.top + group.height - 24)
    made.append(link(it, group.more, { kind: "all" }, "Show every document of the plan"))
    return made
  })
  const notes = place(element("div", "notes"), { x: it.boxes[0].x + 2, w: Math.max(it.boxes[0].w - 4, 0) }, it.top + it.question.h + 14)
  notes.append(...data.query.notes.map((note) => element("div", "", note)))
  const empty = place(element("div", "notes", data.empty), { x: it.boxes[2].x + 4, w: it.boxes[2].w - 8 }, it.top + 4)
  const below = Math.min(...data.blocks.filter((block) => block.lane === 2).map((block) => block.top - 10), data.height)
  Object.assign(empty.style, { maxHeight: `${below - it.top - 4}px`, overflow: "hidden" }) // whole in the panel beside it
  it.over.replaceChildren(...heads, notes, empty, ...more, ...data.blocks.map((block) => drawBlock(it, block)))
}

function drawBlock(it, block) {
  const made = place(element("div", `block ${block.kind}`), it.boxes[block.lane], block.top - 6)
  const head = element("div", "bhead")
  if (block.kind === "cut") head.append(sign("cut", 12))
  head.append(element("span", "title", block.head))
  if (block.fix_label) head.append(link(it, block.fix_label, { kind: "fix", block: block.key }, "Makes a draft with the next document"))
  if (block.kind === "cut" && block.more && !block.rows.length) head.append(link(it, "names", { kind: "fold", block: block.key }, "Who was cut"))
  made.append(head)
  if (block.kind === "rest") {
    head.append(element("span", "foot", block.note), strip(block.scores), element("span", "tail", block.tail))
    head.append(link(it, "show all", { kind: "all" }, "Show every document of the plan"))
    return made
  }
  made.append(...block.rows.map((row) => cutRow(it, row, block.lane === 1)))
  if ((block.more && block.rows.length) || block.unfolded || block.foot) {
    const foot = element("div", "row")
    if (block.more || block.unfolded) {
      if (block.rows.length) foot.append(link(it, block.more ? `${block.more} more` : "fewer", { kind: "fold", block: block.key }, ""))
    }
    if (block.foot) foot.append(element("span", "foot", block.foot))
    made.append(foot)
  }
  return made
}

// Where the similarities of documents that are only counted stand between 0 and 1.
function strip(scores) {
  const made = drawn("svg", { width: 48, height: 10, viewBox: "0 0 48 10", "aria-hidden": "true" })
  for (const score of scores) {
    const x = 0.5 + 47 * Math.min(Math.max(score, 0), 1)
    made.append(drawn("path", { d: `M${x} 1v8`, stroke: "var(--seed)", "stroke-width": 1, opacity: 0.55 }))
  }
  return made
}

function cutRow(it, row, marks) {
  const made = element("button", "row")
  const own = row.document_id === row.title ? "" : row.document_id
  made.title = own ? `${row.title} (${own})` : row.title
  if (row.lead) made.append(element("span", "lead", row.lead))
  made.append(element("span", "title", row.title), element("span", "own", own), element("span", "tail", row.tail))
  if (marks) made.append(row.back ? sign("expanded", 9, { colour: "var(--expanded)" }) : element("span", "sign"))
  named(made, row.back ? "in the plan as a related document" : "not in the plan: why?")
  made.onclick = (event) => {
    if (event.detail === 2) promote(it, row.document_id)
    else if (row.back) choose(it, `doc:${row.document_id}`)
    else it.trigger("action", { kind: "cut", document_id: row.document_id })
  }
  return made
}

function link(it, text, action, title) {
  const made = element("button", "link", text)
  if (title) made.title = title
  made.onclick = () => it.trigger("action", action)
  return made
}
