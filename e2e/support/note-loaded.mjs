// Loaded into a host with `--import`, in all its threads: notes every module that runs and every file that is read, one a line in
// the file that NOTE_LOADED names.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

const { appendFileSync } = fs
const note = (file) => {
  const path = file instanceof URL ? file.href : String(file)
  appendFileSync(process.env.NOTE_LOADED, `${path.startsWith('file:') ? fileURLToPath(path) : path}\n`)
}

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) note(url)
    return next(url, context)
  },
})

for (const way of [fs, fs.promises]) {
  for (const name of ['readFile', 'readFileSync', 'createReadStream']) {
    const read = way[name]
    if (!read) continue
    way[name] = (file, ...rest) => {
      if (typeof file === 'string' || file instanceof URL) note(file)
      return read.call(way, file, ...rest)
    }
  }
}
syncBuiltinESMExports()
