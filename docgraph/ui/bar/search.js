// The cursor stands in the search's field as soon as its dialog is open.
export default function () {
  let tries = 0
  const look = () => {
    const field = document.querySelector(".st-key-docgraph-search-field input")
    if (field) { field.focus(); return }
    if (tries++ < 60) timer = requestAnimationFrame(look)
  }
  let timer = requestAnimationFrame(look)
  return () => cancelAnimationFrame(timer)
}
