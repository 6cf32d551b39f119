import { closeSync, openSync, readSync } from 'node:fs'

const PIECE = 1024 * 1024
const NAME_LENGTH = 64
/** A name that spans two pages of a database has at least half of it on one of them. */
const HALF = NAME_LENGTH / 2
const RUN = /[0-9a-f]{32,}/g

/** Halves of possible blob names. A name split across pages shows only one of its halves. */
export interface NameHalves {
  readonly first: ReadonlySet<string>
  readonly last: ReadonlySet<string>
}

/**
 * Finds blob names in the raw bytes of files, for databases that SQLite cannot read, or not fully. A false match only keeps content
 * longer.
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

export function mayBeReferenced(name: string, { first, last }: NameHalves): boolean {
  return first.has(name.slice(0, HALF)) || last.has(name.slice(HALF))
}
