// The cursor goes where an act of a person asks for it, once for each act: a pane that is drawn anew never takes it.
// Besides, the name's field lets it go, and the row of the open finding stays in sight.
// arrival.js stands before this text in the same module. What was obeyed is kept by the page, not by what is drawn.
const instances = new WeakMap()
const obeyed = new Set() // requests
const HERE = '.st-key-rl-pane, [role=option], [role=listbox]'
const LEAVING = ['Tab', 'Enter', 'Escape', ' ']
const TYPED = 'input, textarea, select, [contenteditable=true]'
let current = null // what was drawn last
let acts = 0, elsewhere = false // how many acts the page saw, and whether the last one was outside of the pane
let entered = null // the field that an act has opened before anything was drawn, and which act it was

const input = (field) => `.st-key-${field} input`

function acted(event) {
  const at = event.target
  if (event.type === 'keydown' && !LEAVING.includes(event.key)) return
  if (event.key === ' ' && at.closest?.(TYPED)) return
  acts += 1
  elsewhere = Boolean(at.closest) && at !== document.body && !at.closest(HERE)
}

// The button that opens a field is pressed: the field is on the page already, and what is typed next goes there.
function opened(event) {
  for (const [button, field] of Object.entries(current?.opens ?? {})) {
    if (!event.target.closest?.(`.st-key-${button} button:enabled`)) continue
    const at = document.querySelector(`[class*="st-key-${field}"]:not([data-retained]) input`) // whatever decision is drawn
    at?.focus()
    entered = at && { at, act: acts }
  }
}

// A name or a type is handed over: what is typed next is meant for the finding.
function named(event) {
  const at = event.target
  if (event.key !== 'Enter' || !at.value || !current || !at.closest?.(`.st-key-${current.name}`)) return
  setTimeout(() => at.blur(), 0)
}

function obey({ focus, focusOn, early }, parentElement) {
  if (!focus || obeyed.has(focus)) return
  obeyed.add(focus)
  const act = acts, before = early && entered?.at.closest(`.st-key-${focusOn}`)
  if (elsewhere || (before && entered.act !== act)) return // the person has gone on
  whenThere(parentElement, input(focusOn), (field) => act === acts && field.focus())
}

window.addEventListener('pointerdown', acted, true)
window.addEventListener('keydown', acted, true)
window.addEventListener('docgraph-key', acted)
document.addEventListener('keydown', named, true)
document.addEventListener('click', opened, true)

export default function ({ data, parentElement }) {
  const own = instances.get(parentElement) ?? {}
  instances.set(parentElement, own)
  current = Object.assign(own, data)
  obey(data, parentElement)
  if (data.row !== own.shown) {
    own.shown = data.row
    requestAnimationFrame(() => document.querySelector('.rl-row-open')?.scrollIntoView({ block: 'nearest' }))
  }
  own.stop ??= () => {
    instances.delete(parentElement)
    if (current === own) current = null
  }
  return own.stop
}
