// A folder as one tar archive, made in small steps so that the page answers meanwhile.
// It stands before the text of a component in the same module.
const BLOCK = 512, AT_ONCE = 16, READ_WHOLE = 1 << 20, PIECE = 4 << 20, STEP_MS = 15
const MAX_FILES = 20000, MAX_FILE_BYTES = 100000000
const IGNORED_FOLDERS = ["__pycache__", "node_modules", "site-packages", "venv"]
const TOP = "folder" // An archive of one folder is that folder: whatever it is called, its files are named as seen from it.
const UTF8 = new TextEncoder()

// Lets the page draw and answer; not by a timer, which a tab in the background would get once a second.
const pause = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => { port1.close(); go() }
  port2.postMessage(0)
})

// Waits when a step has lasted long enough, and says whether to go on.
function inSteps(run) {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun > STEP_MS) { await pause(); begun = performance.now() }
    return !run.stopped
  }
}

// What an import of a folder does not look at: hidden entries, and folders that hold other people's code.
function isPassedOver(parts) {
  return parts.some((part, at) => part.startsWith(".") || (at < parts.length - 1 && IGNORED_FOLDERS.includes(part)))
}

// The files of a chosen folder (`webkitRelativePath` begins with its name) as { path, file }.
async function filesChosen(chosen, run) {
  const found = [], goesOn = inSteps(run)
  for (const file of chosen) {
    const parts = file.webkitRelativePath.split("/").slice(1)
    if (parts.length && !isPassedOver(parts)) found.push({ path: parts.join("/"), file })
    if (!await goesOn()) break
  }
  return found
}

// The files below a dropped folder; what is passed over is not gone into.
async function filesDropped(folder, run) {
  const found = [], goesOn = inSteps(run), folders = [{ entry: folder, parts: [] }]
  while (folders.length && found.length <= MAX_FILES) {
    const { entry, parts } = folders.pop(), reader = entry.createReader()
    for (;;) {
      const some = await new Promise((give, fail) => reader.readEntries(give, fail)) // a hundred at a time
      if (!some.length) break
      for (const each of some) {
        const below = [...parts, each.name]
        if (each.isDirectory && !isPassedOver([...below, ""])) folders.push({ entry: each, parts: below })
        else if (each.isFile && !isPassedOver(below)) {
          found.push({ path: below.join("/"), file: await new Promise((give) => each.file(give, () => give(null))) })
        }
        if (!await goesOn()) return found
      }
    }
  }
  return found
}

// The files below a folder that the page was given to look through; what is passed over is not gone into.
async function filesLookedThrough(folder, run) {
  const found = [], goesOn = inSteps(run), folders = [{ handle: folder, parts: [] }]
  while (folders.length && found.length <= MAX_FILES) {
    const { handle, parts } = folders.pop(), some = []
    const take = async () => {
      const read = await Promise.all(some.map(([, each]) => each.getFile().catch(() => null)))
      some.splice(0).forEach(([path], i) => found.push({ path, file: read[i] }))
    }
    for await (const each of handle.values()) {
      const below = [...parts, each.name]
      if (each.kind === "directory" && !isPassedOver([...below, ""])) folders.push({ handle: each, parts: below })
      else if (each.kind === "file" && !isPassedOver(below)) some.push([below.join("/"), each])
      if (some.length === AT_ONCE) await take()
      if (!await goesOn() || found.length > MAX_FILES) return found
    }
    await take()
  }
  return found
}

function header(name, size, kind) {
  const block = new Uint8Array(BLOCK)
  const put = (at, text) => block.set(UTF8.encode(text), at)
  const number = (at, digits, value) => put(at, value.toString(8).padStart(digits, "0") + "\0")
  block.set(name.subarray(0, 100))
  number(100, 7, 0o644); number(108, 7, 0); number(116, 7, 0); number(124, 11, size); number(136, 11, 0)
  put(148, " ".repeat(8) + kind)
  put(257, "ustar\x0000")
  put(148, block.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0") + "\0 ")
  return block
}

const padding = (size) => new Uint8Array((BLOCK - size % BLOCK) % BLOCK)

// `length path=name`, where the length counts its own digits.
function namedInFull(name) {
  const bare = UTF8.encode(` path=${name}\n`).length
  let length = bare
  while (bare + String(length).length !== length) length = bare + String(length).length
  return UTF8.encode(`${length} path=${name}\n`)
}

// What stands before a file's bytes; a name that is long or not ASCII is told in a header of its own (pax).
function heads(path, size) {
  const name = `${TOP}/${path}`, bytes = UTF8.encode(name)
  if (bytes.length <= 100 && bytes.length === name.length) return [header(bytes, size, "0")]
  const told = namedInFull(name)
  const short = UTF8.encode(name.replace(/[^ -~]/g, "_"))
  return [header(UTF8.encode("pax"), told.length, "x"), told, padding(told.length), header(short, size, "0")]
}

// A file's bytes, or the file itself where it is large: the browser reads it when it is sent. Null when it cannot be read.
async function content(file) {
  try {
    if (file.size <= READ_WHOLE) return new Uint8Array(await file.arrayBuffer())
    await file.slice(0, 1).arrayBuffer()
    return file
  } catch { return null }
}

// The files as one archive; `tell(n, bytes)` after every few. `leftOut` = those that are not in it, as [path, why].
async function packed(files, run, tell) {
  const pieces = [], leftOut = [], goesOn = inSteps(run)
  let piece = [], held = 0, n = 0, bytes = 0
  for (let at = 0; at < files.length && await goesOn(); at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE)
    const contents = await Promise.all(some.map(({ file }) => file && file.size <= MAX_FILE_BYTES ? content(file) : null))
    some.forEach(({ path, file }, i) => {
      const size = contents[i]?.byteLength ?? contents[i]?.size
      if (size === undefined) leftOut.push([path, file?.size > MAX_FILE_BYTES ? "over 100 MB" : "it cannot be read"])
      else { piece.push(...heads(path, size), contents[i], padding(size)); held += size; bytes += size; n += 1 }
    })
    if (held > PIECE) { pieces.push(new Blob(piece)); piece = []; held = 0 }
    tell(n, bytes)
  }
  return { archive: new Blob([...pieces, ...piece, new Uint8Array(2 * BLOCK)]), n, bytes, leftOut }
}
