// The newest turn, or the chosen one, scrolls into sight; the cursor waits in the input.
// arrival.js stands before this text in the same module.
const instances = new WeakMap()

export default function ({ data, parentElement }) {
  const own = instances.get(parentElement) ?? { turns: -1, selected: 0 }
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
    })
    whenThere(parentElement, '.st-key-cv-ask textarea', (input) => {
      const at = document.activeElement
      if (!at || at === document.body || at.disabled) input.focus({ preventScroll: true })
    })
  } else if (chosen) {
    after(() => document.querySelector('[class*="st-key-cv-turn-"][class*="-shown"]')?.scrollIntoView({ block: 'nearest' }))
  }
  if (grown || chosen) after(() => document.querySelector('.st-key-cv-side')?.scrollTo(0, 0))
  instances.set(parentElement, own)
}
