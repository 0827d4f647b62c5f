// Takes what is dropped or chosen and hands it to the uploader of this page: files as they are, a folder as one archive.
const RUNS = (globalThis.__docgraphFolder ??= new WeakMap())
const TOLD = 3, SHOWN_MS = 100
const AS_THEY_ARE = 50 // Files that are handed over one by one; more of them go as one archive.
const number = new Intl.NumberFormat("en-US")
const files = (n) => `${number.format(n)} ${n === 1 ? "file" : "files"}`
const megabytes = (bytes) => `${number.format(Math.ceil(bytes / 1e5) / 10)} MB`
// The name of an archive is judged like any other: what an operating system lets a folder be called may be more.
const plain = (name) => name.replace(/[\x00-\x1f\x7f\\/:]/g, "_").slice(0, 60) || "folder"
const byName = (a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

function parts(host) {
  const find = (selector) => host.querySelector(selector)
  return { host, zone: find(".zone"), choose: find(".choose"), some: find(".some"),
    input: find(".whole"), single: find(".single"), busy: find(".busy"), bar: find("progress"),
    count: find(".count"), cancel: find(".cancel"), said: find(".said"), run: null }
}

function say(it, text, is_fault = false) {
  it.said.textContent = text
  it.said.classList.toggle("fault", is_fault)
}

function busy(it, run) {
  it.run = run
  it.zone.hidden = Boolean(run)
  it.busy.hidden = !run
  it.bar.removeAttribute("value")
  it.count.textContent = "Finding its files"
}

// Why so many files, or so many bytes, are not taken at once; nothing where they are.
function tooMuch(it, found) {
  const bytes = found.reduce((sum, { file }) => sum + (file && file.size <= MAX_FILE_BYTES ? file.size + 4 * BLOCK : 0), 0)
  if (found.length > MAX_FILES) return `more than ${files(MAX_FILES)}`
  return bytes > it.data.most ? `${megabytes(bytes)}, and at most ${megabytes(it.data.most)} are taken at once` : ""
}

async function pack(it, name, find) {
  const run = { stopped: false }
  busy(it, run)
  say(it, `Packing the folder ${name}`)
  it.cancel.focus()
  try {
    const found = (await find(run)).sort(byName)
    const excess = tooMuch(it, found)
    if (run.stopped) say(it, "Cancelled: nothing was uploaded")
    else if (!found.length) say(it, `There is no file to import in ${name}`, true)
    else if (excess) say(it, `${name} has ${excess}. Choose a folder in it, or see below.`, true)
    else await handOver(it, run, name, found)
  } catch (problem) {
    say(it, `${name} cannot be read: ${problem.message || problem.name}`, true)
  }
  const was_here = it.busy.contains(it.host.getRootNode().activeElement)
  busy(it, null)
  if (was_here) it.choose.focus()
}

async function handOver(it, run, name, found) {
  let shown = 0
  const made = await packed(found, run, (n, bytes) => {
    if (performance.now() - shown < SHOWN_MS) return
    shown = performance.now()
    it.bar.value = n / found.length
    it.count.textContent = `${number.format(n)} of ${files(found.length)}, ${megabytes(bytes)}`
  })
  if (run.stopped) return say(it, "Cancelled: nothing was uploaded")
  if (!made.n) return say(it, `No file of ${name} can be read`, true)
  const left = made.leftOut.slice(0, TOLD).map(([path, why]) => `${path} (${why})`).join(", ")
  const more = made.leftOut.length > TOLD ? " and others" : ""
  const without = left && `. Left out: ${files(made.leftOut.length)}: ${left}${more}`
  give(it, [new File([made.archive], `${plain(name)}.tar`, { type: "application/x-tar" })],
    `${name}: ${files(made.n)}, ${megabytes(made.bytes)}, packed${without}`, Boolean(left))
}

// Hands these files to the uploader, and says what they are.
function give(it, given, words, is_fault = false) {
  it.handed = false
  whenThere(it.host, it.data.uploader, (input) => {
    const carried = new DataTransfer()
    for (const file of given) carried.items.add(file)
    input.files = carried.files
    input.dispatchEvent(new Event("change", { bubbles: true }))
    say(it, words, is_fault)
  })
}

// Files without a folder: an archive or some of them as they are, very many as one archive.
function take(it, chosen) {
  const bytes = chosen.reduce((sum, file) => sum + file.size, 0)
  if (chosen.length > AS_THEY_ARE) {
    return pack(it, files(chosen.length), async () => chosen.map((file) => ({ path: file.name, file })))
  }
  if (bytes > it.data.most) {
    return say(it, `${megabytes(bytes)}, and at most ${megabytes(it.data.most)} are taken at once. See below.`, true)
  }
  const what = chosen.length === 1 ? chosen[0].name : files(chosen.length)
  give(it, chosen, `${what}, ${megabytes(bytes)}, handed over`)
}

const fileOf = (entry) => new Promise((done, fail) => entry.file(done, fail))

// Several folders, or a folder with files beside it: each under its own name.
async function filesTogether(entries, run) {
  const found = []
  for (const each of entries) {
    if (each.isDirectory) for (const { path, file } of await filesDropped(each, run)) found.push({ path: `${each.name}/${path}`, file })
    else found.push({ path: each.name, file: await fileOf(each).catch(() => null) })
  }
  return found
}

async function dropped(it, event) {
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean)
  if (!entries.length) return say(it, "That is neither a folder nor a file", true)
  if (entries.length === 1 && entries[0].isDirectory) return pack(it, entries[0].name, (run) => filesDropped(entries[0], run))
  if (entries.some((each) => each.isDirectory)) {
    return pack(it, `${entries[0].name} and others`, (run) => filesTogether(entries, run))
  }
  try { take(it, await Promise.all(entries.map(fileOf))) }
  catch (problem) { say(it, `It cannot be read: ${problem.message || problem.name}`, true) }
}

