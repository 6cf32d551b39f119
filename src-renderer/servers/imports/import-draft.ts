import { defined } from '../../../src-shared/base/defined.ts'
import { inputProblem, isBareFlag, withoutUnset } from '../../../src-shared/contract/import-rules.ts'
import type { ImportChoice, ImportInput, ImportReview, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { OTHER_HOSTS } from '../../../src-shared/contract/imports.ts'
import { sameServerName, serverNameProblem } from '../../../src-shared/contract/server-rules.ts'
import type { ConfigValue, Launch } from '../../../src-shared/contract/servers.ts'

/** The present choices in a review. */
export interface ImportDraft {
  readonly ticked: ReadonlySet<string>
  /** Those that change a server which is here already, by key. */
  readonly updating: ReadonlySet<string>
  /** By key of the server. */
  readonly names: Readonly<Record<string, string>>
  readonly inputs: Readonly<Record<string, string>>
}

/**
 * Selects all servers except those that exist already or are repeated in the review. Only the first way to run a published server is
 * selected.
 */
export function importDraftOf({ servers }: ImportReview): ImportDraft {
  const entry = servers.find((server) => server.package?.is === 'entry')
  const isWanted = (server: ReviewedServer) =>
    server.here.is !== 'same' && server.here.is !== 'repeated' && (server.package?.is !== 'entry' || server === entry)
  return {
    ticked: new Set(servers.filter(isWanted).map(({ key }) => key)),
    updating: new Set(servers.filter((server) => server.package?.updates).map(({ key }) => key)),
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
  readonly names: ReadonlyMap<string, string>
  /** Problems of the values for selected servers, by id of the input. */
  readonly values: ReadonlyMap<string, string>
}

/** The servers to add, and what prevents it. `taken` are the names of existing servers. */
export function checkImport({ servers }: ImportReview, draft: ImportDraft, taken: readonly string[]): ImportCheck {
  const ticked = servers.filter(({ key }) => draft.ticked.has(key))
  const names = new Map<string, string>()
  const before: string[] = []
  for (const { key } of ticked) {
    if (draft.updating.has(key)) continue
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
  const values = new Map<string, string>()
  for (const input of ticked.flatMap(({ inputs }) => inputs)) {
    const problem = problemOf(input, draft.inputs[input.id] ?? '')
    if (problem !== undefined) values.set(input.id, problem)
  }
  return {
    names,
    values,
    choices: ticked.map(({ key, inputs }) => ({
      key,
      name: draft.names[key] ?? '',
      inputs: Object.fromEntries(inputs.map(({ id }) => [id, draft.inputs[id] ?? ''])),
      ...(draft.updating.has(key) && { update: true as const }),
    })),
  }
}

/** The default is in the field from the start, so an empty field is a mistake. */
function problemOf(input: ImportInput, value: string): string | undefined {
  if (value === '' && !input.optional) return 'Required, or deselect the server.'
  const problem = inputProblem(input, value)
  return problem && `${problem}.`
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
      title: host ? OTHER_HOSTS[host] : members[0]?.package ? 'Published server' : 'Your configuration',
      ...defined({ path, project }),
      servers: members,
    }
  })
}

/** The launch with typed inputs, or with their labels while empty; unset optional ones are left out. It contains no secrets. */
export function draftedLaunch({ launch, inputs }: ReviewedServer, values: ImportDraft['inputs']): Launch {
  const asked = new Map(inputs.map((input) => [input.id, input]))
  // A single pass, so that typed values are not expanded.
  const filledWith = (text: string, write: (input: ImportInput) => string) =>
    text.replace(PLACE, (whole, id: string) => {
      const input = asked.get(id)
      return input ? write(input) : whole
    })
  const fill = (text: string) =>
    filledWith(text, ({ id, label, encoded }) => {
      const value = values[id]
      return value ? (encoded ? encodeURIComponent(value) : value) : `‹${label}›`
    })
  const isUnset = (text: string) =>
    [...text.matchAll(PLACE)].some(([, id = '']) => asked.get(id)?.optional === true && !values[id])
  const repeated = (text: string): string[] => {
    const several = [...text.matchAll(PLACE)].map(([, id = '']) => asked.get(id)).find((input) => input?.several)
    const lines = several ? (values[several.id] ?? '').split('\n').filter((line) => line !== '') : []
    if (!several || lines.length === 0) return [fill(text)]
    return lines.map((line) => filledWith(text, (input) => (input.id === several.id ? line : fill(`\${input:${input.id}}`))))
  }
  const filled = (all: Readonly<Record<string, ConfigValue>>): Record<string, ConfigValue> =>
    Object.fromEntries(
      Object.entries(all)
        .filter(([, value]) => !('text' in value && isUnset(value.text)))
        .map(([name, value]) => [name, 'text' in value ? { text: fill(value.text) } : value]),
    )
  switch (launch.type) {
    case 'local':
      return {
        ...launch,
        command: fill(launch.command),
        args: withoutUnset(launch.args, isUnset, isBareFlag).flatMap(repeated),
        env: filled(launch.env),
        ...(launch.cwd !== undefined && { cwd: fill(launch.cwd) }),
      }
    case 'remote':
      return { ...launch, url: fill(launch.url), headers: filled(launch.headers) }
    case 'built-in':
      return launch
  }
}

const PLACE = /\$\{input:([^}]*)\}/g

/** Shows each input under the first selected server that needs it. */
export function askedAt({ servers }: Pick<ImportReview, 'servers'>, { ticked }: ImportDraft): ReadonlyMap<string, string> {
  const asked = new Map<string, string>()
  for (const { key, inputs } of servers) {
    for (const { id } of ticked.has(key) ? inputs : []) if (!asked.has(id)) asked.set(id, key)
  }
  return asked
}
