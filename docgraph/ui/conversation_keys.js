// The newest turn scrolls into sight; 1 to 5 press a choice while nobody types; the cursor waits in the input.
const maps = new WeakMap()
const TYPING = 'input, textarea, select, [role=option], [role=dialog], [role=radio], [contenteditable=true]'

export default function ({ data, parentElement }) {
  const known = maps.get(parentElement)
  const own = known ?? { turns: -1, selected: 0 }
  const grown = data.turns !== own.turns
  const chosen = data.selected !== own.selected
  Object.assign(own, data)
  const after = (call) => requestAnimationFrame(() => setTimeout(call, 40))
  if (grown) {
    after(() => {
      const all = document.querySelectorAll('[class*="st-key-cv-turn-"]')
      const last = all[all.length - 1]
      const box = document.querySelector('.st-key-cv-turns')
      if (last && box) box.scrollTop += last.getBoundingClientRect().top - box.getBoundingClientRect().top - 4
      const at = document.activeElement
      if (!at || at === document.body || at.disabled) document.querySelector('.st-key-cv-ask textarea')?.focus({ preventScroll: true })
    })
  } else if (chosen) {
    after(() => document.querySelector('[class*="st-key-cv-turn-"][class*="-shown"]')?.scrollIntoView({ block: 'nearest' }))
  }
  if (grown || chosen) after(() => document.querySelector('.st-key-cv-side')?.scrollTo(0, 0))
  if (known) return own.stop

  const press = (event) => {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey || !/^[1-5]$/.test(event.key)) return
    if (event.target.closest?.(TYPING)) return
    const buttons = document.querySelectorAll('.st-key-cv-choices [class*="st-key-docgraph-conversation-choice"] button:enabled')
    const button = buttons[Number(event.key) - 1]
    if (!button) return
    event.preventDefault()
    button.click()
  }
  document.addEventListener('keydown', press, true)
  own.stop = () => {
    document.removeEventListener('keydown', press, true)
    maps.delete(parentElement)
  }
  maps.set(parentElement, own)
  return own.stop
}
