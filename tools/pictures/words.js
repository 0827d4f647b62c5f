// The words of the picture in reading order, a line for what one block holds: [text, stands at an edge][].
// What is not painted or lies outside is no word of it, nor is an icon's name; what CSS writes is one.
() => {
  const EDGE = 60 // pixels: a line of text stands by less than that elsewhere where another font is taken
  const NEAR = 8 // pixels: words that stand nearer to each other in a row are one sentence
  const WHOLE = 'p, li, h1, h2, h3, h4, h5, h6, button, a, td, th, dt, dd, label, summary, [role=button], [role=tab]'
  const lines = []
  let last = null // { block, box, size } of the text before

  const outer = element => element.parentElement ?? element.getRootNode().host ?? null

  const blockOf = element => {
    const whole = element.closest(WHOLE)
    if (whole) return whole
    for (let at = element; at.parentElement; at = at.parentElement) {
      const display = getComputedStyle(at).display
      if (!display.startsWith('inline') || display === 'inline-flex' || at.tagName === 'text') return at
    }
    return element
  }

  // 'in', 'edge' or 'out' of the window, and of every box that cuts what it holds.
  const placeOf = (element, box) => {
    const x = box.left + box.width / 2, y = box.top + box.height / 2
    if (box.width < 2 || box.height < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) return 'out'
    let found = innerHeight - y < EDGE ? 'edge' : 'in'
    for (let at = element; at; at = outer(at)) {
      const style = getComputedStyle(at)
      if (style.position === 'fixed') break
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
      const cut = at.getBoundingClientRect()
      if (cut.width < 2 || cut.height < 2 || x < cut.left || x > cut.right || y < cut.top || y > cut.bottom) return 'out'
      if (at.clientHeight < 3 * EDGE) continue
      if (at.scrollTop > 1 && y - cut.top < 2 * EDGE) found = 'edge' // there may be a header over it
      if (at.scrollTop + at.clientHeight < at.scrollHeight - 1 && cut.bottom - y < EDGE) found = 'edge'
    }
    return found
  }

  const add = (element, words, box) => {
    if (!words.trim()) {
      if (last && words && last.block.contains(element)) lines.at(-1)[0] += ' '
      return
    }
    if (element.closest('[data-testid="stIconMaterial"], script, style, noscript')) return
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return // nor folded away
    const place = placeOf(element, box)
    if (place === 'out') return
    const block = blockOf(element), size = getComputedStyle(element).fontSize
    const gap = last && box.left - last.box.right
    const goesOn = last && size === last.size && Math.abs(box.top - last.box.top) < 4 && gap > -1 && gap < NEAR
    if (last?.block === block || goesOn) {
      const apart = gap > 1 || box.top > last.box.bottom - 2
      lines.at(-1)[0] += (apart ? ' ' : '') + words
      lines.at(-1)[1] ||= place === 'edge'
    } else lines.push([words, place === 'edge'])
    last = { block, box, size }
  }

  const addWritten = (element, where) => {
    const style = getComputedStyle(element, where)
    if (!/^"/.test(style.content) || style.display === 'none' || style.visibility !== 'visible') return
    const words = [...style.content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(each => each[1]).join('')
    if (/[\p{L}\p{N}]/u.test(words)) add(element, ` ${words} `, element.getBoundingClientRect())
  }

  const walk = node => {
    if (node.nodeType === Node.TEXT_NODE) {
      const range = document.createRange()
      range.selectNodeContents(node)
      if (node.parentElement) add(node.parentElement, node.data, range.getBoundingClientRect())
      return
    }
    const isElement = node.nodeType === Node.ELEMENT_NODE
    if (isElement) addWritten(node, '::before')
    if (isElement && /^(INPUT|TEXTAREA)$/.test(node.tagName) && !/^(checkbox|radio|file|hidden)$/.test(node.type)) {
      last = null
      add(node, node.value || node.placeholder, node.getBoundingClientRect())
      last = null
    }
    if (node.shadowRoot) walk(node.shadowRoot)
    node.childNodes.forEach(walk)
    if (isElement) addWritten(node, '::after')
  }

  walk(document.body)
  return lines.map(([text, edge]) => [text.replace(/\s+/g, ' ').trim(), edge])
}
