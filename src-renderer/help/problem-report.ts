import { redactUnknown } from '../../src-shared/base/secrets.ts'
import type { Problem } from '../../src-shared/contract/errors.ts'
import type { HostSnapshot } from '../../src-shared/contract/events.ts'
import type { ServerRecord } from '../../src-shared/contract/servers.ts'
import { isUsable } from '../state/selectors.ts'

/** In characters. */
const ERROR_LENGTH = 1_000
const MAX_ERRORS = 30

interface WindowFacts {
  /** The user agent. */
  readonly browser: string
  /** Failures in this window, oldest first. */
  readonly failures: readonly { readonly at: number; readonly text: string }[]
}

/** Versions and errors as a text, without keys and without the name of the home folder. */
export function problemReport(host: HostSnapshot, { browser, failures }: WindowFacts): string {
  const servers = Object.values(host.servers)
  const errors = [
    ...servers.flatMap((server) => errorsOf(server).map((problem) => line(`Server ${server.name} (${about(server)})`, problem))),
    ...host.providers.flatMap(({ name, kind, problem }) => (problem ? line(`Models ${name} (${kind})`, problem) : [])),
    ...host.notices.flatMap(({ level, problem }) => (level === 'info' ? [] : line('Parley', problem))),
    ...failures.map(({ at, text }) => `- ${new Date(at).toISOString()} ${text.slice(0, ERROR_LENGTH)}`),
  ]
  const shell = host.shell === 'electron' ? 'desktop app' : 'in the browser'
  const ready = servers.filter(isUsable).length
  return redacted(
    [
      `Parley ${host.version}, ${shell}, ${host.platform || 'unknown platform'}`,
      browser,
      `Servers: ${ready} of ${servers.length} ready. Model providers: ${host.providers.map(({ kind }) => kind).join(', ')}.`,
      '',
      ...(errors.length > 0 ? ['Errors', ...errors.slice(0, MAX_ERRORS)] : ['No errors now.']),
      '',
    ].join('\n'),
  )
}

function errorsOf({ state, problem }: ServerRecord): Problem[] {
  const now = 'problem' in state ? [state.problem] : []
  return problem ? [problem, ...now] : now
}

function about({ launch, hello }: ServerRecord): string {
  return [launch.type, ...(hello ? [`protocol ${hello.revision}`] : [])].join(', ')
}

function line(of: string, { code, what, said }: Problem): string {
  return `- ${of}: ${[`[${code}]`, what, ...(said ? [`It said: ${said}`] : [])].join(' ').slice(0, ERROR_LENGTH)}`
}

/** A home folder mostly has the name of its person. */
const HOMES = /(?:\/(?:home|Users)\/|[a-z]:\\{1,2}Users\\{1,2})[^\s/\\"':,]+/gi

const redacted = (text: string) => redactUnknown(text).replace(HOMES, '~')
