// Copies an absolute address of this dashboard; where the browser refuses, the address is shown, selected, to copy by hand.
const SHOWN_MS = 2500

export default function ({ data, parentElement }) {
  const find = (selector) => parentElement.querySelector(selector)
  const [box, button, field, said] = [".box", "button", "input", ".said"].map(find)
  find(".name").textContent = data.label
  button.setAttribute("aria-label", data.label)
  const address = new URL(data.path, location.origin).href
  if (field.value !== address) { field.value = address; field.hidden = true; box.classList.remove("copied") }
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(address)
      field.hidden = true
      box.classList.add("copied")
      said.textContent = "Copied"
      clearTimeout(box.timer)
      box.timer = setTimeout(() => { box.classList.remove("copied"); said.textContent = "" }, SHOWN_MS)
    } catch {
      field.hidden = false
      field.focus()
      field.select()
      said.textContent = "The browser does not let pages copy: the link is selected, copy it from here"
    }
  }
}
