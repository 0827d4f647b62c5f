// Each key presses its button, one after the other: what is typed ahead waits until the last press is drawn, so that a
// letter always meets what its reader will see. Streamlit's own shortcuts would lose a key that comes while buttons are
// being replaced, and merge two presses of one key.
const instances = new WeakMap()
let listening = null // the instance that was drawn last
const TYPING = 'input, textarea, select, [role=option], [role=dialog], [contenteditable=true]'
const PRESSED = 'button, a, summary, [role=button]'
const MOST = 12 // keys that wait; further ones are swallowed
const POLL = 20, STARTS = 10000, GRACE = 1500, PATIENCE = 20000 // milliseconds

const app = () => document.querySelector('[data-testid="stApp"]')
const busy = () => !['notRunning', undefined].includes(app()?.dataset.testScriptState)
const named = (event) => (event.key.length === 1 ? event.key.toLowerCase() : event.key)

export default function ({ data, parentElement }) {
  const known = instances.get(parentElement)
  const own = known ?? { waiting: [], last: null, touched: 0, tabbed: false }
  own.keys = data.keys
  own.fields = data.fields
  listening = own
  document.body.dataset.keys = Object.keys(own.keys).join('|') // what is listened to, once it is
  if (known) return own.stop

  const button = (key) => document.querySelector(`.st-key-${own.keys[key]} button:enabled`)
  const drawn = () => {
    if (own.last && !busy() && Date.now() - own.last.at > STARTS) own.last = null
    return !own.last
  }
  // A button that is missing may be on its way: while something is drawn, or just after a click or a typed word.
  const mayCome = (at) => busy() || at - own.touched < GRACE
  const pump = () => {
    clearTimeout(own.timer)
    while (own.waiting.length) {
      const [next] = own.waiting, now = Date.now()
      if (now - next.at > PATIENCE) { own.waiting.shift(); continue }
      if (!drawn()) break
      const found = button(next.key)
      if (!found && mayCome(now) && !own.stopped) break
      own.waiting.shift()
      if (!found) continue
      own.last = { at: now, began: false }
      found.click()
    }
    if (own.waiting.length && !own.stopped) own.timer = setTimeout(pump, POLL)
  }
  const field = (at) => own.fields.find((name) => at.closest?.(`.st-key-${name}`))

  const pressed = (event) => {
    if (event.key === 'Tab') own.tabbed = true
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const key = named(event), at = event.target
    const inField = key === 'Enter' && Boolean(field(at))
    const typing = Boolean(at.closest?.(TYPING))
    if (typing && key === 'Enter') own.touched = Date.now() // a typed word is handed over: what it enables is awaited
    if (!(key in own.keys)) return
    if (typing && !inField && (key !== 'Escape' || at.closest('[role=dialog]') || at.ariaExpanded === 'true')) return
    if (own.tabbed && (key === 'Enter' || key === ' ') && at.closest?.(PRESSED)) return
    const now = Date.now()
    if (!own.waiting.length && drawn() && !button(key) && !mayCome(now)) return // nobody's: left to the browser
    event.preventDefault()
    event.stopImmediatePropagation()
    if ((event.repeat && own.waiting.length) || own.waiting.length >= MOST) return
    if (inField) at.blur() // hands the text over first
    own.waiting.push({ key, at: now })
    inField ? setTimeout(pump, 0) : pump()
  }
  const touched = () => {
    own.tabbed = false
    own.touched = Date.now()
  }
  const watch = new MutationObserver(() => {
    if (own.last && busy()) own.last.began = true
    else if (own.last?.began) own.last = null
    if (own.waiting.length) pump()
  })
  watch.observe(document.body, { attributes: true, subtree: true, attributeFilter: ['data-test-script-state'] })
  window.addEventListener('pointerdown', touched, true)
  window.addEventListener('keydown', pressed, true)
  own.stop = () => {
    own.stopped = true
    clearTimeout(own.timer)
    watch.disconnect()
    window.removeEventListener('pointerdown', touched, true)
    window.removeEventListener('keydown', pressed, true)
    instances.delete(parentElement)
    if (listening === own) delete document.body.dataset.keys
  }
  instances.set(parentElement, own)
  return own.stop
}
