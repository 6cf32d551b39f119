const MAX_BYTES = 240
const MAX_DEPTH = 24
/** Names that Windows opens as devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i
const REFUSED = /[\u0000-\u001f\u007f-\u009f\\:*?"<>|\p{Cf}\p{Zl}\p{Zp}]/u

/** The reason why a path in a bundle cannot be written on every system, as the end of a sentence. */
export function pathProblem(path: string): string | undefined {
  if (Buffer.byteLength(path) > MAX_BYTES) return 'is too long'
  if (path.startsWith('/')) return 'starts at the root of the disk'
  const names = path.split('/')
  if (names.length > MAX_DEPTH) return 'is nested too deeply'
  for (const name of names) {
    if (name === '') return 'has an empty part'
    if (name === '.' || name === '..') return 'leads out of its folder'
    if (REFUSED.test(name)) return 'has characters that file names cannot have'
    if (/[. ]$/.test(name) || name.startsWith(' ')) return 'begins or ends with a space or dot'
    if (DEVICE.test(name)) return 'names a device'
  }
  return undefined
}

/** Finds paths that are the same file on some systems, and files that are also folders. */
export class PathTwins {
  /** By folded path; folders come with each path below them. */
  readonly #seen = new Map<string, { readonly path: string; readonly folder: boolean }>()

  /** The reason why the path cannot be beside the earlier ones. */
  add(path: string, folder: boolean): string | undefined {
    const names = path.split('/')
    for (let depth = 1; depth <= names.length; depth++) {
      const part = names.slice(0, depth).join('/')
      const whole = depth === names.length
      const folded = part.normalize('NFC').toLowerCase().toUpperCase().toLowerCase()
      const before = this.#seen.get(folded)
      const isFolder = folder || !whole
      if (!before) this.#seen.set(folded, { path: part, folder: isFolder })
      else if (before.path !== part) return 'differs from another only in upper and lower case'
      else if (before.folder !== isFolder) return 'is both a file and a folder'
      else if (whole && !folder) return 'occurs twice'
    }
    return undefined
  }
}
