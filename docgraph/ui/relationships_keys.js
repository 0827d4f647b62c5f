// Enter saves except on a link; the cursor goes where it is asked to; the open row stays in sight.
const maps = new WeakMap()
const TYPING = 'input, textarea, select, [role=option], [role=dialog], [contenteditable=true]'
const PRESSED = 'button, a, summary, [role=button]'
export default function ({ data, parentElement }) {
  const known = maps.get(parentElement)
  const own = known ?? {}
  Object.assign(own, data)
  const save = () => document.querySelector(`.st-key-${own.save} button:enabled`)
  if (own.focus && own.focus !== own.focused) {
    own.focused = own.focus
    const place = `.st-key-${own.focusOn} input`
    requestAnimationFrame(() => setTimeout(() => document.querySelector(place)?.focus(), 30))
  }
  const open = document.querySelector('.rl-row-open')
  if (open && own.row !== own.shown) {
    own.shown = own.row
    open.scrollIntoView({ block: 'nearest' })
  }
  document.body.dataset.rlKeys = own.row
  if (known) return own.stop
  let tabbed = false // how the focus came to where it is: by keyboard, or by a click that is over
  const moved = () => { tabbed = false }
  const press = (event) => {
    if (event.key === 'Tab') tabbed = true
    const at = event.target
    if (event.key !== 'Enter' || event.isComposing) return
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const inReason = Boolean(at.closest?.(`.st-key-${own.reason}`))
    if (!inReason && (at.closest?.(TYPING) || (tabbed && at.closest?.(PRESSED)))) return
    const button = save()
    if (!button) return
    event.preventDefault()
    if (inReason) { at.blur(); setTimeout(() => save()?.click(), 0) } else button.click()
  }
  document.addEventListener('pointerdown', moved, true)
  document.addEventListener('keydown', press, true)
  own.stop = () => {
    document.removeEventListener('pointerdown', moved, true)
    document.removeEventListener('keydown', press, true)
    maps.delete(parentElement)
    delete document.body.dataset.rlKeys
  }
  maps.set(parentElement, own)
  return own.stop
}
