import type { ImportChoice, ImportReview, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { OTHER_HOSTS } from '../../../src-shared/contract/imports.ts'
import { sameServerName, serverNameProblem } from '../../../src-shared/contract/server-rules.ts'
import type { ConfigValue, Launch } from '../../../src-shared/contract/servers.ts'

/** The present choices in a review. */
export interface ImportDraft {
  readonly ticked: ReadonlySet<string>
  /** By key of the server. */
  readonly names: Readonly<Record<string, string>>
  /** By id of the input. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Selects all servers except those that exist already or are repeated in the review. */
export function importDraftOf({ servers }: ImportReview): ImportDraft {
  return {
    ticked: new Set(servers.filter(({ here }) => here.is !== 'same' && here.is !== 'repeated').map(({ key }) => key)),
    names: Object.fromEntries(servers.map(({ key, name }) => [key, name])),
    inputs: Object.fromEntries(servers.flatMap(({ inputs }) => inputs.map((input) => [input.id, input.default ?? '']))),
  }
}

export function withTicks({ ticked, ...rest }: ImportDraft, servers: readonly ReviewedServer[], tick: boolean): ImportDraft {
  const keys = new Set(servers.map(({ key }) => key))
  const others = [...ticked].filter((key) => !keys.has(key))
  return { ...rest, ticked: new Set(tick ? [...others, ...keys] : others) }
}

interface ImportCheck {
  readonly choices: readonly ImportChoice[]
  /** Problems of names, by key of the selected server. */
  readonly names: ReadonlyMap<string, string>
  /** Ids of empty inputs of selected servers. */
  readonly missing: ReadonlySet<string>
}

/** The servers to add, and what prevents it. `taken` are the names of existing servers. */
export function checkImport({ servers }: ImportReview, draft: ImportDraft, taken: readonly string[]): ImportCheck {
  const ticked = servers.filter(({ key }) => draft.ticked.has(key))
  const names = new Map<string, string>()
  const before: string[] = []
  for (const { key } of ticked) {
    const name = draft.names[key] ?? ''
    const problem =
      serverNameProblem(name) ??
      (taken.some((other) => sameServerName(other, name))
        ? 'A server with this name exists'
        : before.some((other) => sameServerName(other, name))
          ? 'Another server in this list has this name'
          : undefined)
    if (problem) names.set(key, problem)
    before.push(name)
  }
  const wanted = ticked.flatMap(({ inputs }) => inputs.map(({ id }) => id))
  return {
    names,
    missing: new Set(wanted.filter((id) => (draft.inputs[id] ?? '') === '')),
    choices: ticked.map(({ key, inputs }) => ({
      key,
      name: draft.names[key] ?? '',
      inputs: Object.fromEntries(inputs.map(({ id }) => [id, draft.inputs[id] ?? ''])),
    })),
  }
}

export interface Origin {
  readonly key: string
  readonly title: string
  readonly path?: string
  readonly project?: string
  readonly servers: readonly ReviewedServer[]
}

/** Groups the servers by origin, in the order of the review. */
export function originsOf({ servers }: ImportReview): readonly Origin[] {
  const origins = new Map<string, ReviewedServer[]>()
  for (const server of servers) {
    const key = JSON.stringify([server.from.host, server.from.path, server.from.project])
    const known = origins.get(key)
    if (known) known.push(server)
    else origins.set(key, [server])
  }
  return [...origins].map(([key, members]) => {
    const { host, path, project } = members[0]?.from ?? {}
    return {
      key,
      title: host ? OTHER_HOSTS[host] : 'Your configuration',
      ...(path !== undefined && { path }),
      ...(project !== undefined && { project }),
      servers: members,
    }
  })
}

/** The launch with typed inputs, or with their labels while empty. It contains no secrets. */
export function draftedLaunch({ launch, inputs }: ReviewedServer, values: ImportDraft['inputs']): Launch {
  const asked = new Map(inputs.map(({ id, label }) => [id, values[id] || `‹${label}›`]))
  // A single pass, so that typed values are not expanded.
  const fill = (text: string) => text.replace(/\$\{input:([^}]*)\}/g, (whole, id: string) => asked.get(id) ?? whole)
  const filled = (all: Readonly<Record<string, ConfigValue>>) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, 'text' in value ? { text: fill(value.text) } : value]))
  switch (launch.type) {
    case 'local':
      return {
        ...launch,
        command: fill(launch.command),
        args: launch.args.map(fill),
        env: filled(launch.env),
        ...(launch.cwd !== undefined && { cwd: fill(launch.cwd) }),
      }
    case 'remote':
      return { ...launch, url: fill(launch.url), headers: filled(launch.headers) }
    case 'built-in':
      return launch
  }
}

/** Shows each input under the first selected server that needs it. */
export function askedAt({ servers }: Pick<ImportReview, 'servers'>, { ticked }: ImportDraft): ReadonlyMap<string, string> {
  const asked = new Map<string, string>()
  for (const { key, inputs } of servers) {
    for (const { id } of ticked.has(key) ? inputs : []) if (!asked.has(id)) asked.set(id, key)
  }
  return asked
}
