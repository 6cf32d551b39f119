import type { MessageBoxOptions } from 'electron'
import { ADDRESS_WARNINGS, webAddress } from '../../../src-shared/base/web-address.ts'
import type { LaunchSummary, LaunchVariable } from '../../../src-shared/contract/servers.ts'
import { boxName, nativeBoxes } from './native-boxes.ts'

/** The boxes that alone can allow a server to start in the desktop app, with the whole launch on them. */
export function trustBoxes(name: string, launch: LaunchSummary): readonly MessageBoxOptions[] | undefined {
  const verb = launch.type === 'local' ? 'Start' : 'Connect to'
  const what = launch.type === 'local' ? 'run this program on your computer' : 'connect to this address'
  return nativeBoxes({
    message: `${verb} “${boxName(name)}”?`,
    intro: `Parley will ${what}`,
    lines: launch.type === 'remote' ? remote(launch) : local(launch),
    advice: 'Only allow what you know and trust.',
  })
}

function remote({ url, headers }: Extract<LaunchSummary, { type: 'remote' }>): string[] {
  const { href, warnings } = webAddress(url) ?? { href: url, warnings: [] }
  return [
    href,
    ...warnings.map((warning) => ADDRESS_WARNINGS[warning]),
    ...headers.map((header) => `Header ${shown(header, ': ')}`),
  ]
}

function local({ command, resolved, args, cwd, env, code = [], open }: Extract<LaunchSummary, { type: 'local' }>): string[] {
  return [
    [resolved ?? command, ...args].map(quoted).join(' '),
    `in ${cwd}`,
    ...env.map((variable) => `with ${shown(variable, '=')}${variable.can ? `  (${CAN[variable.can]})` : ''}`),
    ...code.map((file) => `script ${file}`),
    ...(open ? [open] : []),
  ]
}

const CAN = {
  'load-code': 'can load other code',
  'change-downloads': 'can change what is downloaded',
  'redirect-traffic': 'can redirect its traffic',
} satisfies Record<NonNullable<LaunchVariable['can']>, string>

function shown({ name, value }: LaunchVariable, sign: string): string {
  return value === undefined ? `${name} (stored secret)` : `${name}${sign}${value}`
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
