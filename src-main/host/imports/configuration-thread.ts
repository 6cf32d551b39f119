import type { OtherHost } from '../../../src-shared/contract/imports.ts'
import { ConfigError } from '../../../src-shared/foreign/foreign-server.ts'
import { BoundedThread, type ThreadFailure, type ThreadParts, threadSource } from '../../threads/bounded-thread.ts'
import type { Configuration, ConfigurationAnswer, ConfigurationJob } from './configurations.ts'

/** Milliseconds for one configuration, including the start of the thread. */
const JOB_TIME = 15_000
const IDLE_TIME = 10_000
const QUEUE_LIMIT = 20
const RESOURCES = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** Reads configurations in a thread that can be ended, since their authors decide how much work they are. */
export class ConfigurationThread {
  readonly #thread: BoundedThread<ConfigurationJob, ConfigurationAnswer>

  constructor(parts: ThreadParts) {
    this.#thread = new BoundedThread({
      ...parts,
      name: 'configurations',
      source: threadSource(import.meta.url, 'configuration-worker'),
      resources: RESOURCES,
      jobTime: JOB_TIME,
      idleTime: IDLE_TIME,
      queueLimit: QUEUE_LIMIT,
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
