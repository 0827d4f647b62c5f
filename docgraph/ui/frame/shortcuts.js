// Each key presses its button, one after the other: what is typed ahead waits until the last press is drawn, so that a
// letter always meets what its reader will see. Streamlit's own shortcuts would lose a key that comes while buttons are
// being replaced, and merge two presses of one key. What waits is kept by the page and not by what is drawn: while this
// is drawn anew, keys are held until it is there again.
const instances = new WeakMap()
const TYPING = 'input, textarea, select, [role=option], [role=dialog], [contenteditable=true]'
const PRESSED = 'button, a, summary, [role=button]'
const MOST = 12, MOST_TEXT = 2000 // keys, and letters of a text, that wait; further ones are swallowed
const POLL = 20, SETTLES = 60, STARTS = 10000, GRACE = 1500, PATIENCE = 20000, SAID = 300 // milliseconds

let listening = null // the instance that was drawn last; null while it is being drawn anew, and on other pages
let meant = { keys: {}, fields: [], opens: [], slow: {}, place: '' } // what it listens to, or did last
let left = { at: 0, path: '' } // when and where it went
let waiting = [], last = null, moved = 0, touched = 0, stirred = 0, tabbed = false, timer = 0
let working = null, saying = 0 // a key of ``slow`` that is not dealt with yet: whether its button was pressed; the timer
let expecting = 0 // when a key was pressed that opens a field, until the cursor is in it

const app = () => document.querySelector('[data-testid="stApp"]')
const busy = () => !['notRunning', undefined].includes(app()?.dataset.testScriptState)
const named = (event) => (event.key.length === 1 ? event.key.toLowerCase() : event.key)
const button = (key) => document.querySelector(`.st-key-${meant.keys[key]} button:enabled`)
const inField = (at) => meant.fields.some((name) => at?.closest?.(`[class*="st-key-${name}"]`))
// Drawn: the server has drawn these keys anew since the press, and is at rest. What the app says of its state is no sign
// of it: a page that is drawn at once goes from rest to rest without ever saying that it runs, and one that says it has
// run may have run for something else. Only where the keys are not drawn anew at all does the end of a run count.
function drawn() {
  const now = Date.now()
  if (!last || busy() || now - stirred < SETTLES) return !last
  const ended = last.ended && now - last.ended > GRACE
  if (!last.answered && !ended && now - last.at < STARTS) return false
  last = null
  moved = now
  return true
}
// A button that is missing may be on its way: while something is drawn, or just after a click or a typed word.
const mayCome = (at) => busy() || at - touched < GRACE
// Gone and drawn anew: its buttons are there already, or it may be on its way, also where the server has not yet begun to
// draw what a click asks for.
function comesBack() {
  if (left.path !== location.pathname) return false
  const now = Date.now(), asked = touched > stirred && now - touched < STARTS
  return busy() || asked || now - Math.max(left.at, stirred) < GRACE || Object.keys(meant.keys).some(button)
}
// A key that opens a field was pressed: what follows is text for it, also before the cursor is there.
function opening() {
  const before = waiting.findLast((each) => each.key)
  return before ? before.opens : waiting.length > 0 || Date.now() - expecting < STARTS
}

// A press that takes longer than a moment is said where the page has a place for it, until it is answered or dropped.
function works(key, clicked) {
  if (!(key in meant.slow)) return
  if (working?.key === key) {
    working.clicked ||= clicked
    return
  }
  rests()
  working = { key, clicked, dealt: meant.slow[key] }
  saying = setTimeout(() => say(key), SAID)
}

function rests() {
  clearTimeout(saying)
  if (working) say('')
  working = null
}

function say(key) {
  for (const sign of document.querySelectorAll('.dg-slow')) {
    sign.textContent = sign.dataset.key === key ? sign.dataset.says : ''
  }
  saying = key ? setTimeout(rests, PATIENCE) : 0
}

function leave(field) {
  field.blur() // hands the text over
  window.dispatchEvent(new Event('docgraph-key'))
}

// What was typed for a field that does not open goes with its key: it was not meant for anything else.
function drop(next, done = false) {
  if (!done && (next.opens || next.text)) waiting = []
  else waiting.shift()
}

