import { fits } from '../../../src-shared/base/range.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import {
  addressProblem,
  freeServerName,
  sameServerName,
  serverNameProblem,
  VARIABLE_NAME,
} from '../../../src-shared/contract/server-rules.ts'
import type { ServerConfig, ServerOptions, ServerRecord } from '../../../src-shared/contract/servers.ts'
import { REQUEST_TIME, type ServerTimeouts } from '../../../src-shared/contract/settings.ts'
import { emptyPair, headerProblem, type PairDraft, pairsOf, pairValues } from '../../forms/pair-drafts.ts'
import { joinCommandLine, type ParsedCommand, splitCommandLine } from '../labels/command-line.ts'
import type { PastedServer } from './pasted-config.ts'
import { NO_CLIENT, type SignInDraft, type SignInField, signInDraftOf, signInOf } from './sign-in-draft.ts'

/** The values of the server form as typed, for both kinds, so that switching loses nothing. */
export interface ServerDraft {
  readonly name: string
  readonly kind: 'local' | 'remote'
  readonly command: string
  /** One line, quoted as in a shell. */
  readonly args: string
  readonly env: readonly PairDraft[]
  readonly cwd: string
  readonly url: string
  readonly headers: readonly PairDraft[]
  readonly signIn: SignInDraft
  /** Seconds as typed; empty for the timeouts of all servers. */
  readonly requestTimeout: string
  readonly maxRequestTime: string
  readonly startTimeout: string
  readonly era: ServerOptions['era']
  readonly draftProfile: boolean
}

type TimeField = keyof ServerTimeouts

/** The field of a problem; rows carry their key. */
export type DraftField =
  | 'name'
  | 'command'
  | 'args'
  | 'cwd'
  | 'url'
  | TimeField
  | SignInField
  | `env-${number}`
  | `headers-${number}`

export interface DraftFieldsProps {
  readonly draft: ServerDraft
  readonly onChange: (part: Partial<ServerDraft>) => void
  readonly errors: ReadonlyMap<DraftField, string>
}

type DraftCheck =
  | { readonly ok: true; readonly config: ServerConfig }
  | { readonly ok: false; readonly errors: ReadonlyMap<DraftField, string> }

export function emptyDraft(): ServerDraft {
  return {
    name: '',
    kind: 'local',
    command: '',
    args: '',
    env: [emptyPair()],
    cwd: '',
    url: '',
    headers: [emptyPair()],
    signIn: NO_CLIENT,
    requestTimeout: '',
    maxRequestTime: '',
    startTimeout: '',
    era: DEFAULT_SERVER_OPTIONS.era,
    draftProfile: DEFAULT_SERVER_OPTIONS.draftProfile,
  }
}

export function serverDraftOf(server: ServerRecord): ServerDraft {
  const { launch, options } = server
  const draft = {
    ...emptyDraft(),
    name: server.name,
    requestTimeout: typed(options.requestTimeout),
    maxRequestTime: typed(options.maxRequestTime),
    startTimeout: typed(options.startTimeout),
    era: options.era,
    draftProfile: options.draftProfile,
  }
  switch (launch.type) {
    case 'local':
      return {
        ...draft,
        command: launch.command,
        args: joinCommandLine(launch.args),
        env: pairsOf(launch.env),
        cwd: launch.cwd ?? '',
      }
    case 'remote':
      return {
        ...draft,
        kind: 'remote',
        url: launch.url,
        headers: pairsOf(launch.headers),
        signIn: signInDraftOf(server.signsInAs),
      }
    case 'built-in':
      return draft
  }
}

/** For another account at a remote server. Its headers and its client are left out: they may be the first account’s. */
export function otherAccountDraft(server: ServerRecord, takenNames: ReadonlySet<string>): ServerDraft {
  const { headers, signIn } = emptyDraft()
  return { ...serverDraftOf(server), name: freeServerName(server.name, [...takenNames]), headers, signIn }
}

/** Fills the form from a pasted entry, except for a name that was typed. */
export function fillFrom(draft: ServerDraft, pasted: PastedServer): ServerDraft {
  const name = draft.name || pasted.name || ''
  if (pasted.url !== undefined) {
    return { ...draft, name, kind: 'remote', url: pasted.url, headers: pairsFrom(pasted.headers) }
  }
  return {
    ...draft,
    name,
    kind: 'local',
    command: pasted.command ?? '',
    args: joinCommandLine(pasted.args),
    env: pairsFrom(pasted.env),
    cwd: pasted.cwd ?? '',
  }
}

/** Runners whose first word that is no option names a published package. */
const RUNNER = /^(?:npx|pnpx|bunx|uvx)(?:\.cmd|\.exe)?$/

/** Interpreters whose first word that is no option is a script. */
const INTERPRETER = /^(?:node|bun|python3?)(?:\.exe)?$/
/** Files and folders that every server has. */
const COMMON = new Set(['index', 'main', 'server', 'cli', 'dist', 'build', 'src', 'lib', 'bin', 'out'])

