import { isObject } from '../base/json.ts'
import { MAX_AT_ONCE } from '../contract/servers.ts'
import { type Entry, namesIn, transportOf } from './entry-values.ts'
import { ConfigError, EntryError, type ForeignConfig, type ForeignInput, type ForeignServer } from './foreign-server.ts'

/** The keys that stand in an object more than once. */
export type Twice = (object: object) => readonly string[]

type ReadEntry = (name: string, value: unknown) => ForeignServer

export const NOTHING: ForeignConfig = { servers: [], inputs: new Map(), unusable: [] }

/** The servers of one object, each by its own: a bad one fails alone. Throws ConfigError when it is none, or holds too many. */
export function readServers(container: unknown, key: string, read: ReadEntry, twice: Twice): ForeignConfig {
  if (container === undefined || container === null) return NOTHING
  if (!isObject(container)) throw new ConfigError(`Its “${key}” must be an object, not ${transportOf(container)}.`)
  const entries = Object.entries(container)
  if (entries.length > MAX_AT_ONCE) {
    throw new ConfigError(`It has ${entries.length} servers; at most ${MAX_AT_ONCE} can be brought along at once.`)
  }
  const servers: ForeignServer[] = []
  const unusable: { called: string; why: string }[] = twice(container).map((called) => ({
    called,
    why: 'Its name appears twice; the last one counts.',
  }))
  for (const [name, value] of entries) {
    try {
      servers.push(read(name, value))
    } catch (error) {
      if (!(error instanceof EntryError)) throw error
      unusable.push({ called: name, why: error.message })
    }
  }
  return { servers, inputs: new Map(), unusable }
}

export function together(configs: readonly ForeignConfig[]): ForeignConfig {
  return {
    servers: configs.flatMap(({ servers }) => servers),
    inputs: new Map(configs.flatMap(({ inputs }) => [...inputs])),
    unusable: configs.flatMap(({ unusable }) => unusable),
  }
}

/** Inputs that VS Code asks a person for, by id. Values that it computes by a command are asked for, too. */
export function readInputs(value: unknown): ReadonlyMap<string, ForeignInput> {
  const inputs = new Map<string, ForeignInput>()
  for (const input of Array.isArray(value) ? value.slice(0, MAX_AT_ONCE) : []) {
    if (isObject(input) && typeof input.id === 'string') inputs.set(input.id, readInput(input.id, input))
  }
  return inputs
}

function readInput(id: string, input: Entry): ForeignInput {
  const secret = input.password === true
  const label = typeof input.description === 'string' && input.description.trim() ? input.description : id
  const choices = Array.isArray(input.options)
    ? namesIn(input.options.map((one: unknown) => (isObject(one) ? one.value : one)))
    : []
  return {
    label: `${label}${input.type === 'command' ? ' (a command finds it in VS Code)' : ''}`.slice(0, 500),
    secret,
    ...(typeof input.default === 'string' && !secret && { default: input.default }),
    ...(choices.length > 0 && { choices: choices.slice(0, 100) }),
  }
}