// A browser that lets a page look through a folder is asked for that: one that lists a folder for a field does so at
// once, and the tab stands still meanwhile. The field is for the others, and where looking through is not allowed.
async function choose(it) {
  if (typeof globalThis.showDirectoryPicker !== "function") return it.input.click()
  let folder
  try { folder = await globalThis.showDirectoryPicker({ id: "docgraph-folder", mode: "read" }) }
  catch (problem) { return problem.name === "AbortError" ? undefined : it.input.click() } // chosen to choose none
  pack(it, folder.name, (run) => filesLookedThrough(folder, run))
}

function listen(it) {
  it.choose.onclick = () => choose(it)
  it.some.onclick = () => it.single.click()
  it.single.onchange = () => {
    const chosen = [...it.single.files]
    it.single.value = ""
    if (chosen.length) take(it, chosen)
  }
  it.cancel.onclick = () => { if (it.run) it.run.stopped = true }
  it.busy.onkeydown = (event) => { if (event.key === "Escape") it.cancel.click() }
  it.input.onchange = () => {
    const chosen = [...it.input.files]
    it.input.value = ""
    if (chosen.length) pack(it, chosen[0].webkitRelativePath.split("/")[0], (run) => filesChosen(chosen, run))
  }
  it.zone.ondragover = (event) => { event.preventDefault(); it.zone.classList.add("over") }
  it.zone.ondragleave = () => it.zone.classList.remove("over")
  it.zone.ondrop = (event) => {
    event.preventDefault()
    it.zone.classList.remove("over")
    dropped(it, event)
  }
}

export default function ({ data, parentElement }) {
  const host = parentElement.querySelector(".folder")
  const it = RUNS.get(host) ?? parts(host)
  if (!RUNS.has(host)) { RUNS.set(host, it); listen(it) }
  it.data = data
  if (data.taken) it.handed = true
  else if (it.handed) { it.handed = false; say(it, "") } // it was taken back
  return () => { if (it.run) it.run.stopped = true }
}
