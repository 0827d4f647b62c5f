// What is said while the server does not answer: it is this machine's, or one's own network's, and no question of the
// internet. The framework's dialog has no words of ours, so they are put where its own stand, as long as it waits.
const AWAY = "The docgraph server does not answer: it was stopped, or cannot be reached from here. "
  + "Nothing that was saved is lost, and this page goes on by itself when the server is back."
let waiting = null

function tellAway(app) {
  clearInterval(waiting)
  waiting = null
  if (app.dataset.testConnectionState !== "PINGING_SERVER") return
  waiting = setInterval(() => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const words = [...dialog.querySelectorAll("div")].find((each) => !each.children.length && /Streamlit/.test(each.textContent))
      if (words) words.textContent = AWAY
    }
  }, 200)
}

function watchConnection() {
  const app = document.querySelector('[data-testid="stApp"]')
  if (!app || app.dataset.docgraphWatched) return
  app.dataset.docgraphWatched = "1"
  new MutationObserver(() => tellAway(app)).observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  tellAway(app) // it may be away already
}
