import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../../threads/bounded-thread.ts'
import type { Configuration, ConfigurationAnswer, ConfigurationJob } from './configurations.ts'

/** Reads configurations in a thread that can be ended, since their authors decide how much work they are. */
export class ConfigurationThread {
  readonly #thread: BoundedThread<ConfigurationJob, ConfigurationAnswer>

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'configurations',
      source: threadSource(import.meta.url, 'configuration-worker'),
      heap: 512,
      jobTime: 15_000,
      queueLimit: 20,
    })
  }

  /** Reads the configuration of a host, or without one a text of any format. Throws ConfigError. */
  async read(text: string, host?: OtherHost): Promise<Configuration> {
    const outcome = await this.#thread.run(() => ({ text, ...(host && { host }) }))
    if (outcome.is === 'failed') throw new ConfigError(FAILURES[outcome.why])
    if ('problem' in outcome.answer) throw new ConfigError(outcome.answer.problem)
    return outcome.answer
  }
}

const FAILURES: Readonly<Record<ThreadFailure, string>> = {
  'too-slow': 'It takes too long to read.',
  broken: 'It takes too much memory to read.',
  lost: 'It cannot be read: a part of Parley could not be loaded.',
  busy: 'Too many files are being read already. Try again.',
  ended: 'It was not read, because Parley is closing.',
}
