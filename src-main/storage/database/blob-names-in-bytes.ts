import { closeSync, openSync, readSync } from 'node:fs'

const PIECE = 1024 * 1024
const NAME_LENGTH = 64
/** A name that lies across two pages of a database has half of it, or more, on one of them. */
const HALF = NAME_LENGTH / 2
const RUN = /[0-9a-f]{32,}/g

/** Halves of names of blobs: the first of those that begin somewhere, the last of those that end somewhere. */
export interface NameHalves {
  readonly first: ReadonlySet<string>
  readonly last: ReadonlySet<string>
}

/**
 * Every blob that a file may mention, by its bytes: for a database that SQLite cannot read, or of which it reads less than there is.
 * Content may be kept longer than it has to be for it, and that is all.
 */
export function blobNamesInBytes(files: readonly string[]): NameHalves {
  const first = new Set<string>()
  const last = new Set<string>()
  const add = (text: string) => {
    for (const [run] of text.matchAll(RUN)) {
      first.add(run.slice(0, HALF))
      last.add(run.slice(-HALF))
    }
  }
  const buffer = Buffer.alloc(PIECE)
  for (const path of files) {
    const file = openSync(path, 'r')
    try {
      let rest = ''
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
        const text = rest + buffer.toString('latin1', 0, read)
        add(text)
        // A name may go on in the next piece.
        rest = text.slice(1 - NAME_LENGTH)
      }
    } finally {
      closeSync(file)
    }
  }
  return { first, last }
}

export function mayBeNamed(name: string, { first, last }: NameHalves): boolean {
  return first.has(name.slice(0, HALF)) || last.has(name.slice(HALF))
}
