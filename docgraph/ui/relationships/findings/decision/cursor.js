// The cursor goes where it is asked to, the name's field lets it go, and the row of the open finding stays in sight.
// arrival.js stands before this text in the same module.
const instances = new WeakMap()

export default function ({ data, parentElement }) {
  const known = instances.get(parentElement)
  const own = known ?? {}
  Object.assign(own, data)
  if (own.focus && own.focus !== own.focused) {
    own.focused = own.focus
    whenThere(parentElement, `.st-key-${own.focusOn} input`, (field) => field.focus())
  }
  if (own.row !== own.shown) {
    own.shown = own.row
    requestAnimationFrame(() => document.querySelector('.rl-row-open')?.scrollIntoView({ block: 'nearest' }))
  }
  document.body.dataset.finding = own.row
  if (known) return own.stop

  const named = (event) => {
    const at = event.target
    if (event.key !== 'Enter' || !at.value || !at.closest?.(`.st-key-${own.name}`)) return
    setTimeout(() => at.blur(), 0) // what is typed next is meant for the finding
  }
  document.addEventListener('keydown', named, true)
  own.stop = () => {
    document.removeEventListener('keydown', named, true)
    instances.delete(parentElement)
    if (document.body.dataset.finding === own.row) delete document.body.dataset.finding
  }
  instances.set(parentElement, own)
  return own.stop
}
