import type { MessageBoxOptions } from 'electron'
import { quotedWords } from '../../../src-shared/base/quoted-words.ts'
import { ADDRESS_WARNINGS, webAddress } from '../../../src-shared/base/web-address.ts'
import type { FencePolicy, LaunchSummary, LaunchVariable } from '../../../src-shared/contract/servers.ts'
import type { NamedLaunch } from '../../host/core/platform.ts'
import { boxName, nativeBoxes } from './native-boxes.ts'

/** Native boxes for starting servers of one kind, which only they can allow. They show every launch in full. */
export function trustBoxes(servers: readonly NamedLaunch[]): readonly MessageBoxOptions[] | undefined {
  const [first, ...others] = servers
  if (!first) return undefined
  const verb = first.launch.type === 'local' ? 'Start' : 'Connect to'
  const several = others.length > 0
  return nativeBoxes({
    message: several ? `${verb} these ${servers.length} servers?` : `${verb} “${boxName(first.name)}”?`,
    intro: `Parley will ${ONE_OR_SEVERAL[first.launch.type][several ? 'several' : 'one']}`,
    lines: several ? servers.flatMap(numbered) : linesOf(first),
    advice: 'Only allow what you know and trust.',
  })
}

const ONE_OR_SEVERAL = {
  local: { one: 'run this program on your computer', several: 'run these programs on your computer' },
  remote: { one: 'connect to this address', several: 'connect to these addresses' },
} satisfies Record<LaunchSummary['type'], { one: string; several: string }>

const linesOf = ({ launch, folders = [] }: NamedLaunch) => [
  ...(launch.type === 'remote' ? remote(launch) : local(launch)),
  ...folders.map((path) => `shared folder ${quotedWords([path])}`),
]

/** Indents the details, so that none looks like the next server. */
function numbered(server: NamedLaunch, at: number): string[] {
  return [`${at + 1}. ${server.name}`, ...linesOf(server).map((line) => `    ${line}`)]
}

function remote({ url, headers }: Extract<LaunchSummary, { type: 'remote' }>): string[] {
  const { href, warnings } = webAddress(url) ?? { href: url, warnings: [] }
  return [
    href,
    ...warnings.map((warning) => ADDRESS_WARNINGS[warning]),
    ...headers.map((header) => `Header ${shown(header, ': ')}`),
  ]
}

function networkWords(network: FencePolicy['network']): string {
  if (network === 'any') return 'with the network'
  if (network === 'none' || network.hosts.length === 0) return 'without the network'
  return `reaching ${network.hosts.join(', ')}`
}

function fenceLines({ network, folders }: FencePolicy): string[] {
  return [
    `behind a fence, ${networkWords(network)}`,
    ...folders.map(({ path, write }) => `${write ? 'changes files in' : 'reads'} ${quotedWords([path])}`),
  ]
}

function local({
  command,
  resolved,
  args,
  cwd,
  env,
  code = [],
  open,
  fence,
}: Extract<LaunchSummary, { type: 'local' }>): string[] {
  return [
    quotedWords([resolved ?? command, ...args]),
    `in ${cwd}`,
    ...env.map((variable) => `with ${shown(variable, '=')}${variable.can ? `  (${CAN[variable.can]})` : ''}`),
    ...code.map((file) => `script ${file}`),
    ...(open ? [open] : []),
    ...(fence ? fenceLines(fence) : []),
  ]
}

const CAN = {
  'load-code': 'can load other code',
  'change-downloads': 'can change what is downloaded',
  'redirect-traffic': 'can redirect its traffic',
  unknown: 'not known to be harmless',
} satisfies Record<NonNullable<LaunchVariable['can']>, string>

function shown({ name, value }: LaunchVariable, sign: string): string {
  return value === undefined ? `${name} (stored secret)` : `${name}${sign}${value}`
}
