import type { MessageBoxOptions } from 'electron'
import { ADDRESS_WARNINGS, webAddress } from '../../../src-shared/base/web-address.ts'
import type { LaunchSummary, LaunchVariable } from '../../../src-shared/contract/servers.ts'

export const DENY = 0
export const ALLOW = 1
/** What a native box shows at once, for it does not scroll. */
const LINE = 100
const LINES = 24
/** Boxes that a person can be expected to read. */
const MOST_PAGES = 12

/**
 * The boxes that alone can allow a server to start in the desktop app, one after another, with the whole launch on them and "Allow"
 * on the last. Deny is the default and what closing one means. Undefined for a launch that is too long to be read.
 */
export function trustBoxes(name: string, launch: LaunchSummary): readonly MessageBoxOptions[] | undefined {
  const verb = launch.type === 'local' ? 'Start' : 'Connect to'
  const what = launch.type === 'local' ? 'run this program on your computer' : 'connect to this address'
  const lines = exactly(launch).flatMap(wrapped)
  const pages = Math.ceil(lines.length / LINES)
  if (pages > MOST_PAGES) return undefined
  return Array.from({ length: pages }, (_, page) => {
    const shown = lines.slice(page * LINES, (page + 1) * LINES).join('\n')
    const last = page === pages - 1
    const place = pages > 1 ? ` (page ${page + 1} of ${pages})` : ''
    return {
      type: 'warning',
      title: 'Parley',
      message: `${verb} “${escaped(name).slice(0, 200)}”?`,
      detail: `Parley will ${what}${place}:\n\n${shown}${last ? '\n\nOnly allow what you know and trust.' : ''}`,
      buttons: ['Deny', last ? 'Allow' : 'Next'],
      defaultId: DENY,
      cancelId: DENY,
      noLink: true,
    }
  })
}

function exactly(launch: LaunchSummary): string[] {
  return (launch.type === 'remote' ? remote(launch) : local(launch)).map(escaped)
}

/** Cut without losing a character; what goes on is set in. */
function wrapped(line: string): string[] {
  const rows = line.match(new RegExp(`.{1,${LINE}}`, 'gsu')) ?? ['']
  return rows.map((row, n) => (n === 0 ? row : `  ${row}`))
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

/** Line breaks, control, direction and zero-width characters become visible. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
}
