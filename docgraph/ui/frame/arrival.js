// An element that Streamlit draws elsewhere on the page, and perhaps later than the component that wants something of it.
// It stands before the text of a component in the same module.
const SETTLES = 40, ASKED_AGAIN = 50, NEVER = 20000 // milliseconds

// Calls `act` with the element at `selector` once it is there; not while it is missing, nor when `owner` has left the page.
function whenThere(owner, selector, act) {
  const end = performance.now() + NEVER
  const look = () => {
    const found = document.querySelector(selector)
    if (found) act(found)
    else if (owner.isConnected && performance.now() < end) setTimeout(look, ASKED_AGAIN)
  }
  requestAnimationFrame(() => setTimeout(look, SETTLES))
}