/** "filesystem" for `npx -y @modelcontextprotocol/server-filesystem`, "weather" for `node weather/build/index.js`; else empty. */
function nameIn({ command, args }: ParsedCommand): string {
  const spec = args.find((word) => !word.startsWith('-')) ?? ''
  const [, scope = '', name = ''] = RUNNER.test(command)
    ? (/^(?:@([\w.-]+)\/)?([\w.-]+)/.exec(spec) ?? [])
    : ['', '', INTERPRETER.test(command) ? scriptName(spec) : '']
  return name.replace(/^(?:mcp-)?(?:server-)?|(?:-mcp)?(?:-server)?$/g, '').replace(/^mcp$/, '') || scope || name
}

/** The last part of a path that is the server's own. */
const scriptName = (path: string) =>
  path
    .split(/[\\/]/)
    .map((part) => part.replace(/\.\w+$/, ''))
    .findLast((part) => /^[\w.-]+$/.test(part) && !COMMON.has(part)) ?? ''

/** Splits a command line; its variables join those of the form. Its package or script names a server without a name. */
export function fillFromLine(draft: ServerDraft, line: ParsedCommand): ServerDraft {
  const named = new Set(Object.keys(line.env))
  const kept = draft.env.filter((pair) => pair.name.trim() !== '' && !named.has(pair.name.trim()))
  const env = [...kept, ...(named.size > 0 ? pairsFrom(line.env) : [])]
  const name = draft.name || nameIn(line)
  return { ...draft, name, command: line.command, args: joinCommandLine(line.args), env: env.length > 0 ? env : [emptyPair()] }
}

/** Checks the form and builds the configuration, without empty rows. */
export function checkDraft(draft: ServerDraft, takenNames: ReadonlySet<string>): DraftCheck {
  const errors = new Map<DraftField, string>()
  const name = draft.name.trim()
  const taken = [...takenNames].find((one) => sameServerName(one, name))
  const badName = serverNameProblem(name) ?? (taken === undefined ? undefined : `A server named ${taken} already exists`)
  if (badName !== undefined) errors.set('name', badName)

  const launch = draft.kind === 'local' ? localLaunch(draft, errors) : remoteLaunch(draft, errors)
  const signIn = draft.kind === 'remote' ? signInOf(draft.signIn, (field, why) => errors.set(field, why)) : undefined
  const requestTimeout = seconds(draft.requestTimeout, 'requestTimeout', errors)
  const maxRequestTime = seconds(draft.maxRequestTime, 'maxRequestTime', errors)
  const startTimeout = seconds(draft.startTimeout, 'startTimeout', errors)
  if (requestTimeout !== null && maxRequestTime !== null && maxRequestTime < requestTimeout) {
    errors.set('maxRequestTime', 'Cannot be shorter than the request timeout')
  }
  if (errors.size > 0) return { ok: false, errors }
  const { era, draftProfile } = draft
  return {
    ok: true,
    config: {
      name,
      launch,
      options: { requestTimeout, maxRequestTime, startTimeout, era, draftProfile },
      ...(signIn && { signIn }),
    },
  }
}

function localLaunch(draft: ServerDraft, errors: Map<DraftField, string>): ServerConfig['launch'] {
  const command = draft.command.trim()
  if (command === '') errors.set('command', 'Enter the program to start, like npx or /usr/bin/python3')
  const split = splitCommandLine(draft.args)
  if (!split.ok) errors.set('args', split.error)
  const cwd = draft.cwd.trim()
  const env = pairValues(draft.env, 'env', errors, (name, value) => {
    if (!VARIABLE_NAME.test(name)) return 'A variable’s name cannot contain ='
    return value.includes('\0') ? 'A value cannot contain a NUL character' : undefined
  })
  return { type: 'local', command, args: split.ok ? split.words : [], env, ...(cwd !== '' && { cwd }) }
}

function remoteLaunch(draft: ServerDraft, errors: Map<DraftField, string>): ServerConfig['launch'] {
  const url = draft.url.trim()
  const error = url === '' ? 'Enter the server’s address, like https://example.org/mcp' : addressProblem(url)
  if (error !== undefined) errors.set('url', error)
  const headers = pairValues(draft.headers, 'headers', errors, headerProblem)
  return { type: 'remote', url, headers }
}

const typed = (milliseconds: number | null) => (milliseconds === null ? '' : String(milliseconds / 1_000))

function seconds(text: string, field: TimeField, errors: Map<DraftField, string>): number | null {
  if (text.trim() === '') return null
  const milliseconds = Math.round(Number(text) * 1_000)
  if (!fits(milliseconds, REQUEST_TIME)) {
    errors.set(field, `Enter ${REQUEST_TIME.least / 1_000} to ${REQUEST_TIME.most / 1_000} seconds`)
  }
  return milliseconds
}

function pairsFrom(values: Readonly<Record<string, string>>): readonly PairDraft[] {
  return pairsOf(Object.fromEntries(Object.entries(values).map(([name, text]) => [name, { text }])))
}
