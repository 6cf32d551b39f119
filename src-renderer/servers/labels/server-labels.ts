import { assertNever } from '../../../src-shared/base/json.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { CatalogCounts, ConfigValue, Launch, ServerRecord, ServerState } from '../../../src-shared/contract/servers.ts'
import { isUsable, NEEDS_YOU } from '../../state/selectors.ts'
import { counted } from '../../ui/amounts.ts'
import type { StatusDotProps } from '../../ui/StatusDot.tsx'
import { joinCommandLine } from './command-line.ts'

export function stateLabel({ state, problem }: Pick<ServerRecord, 'state' | 'problem'>): StatusDotProps {
  switch (state.is) {
    case 'ready':
      return { tone: 'ok', word: 'Ready' }
    case 'idle':
      return { tone: 'idle', word: 'Starts when needed' }
    case 'starting':
      return { tone: 'wait', word: state.step === 'installing' ? 'Installing' : 'Starting' }
    case 'restarting':
      return { tone: 'wait', word: 'Restarting' }
    case 'stopping':
      return { tone: 'wait', word: 'Stopping' }
    case 'asking':
      return { tone: 'wait', word: NEEDS_YOU }
    case 'failed':
      return { tone: 'fail', word: 'Failed' }
    case 'needs-sign-in':
      return { tone: 'wait', word: 'Sign-in needed' }
    case 'stopped':
      if (problem) return { tone: 'fail', word: 'Unusable' }
      return {
        tone: 'idle',
        word: { 'not-enabled': 'Off', stopped: 'Stopped', denied: 'Not allowed', 'not-started': 'Not started' }[state.why],
      }
    default:
      return assertNever(state)
  }
}

/** The state in one sentence; undefined when the label says enough. */
export function stateSentence({ state, options }: Pick<ServerRecord, 'state' | 'options'>): string | undefined {
  switch (state.is) {
    case 'asking':
      return 'Waiting for your approval.'
    case 'starting': {
      const attempt = state.attempt > 1 ? ` Attempt ${state.attempt}.` : ''
      return STEP_SENTENCES[state.step] + attempt
    }
    case 'restarting':
      return `It stopped. Attempt ${state.attempt} of ${state.of}.`
    case 'stopping':
      return 'Finishing.'
    case 'stopped':
      return state.why === 'denied' ? 'You denied it.' : options.enabled ? undefined : 'Turn it on to start it.'
    case 'needs-sign-in':
      return 'Requires sign-in.'
    case 'idle':
    case 'ready':
    case 'failed':
      return undefined
    default:
      return assertNever(state)
  }
}

const STEP_SENTENCES = {
  launching: 'Starting the program.',
  installing: 'Installing … The first start can take a while.',
  handshake: 'Connecting …',
  listing: 'Reading its tools, resources and prompts.',
} as const

export function problemOf({ state, problem }: Pick<ServerRecord, 'state' | 'problem'>): Problem | undefined {
  return state.is === 'failed' || state.is === 'restarting' ? state.problem : problem
}

/** The most telling line of output, which the host puts first. */
export function saidLine({ said }: Problem): string | undefined {
  const [first] = said?.trim().split('\n', 1) ?? []
  return first || undefined
}

/** The progress of a download. */
export function installerLine({ state }: Pick<ServerRecord, 'state'>): string | undefined {
  return state.is === 'starting' && state.step === 'installing' ? state.said : undefined
}

export function launchLine(launch: Launch): string {
  switch (launch.type) {
    case 'local':
      return joinCommandLine([launch.command, ...launch.args])
    case 'remote':
      return launch.url
    case 'built-in':
      return 'Built in'
    default:
      return assertNever(launch)
  }
}

/** The same with long paths cut at their beginning: their ends tell servers apart. */
export function launchEnd(launch: Launch): string {
  if (launch.type !== 'local') return launchLine(launch)
  return joinCommandLine([launch.command, ...launch.args].map((word) => word.replace(LONG_PATH, '…/$1')))
}

/** All but the last three names of a path. */
const LONG_PATH = /^(?:[A-Za-z]:)?[\\/].*[\\/]([^\\/]+[\\/][^\\/]+[\\/][^\\/]+)$/

/** Variables or headers. */
export function valuesOf(launch: Launch): Readonly<Record<string, ConfigValue>> {
  switch (launch.type) {
    case 'local':
      return launch.env
    case 'remote':
      return launch.headers
    case 'built-in':
      return {}
  }
}

/** "12 tools · 3 resources", empty when it offers nothing. */
export function offerLine(catalog: CatalogCounts): string {
  const resources = catalog.resources + catalog.templates
  return [
    catalog.tools > 0 && counted(catalog.tools, 'tool'),
    resources > 0 && counted(resources, 'resource'),
    catalog.prompts > 0 && counted(catalog.prompts, 'prompt'),
  ]
    .filter((part) => part !== false)
    .join(' · ')
}

/** "3 of 5 servers ready", and how many are off. */
export function readyLine(servers: readonly ServerRecord[]): string {
  const off = servers.filter((server) => server.state.is === 'stopped' && !server.options.enabled).length
  const ready = servers.filter(isUsable).length
  const line = `${ready} of ${counted(servers.length - off, 'server')} ready`
  return off > 0 ? `${line}, ${off} off` : line
}

/** True while a process or connection exists or is being made. */
export function isUp({ state }: Pick<ServerRecord, 'state'>): boolean {
  return UP[state.is]
}

const UP: Readonly<Record<ServerState['is'], boolean>> = {
  asking: true,
  starting: true,
  ready: true,
  restarting: true,
  idle: false,
  stopping: false,
  stopped: false,
  failed: false,
  'needs-sign-in': false,
}
