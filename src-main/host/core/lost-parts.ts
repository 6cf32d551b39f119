import type { Clock } from '../../../src-shared/base/clock.ts'
import type { OnLost, ThreadName } from '../../threads/bounded-thread.ts'
import type { HostState } from './host-state.ts'

/** A part of the program with files of its own, which may be missing or damaged. */
type Part = ThreadName | 'sql'

const WITHOUT: Readonly<Record<Part, string>> = {
  sql: 'SQL cannot be checked, so you are asked about each statement.',
  images: 'Images cannot be read, so models do not see them.',
  documents: 'The text of PDF files and web pages cannot be read.',
  schemas: 'Slow schemas cannot be checked.',
  configurations: 'Other apps’ configurations cannot be read.',
  bundles: 'Servers cannot be installed from files.',
}

/** Reports each part that cannot be loaded once, in the app and in the log. */
export class LostParts {
  readonly #parts: { readonly state: HostState; readonly clock: Clock }
  readonly #told = new Set<Part>()

  constructor(parts: { readonly state: HostState; readonly clock: Clock }) {
    this.#parts = parts
  }

  readonly tell: OnLost<Part> = (part, error) => {
    if (this.#told.has(part)) return
    this.#told.add(part)
    const said = error instanceof Error ? error.message : String(error)
    console.error(`A part of Parley could not be loaded (${part}): ${said}`)
    const what = `A part of Parley could not be loaded. ${WITHOUT[part]}`
    const problem = {
      code: `part-lost-${part}`,
      what,
      said: said.slice(0, 1_000),
      todo: 'Install Parley again.',
    }
    this.#parts.state.notice('error', problem, this.#parts.clock.now())
  }
}
