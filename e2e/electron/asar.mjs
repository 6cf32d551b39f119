// Loaded into a host with `--import`, in all its threads: lets it run from inside an archive, of which a plain Node knows nothing. Modules
// and the calls of `fs` below read from there, as Electron's do; any other call finds no such file. Electron's own way of
// reading archives is not tried by it.
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { extractFile, statFile } from '@electron/asar'

const INSIDE = /^(.*\.asar)[\\/](.+)$/
const placeOf = (file) => {
  const path = file instanceof URL || String(file).startsWith('file:') ? fileURLToPath(file) : String(file)
  const [, archive, inner] = INSIDE.exec(path) ?? []
  return archive && inner && { archive, inner, path }
}
const missing = ({ path }) => Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' })

function read(place) {
  try {
    return extractFile(place.archive, place.inner)
  } catch {
    throw missing(place) // It throws for nothing else.
  }
}

function look(place) {
  try {
    const found = statFile(place.archive, place.inner)
    const folder = 'files' in found
    return { size: found.size ?? 0, mtimeMs: 0, isFile: () => !folder, isDirectory: () => folder, isSymbolicLink: () => false }
  } catch {
    throw missing(place) // It throws for nothing else.
  }
}

/** By the name of the call in `fs` what it gives for a file inside. */
const GIVES = {
  readFileSync: (place, options) => {
    const encoding = typeof options === 'string' ? options : options?.encoding
    return encoding ? read(place).toString(encoding) : read(place)
  },
  statSync: look,
  lstatSync: look,
  accessSync: look,
  realpathSync: ({ path }) => path,
  createReadStream: (place) => Readable.from([read(place)]),
  existsSync: (place) => {
    try {
      return look(place) !== undefined
    } catch {
      return false // That is what it asks.
    }
  },
}

for (const [name, give] of Object.entries(GIVES)) {
  const plain = fs[name]
  fs[name] = (file, ...rest) => {
    const place = placeOf(file)
    return place ? give(place, ...rest) : plain(file, ...rest)
  }
  const promised = name.replace('Sync', '')
  const later = fs.promises[promised]
  if (!later || promised === name) continue
  fs.promises[promised] = async (file, ...rest) => {
    const place = placeOf(file)
    return place ? give(place, ...rest) : later(file, ...rest)
  }
}
syncBuiltinESMExports()

registerHooks({
  resolve(specifier, context, next) {
    const near = /^(file:|\.{1,2}\/)/.test(specifier)
    const url = near ? new URL(specifier, context.parentURL) : undefined
    return url && placeOf(url) ? { url: url.href, format: 'module', shortCircuit: true } : next(specifier, context)
  },
  load(url, context, next) {
    const place = url.startsWith('file:') && placeOf(url)
    return place ? { source: read(place), format: 'module', shortCircuit: true } : next(url, context)
  },
})
