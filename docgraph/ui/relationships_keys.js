// Enter saves except on a link; the cursor goes where it is asked to; the open row stays in sight; a letter that is
// pressed while editing is being switched on waits for its button.
const maps = new WeakMap()
const TYPING = 'input, textarea, select, [role=option], [role=dialog], [contenteditable=true]'
const PRESSED = 'button, a, summary, [role=button]'
const ACTS = { a: 'accept', t: 'retype', f: 'flip', p: 'fix', x: 'remove', i: 'ignore' }
const NAME = '.st-key-docgraph-relationships-name'
const SWITCH = '.st-key-docgraph-relationships-editing-go button'
const SLOW = 4000

export default function ({ data, parentElement }) {
  const known = maps.get(parentElement)
  const own = known ?? {}
  Object.assign(own, data)
  const button = () => document.querySelector(`.${own.save} button:enabled`)
  const save = (until) => {
    const found = button()
    if (found) found.click()
    else if (Date.now() < until) setTimeout(() => save(until), 20)
  }
  const act = (letter, until) => {
    const found = document.querySelector(`.st-key-docgraph-act-${ACTS[letter]} button:enabled`)
    if (found) found.click()
    else if (Date.now() < until) setTimeout(() => act(letter, until), 20)
  }
  if (own.editing && own.early) {
    act(own.early, Date.now() + 600)
    own.early = ''
  }
  if (own.focus && own.focus !== own.focused) {
    own.focused = own.focus
    const place = `.${own.focusOn} input`
    requestAnimationFrame(() => setTimeout(() => document.querySelector(place)?.focus(), 30))
  }
  if (own.row !== own.shown) {
    own.shown = own.row
    requestAnimationFrame(() => document.querySelector('.rl-row-open')?.scrollIntoView({ block: 'nearest' }))
  }
  document.body.dataset.rlKeys = own.row
  document.body.dataset.rlDraft = own.drafted
  own.pending = 0 // the letter that was pressed is drawn now
  if (own.queued) {
    own.queued = false
    if (own.drafted) save(Date.now() + 600)
  }
  if (known) return own.stop

  let tabbed = false // how the focus came to where it is: by keyboard, or by a click that is over
  const moved = (event) => {
    tabbed = false
    if (event.target.closest?.(SWITCH)) own.switching = Date.now()
  }
  const press = (event) => {
    if (event.key === 'Tab') tabbed = true
    const at = event.target
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const letter = event.key.toLowerCase()
    if (event.key === 'Enter' && at.value && at.closest?.(NAME)) {
      own.switching = Date.now()
      setTimeout(() => at.blur(), 0) // what is typed next is meant for the finding
    }
    if (!own.editing && ACTS[letter] && !at.closest?.(TYPING) && Date.now() - own.switching < SLOW) own.early = letter
    if (event.key.length === 1 && !at.closest?.(TYPING) && own.editing && ACTS[letter]) {
      own.pending = Date.now()
    }
    if (event.key !== 'Enter') return
    const inReason = Boolean(at.closest?.(`.${own.reason}`))
    if (!inReason && (at.closest?.(TYPING) || (tabbed && at.closest?.(PRESSED)))) return
    if (own.pending && Date.now() - own.pending < SLOW) {
      own.queued = true // quicker than the drawing: saved as soon as the draft stands there
      event.preventDefault()
      return
    }
    if (!button()) return
    event.preventDefault()
    if (!inReason) return button().click()
    at.blur() // hands the text over first
    setTimeout(() => save(Date.now() + 600), 0)
  }
  document.addEventListener('pointerdown', moved, true)
  document.addEventListener('keydown', press, true)
  own.stop = () => {
    document.removeEventListener('pointerdown', moved, true)
    document.removeEventListener('keydown', press, true)
    maps.delete(parentElement)
    delete document.body.dataset.rlKeys
    delete document.body.dataset.rlDraft
  }
  maps.set(parentElement, own)
  return own.stop
}
