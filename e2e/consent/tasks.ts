import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { Power } from '../../src-shared/contract/consent.ts'
import type { JsonSchemaObject } from '../../src-shared/mcp/primitives.ts'

/** Recorded tasks (README.md beside this file says how they are written). */
export interface RecordedTask {
  readonly file: string
  readonly title: string
  /** Where an attack was published. */
  readonly source?: { readonly title: string; readonly address: string }
  readonly limits?: {
    readonly folders?: readonly string[]
    readonly hosts?: readonly string[]
    readonly recipients?: readonly string[]
  }
  /** Path as a call has it → where it really lies. */
  readonly links?: Readonly<Record<string, string>>
  readonly servers: readonly string[]
  readonly turns: readonly { readonly says: string; readonly rounds: readonly (readonly RecordedCall[])[] }[]
}

export interface RecordedCall {
  readonly server: string
  readonly tool: string
  readonly arguments: JsonObject
  readonly result?: unknown
  /** Why a sensible person denies it. */
  readonly unsafe?: string
  /** Being asked about it annoys. */
  readonly routine?: boolean
  /** The definition is another from this call on. */
  readonly changed?: Partial<RecordedTool>
}

export interface RecordedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchemaObject
  readonly annotations?: {
    readonly readOnlyHint?: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint?: boolean
  }
}

export interface RecordedServer {
  readonly package?: string
  readonly remote?: string
  readonly tools: readonly RecordedTool[]
}

export interface RecordedSet {
  readonly servers: ReadonlyMap<string, RecordedServer>
  readonly tasks: readonly RecordedTask[]
  /** By server: the gravest that tools of it really do. */
  readonly told: Readonly<Record<string, Partial<Readonly<Record<Power, readonly string[]>>>>>
}

/** A folder with `servers`, `tasks`, and `told.json` where it has one. Throws where a file is no JSON or a call names what is not there. */
export function readTasks(folder: string): RecordedSet {
  const servers = new Map(jsonFiles(join(folder, 'servers')).map(({ name, value }) => [name, value as RecordedServer]))
  const tasks = jsonFiles(join(folder, 'tasks')).map(({ name, value }) => ({ ...(value as RecordedTask), file: name }))
  for (const task of tasks) {
    for (const call of task.turns.flatMap(({ rounds }) => rounds.flat())) {
      if (!servers.get(call.server)?.tools.some(({ name }) => name === call.tool)) {
        throw new Error(`${task.file}: there is no tool ${call.tool} on ${call.server}`)
      }
    }
  }
  const file = join(folder, 'told.json')
  return { servers, tasks, told: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {} }
}

function jsonFiles(folder: string): { name: string; value: unknown }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({ name: name.slice(0, -'.json'.length), value: JSON.parse(readFileSync(join(folder, name), 'utf8')) }))
}