function pump() {
  clearTimeout(timer)
  if (!listening && !comesBack()) waiting = []
  while (listening && waiting.length) {
    const [next] = waiting, now = Date.now(), at = document.activeElement
    if (now - Math.max(next.at, moved) > PATIENCE) { drop(next); continue }
    if (next.text) {
      if (!drawn() || now - stirred < SETTLES || (!inField(at) && (busy() || now - expecting < STARTS))) break
      drop(next, inField(at))
      if (inField(at)) document.execCommand('insertText', false, next.text)
      continue
    }
    if (!drawn()) break
    const found = button(next.key)
    if (!found && mayCome(now)) break
    if (found && inField(at) && (next.key === 'Enter' || next.key === 'Escape')) {
      leave(at)
      break
    }
    drop(next, found)
    if (!found) continue
    last = { at: now, answered: false, ended: 0 }
    expecting = next.opens ? now : 0
    found.click()
  }
  if (working && !working.clicked && !waiting.some((each) => each.key === working.key)) rests() // it was dropped
  if (waiting.length) timer = setTimeout(pump, POLL)
}

function hold(event, entry) {
  event.preventDefault()
  event.stopImmediatePropagation()
  const before = waiting.filter((each) => Boolean(each.text) === Boolean(entry.text)).length
  if (before >= (entry.text ? MOST_TEXT : MOST)) return
  waiting.push({ ...entry, at: Date.now() })
  works(entry.key, false)
}

function pressed(event) {
  if (event.key === 'Tab') tabbed = true
  if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return
  if (!listening && !comesBack()) return
  const key = named(event), at = event.target, typing = Boolean(at.closest?.(TYPING))
  if (typing && key === 'Enter') touched = Date.now() // a typed word is handed over: what it enables is awaited
  const written = waiting.some((each) => each.text) // nothing passes it
  if (event.key.length === 1 && (typing ? written && inField(at) : opening())) {
    hold(event, { text: event.key })
    return pump()
  }
  if (event.shiftKey || !(key in meant.keys)) return
  const hands = (key === 'Enter' || key === 'Escape') && inField(at)
  if (typing && !hands && (key !== 'Escape' || at.closest('[role=dialog]') || at.ariaExpanded === 'true')) return
  if (tabbed && (key === 'Enter' || key === ' ') && at.closest?.(PRESSED)) return
  if (hands && key === 'Escape' && !written) leave(at)
  if (listening && !waiting.length && drawn() && !button(key) && !mayCome(Date.now())) return // nobody's: left to the browser
  if (event.repeat && waiting.length) {
    event.preventDefault()
    event.stopImmediatePropagation()
    return
  }
  hold(event, { key, opens: meant.opens.includes(key) })
  if (hands && key === 'Enter' && !written) leave(at)
  else window.dispatchEvent(new Event('docgraph-key'))
  hands ? setTimeout(pump, 0) : pump()
}

new MutationObserver(() => {
  stirred = Date.now()
  if (last && !busy()) last.ended = stirred
  if (waiting.length) pump()
}).observe(document.body, { attributes: true, subtree: true, attributeFilter: ['data-test-script-state'] })
window.addEventListener('keydown', pressed, true)
window.addEventListener('click', (event) => {
  for (const key in meant.slow) {
    if (event.target.closest?.(`.st-key-${meant.keys[key]} button:enabled`)) works(key, true)
  }
}, true)
window.addEventListener('focusin', (event) => {
  if (inField(event.target)) expecting = 0
}, true)
window.addEventListener('pointerdown', () => {
  tabbed = false
  expecting = 0
  touched = Date.now()
}, true)

export default function ({ data, parentElement }) {
  const own = instances.get(parentElement) ?? {}
  instances.set(parentElement, own)
  if (data.place !== meant.place) {
    waiting = [] // typed for another pane
    last = null
  }
  if (last && data.turn !== meant.turn) last.answered = true
  if (working && data.slow[working.key] !== working.dealt) rests()
  listening = own
  meant = data
  document.body.dataset.keys = Object.keys(data.keys).join('|') // what is listened to, once it is
  if (waiting.length) pump()
  own.stop ??= () => {
    instances.delete(parentElement)
    if (listening !== own) return
    listening = null
    left = { at: Date.now(), path: location.pathname }
    delete document.body.dataset.keys
  }
  return own.stop
}
