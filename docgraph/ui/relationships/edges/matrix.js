// A traceability matrix as a grid: one stop of Tab, arrow keys move in it, a click or Enter opens what is behind a cell.
const GRIDS = (globalThis.__docgraphMatrix ??= new WeakMap())
const PAGE = 15

// One element with plain text: ids and titles are hostile.
function made(name, text, attributes = {}) {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

function headed({ columns }) {
  const row = made("tr", "", { role: "row" })
  row.append(made("th", "Document", { scope: "col", class: "id" }), made("th", "Title", { scope: "col", class: "title" }))
  row.append(...columns.map((column) => made("th", column.name, { scope: "col", title: column.sentence })))
  for (const each of row.children) each.setAttribute("role", "columnheader")
  return row
}

function body(row, { columns }) {
  const line = made("tr", "", { role: "row" })
  line.append(made("th", row.id, { role: "rowheader", scope: "row", class: "id", title: row.id }),
    made("td", row.title, { role: "gridcell", class: "title", title: row.title }))
  const holes = new Set(row.holes)
  columns.forEach((column, at) => {
    const text = row.cells[at], cell = made("td", text, { role: "gridcell", title: text || "gap" })
    if (holes.has(at)) cell.classList.add("hole")
    if (!text) cell.append(made("span", "gap", { class: "unseen" }))
    line.append(cell)
  })
  for (const each of line.children) each.tabIndex = -1
  return line
}

// Rows count from 0, columns too: 0 and 1 are the document, its relation types begin at 2.
function at(it, row, column) { return it.table.tBodies[0].rows[row]?.cells[column] }

function focus(it, row, column, act = true) {
  const found = at(it, row, column)
  if (!found) return
  const before = at(it, it.row, it.column)
  if (before) before.tabIndex = -1
  Object.assign(it, { row, column })
  found.tabIndex = 0
  if (act) found.focus()
}

function open(it, row, column) {
  const { id } = it.data.rows[row], chosen = it.data.columns[column - 2]
  it.tell("opened", { document: id, type: chosen?.type ?? "", direction: chosen?.direction ?? "" })
}

function placeOf(it, event) {
  const cell = event.target.closest?.("tbody td, tbody th")
  return cell && it.table.contains(cell) ? [cell.parentElement.sectionRowIndex, cell.cellIndex] : null
}

function onKey(it, event) {
  if (event.altKey || event.metaKey || event.shiftKey) return
  const lastRow = it.data.rows.length - 1, last = it.data.columns.length + 1, { row, column } = it
  const whole = event.ctrlKey
  const to = {
    ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
    PageDown: [Math.min(row + PAGE, lastRow), column], PageUp: [Math.max(row - PAGE, 0), column],
    Home: [whole ? 0 : row, 0], End: [whole ? lastRow : row, last],
  }[event.key]
  if (to) focus(it, ...to)
  else if (event.key === "Enter" || event.key === " ") open(it, row, column)
  else return
  event.preventDefault()
  event.stopPropagation()
}

function draw(it) {
  const inside = it.table.contains(it.host.getRootNode().activeElement)
  it.table.tHead.replaceChildren(headed(it.data))
  it.table.tBodies[0].replaceChildren(...it.data.rows.map((row) => body(row, it.data)))
  const row = Math.min(it.row, it.data.rows.length - 1), column = Math.min(it.column, it.data.columns.length + 1)
  focus(it, row, column, inside)
}

function begin(host) {
  const it = { host, table: host.querySelector("table"), row: 0, column: 2, seen: "" }
  it.table.onkeydown = (event) => onKey(it, event)
  it.table.onclick = (event) => {
    const place = placeOf(it, event)
    if (!place || String(getSelection())) return // a text that is being marked is no click
    focus(it, ...place)
    open(it, ...place)
  }
  return it
}

export default function ({ data, parentElement, setTriggerValue }) {
  const host = parentElement.querySelector(".matrix")
  const it = GRIDS.get(host) ?? begin(host)
  GRIDS.set(host, it)
  it.tell = setTriggerValue
  const text = JSON.stringify(data)
  if (text === it.seen) return
  Object.assign(it, { data, seen: text })
  draw(it)
  host.dataset.ready = "1"
}
