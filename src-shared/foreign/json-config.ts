import { isObject } from '../base/json.ts'
import { MAX_AT_ONCE } from '../contract/servers.ts'
import { type Entry, namesIn, typeName } from './entry-values.ts'
import { ConfigError, EntryError, type ForeignConfig, type ForeignInput, type ForeignServer } from './foreign-server.ts'

/** Finds the keys that occur more than once in an object. */
export type DuplicateKeys = (object: object) => readonly string[]

type ReadEntry = (name: string, value: unknown) => ForeignServer

export const EMPTY_CONFIG: ForeignConfig = { servers: [], inputs: new Map(), unusable: [] }

/** Reads each server by itself, so that a bad one fails alone. Throws ConfigError for anything but an object, and for too many servers. */
export function readServers(container: unknown, key: string, read: ReadEntry, duplicateKeys: DuplicateKeys): ForeignConfig {
  if (container === undefined || container === null) return EMPTY_CONFIG
  if (!isObject(container)) throw new ConfigError(`Its “${key}” must be an object, not ${typeName(container)}.`)
  const entries = Object.entries(container)
  if (entries.length > MAX_AT_ONCE) {
    throw new ConfigError(`It has ${entries.length} servers; at most ${MAX_AT_ONCE} can be imported at once.`)
  }
  const servers: ForeignServer[] = []
  const unusable: { called: string; why: string }[] = duplicateKeys(container).map((called) => ({
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

export function mergedConfigs(configs: readonly ForeignConfig[]): ForeignConfig {
  return {
    servers: configs.flatMap(({ servers }) => servers),
    inputs: new Map(configs.flatMap(({ inputs }) => [...inputs])),
    unusable: configs.flatMap(({ unusable }) => unusable),
  }
}

/** The inputs of VS Code, by id. Those that it computes by a command are asked for, too. */
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
