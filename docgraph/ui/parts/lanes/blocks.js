// Lanes, heads and cut lists of the plan graph: HTML around the canvas, so that they can be reached by keyboard.
function drawLanes(it) {
  const { data } = it
  it.under.replaceChildren(...it.lanes.map((span) => place(element("div", "lane"), span, 0, data.height)))
  const heads = data.lanes.map((head, i) => {
    const made = place(element("div", `head ${head.role}`), it.lanes[i], 0)
    made.append(sign(head.role, 11), element("span", "", head.title), element("span", "note", head.note))
    return made
  })
  const notes = place(element("div", "notes"), { x: it.boxes[0].x + 2, w: it.boxes[0].w - 4 }, it.top + it.question.h + 14)
  notes.append(...data.query.notes.map((note) => element("div", "", note)))
  const empty = place(element("div", "notes", data.empty), { x: it.boxes[2].x + 4, w: it.boxes[2].w - 8 }, it.top + 4)
  it.over.replaceChildren(...heads, notes, empty, ...data.blocks.map((block) => drawBlock(it, block)))
}

function drawBlock(it, block) {
  const made = place(element("div", `block ${block.kind}`), it.boxes[block.lane], block.top - 6)
  const head = element("div", "bhead")
  if (block.kind === "cut") head.append(sign("cut", 12))
  head.append(element("span", "title", block.head))
  if (block.fix_label) head.append(link(it, block.fix_label, { kind: "fix", block: block.key }, "What if: let the next one in"))
  made.append(head)
  if (block.kind === "rest") {
    const row = element("div", "row")
    row.append(link(it, "show all", { kind: "all" }, ""))
    made.append(row)
    return made
  }
  made.append(...block.rows.map((row) => drawRow(it, row, block.lane === 1)))
  if (block.more || block.unfolded || block.foot) {
    const foot = element("div", "row")
    if (block.more || block.unfolded) {
      foot.append(link(it, block.more ? `${block.more} more` : "fewer", { kind: "fold", block: block.key }, ""))
    }
    if (block.foot) foot.append(element("span", "foot", block.foot))
    made.append(foot)
  }
  return made
}

function drawRow(it, row, marks) {
  const made = element("button", "row")
  made.title = row.title
  made.setAttribute("aria-label", `${row.title}, ${row.back ? "in the plan over an edge" : "not in the plan: why?"}`)
  if (row.lead) made.append(element("span", "lead", row.lead))
  made.append(element("span", "title", row.title), element("span", "tail", row.tail))
  if (marks) made.append(row.back ? sign("expanded", 9, { colour: "var(--expanded)" }) : element("span", "sign"))
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
