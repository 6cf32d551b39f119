import type { MessageBoxOptions } from 'electron'
import { ADDRESS_WARNINGS, webAddress } from '../../../src-shared/base/web-address.ts'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'

export const DENY = 0
export const ALLOW = 1
/** A native box does not scroll: beyond this a person could not see the end, and the page shows all of it. */
const MOST = 3_000

/** The box that alone can allow a server to start in the desktop app. Deny is the default and what closing it means. */
export function trustBox(name: string, launch: LaunchSummary): MessageBoxOptions {
  const what = launch.type === 'local' ? 'run this program on your computer' : 'connect to this address'
  return {
    type: 'warning',
    title: 'Parley',
    message: `Start “${bounded(escaped(name), 100)}”?`,
    detail: `Parley will ${what}:\n\n${bounded(exactly(launch), MOST)}\n\nOnly allow what you know and trust.`,
    buttons: ['Deny', 'Allow'],
    defaultId: DENY,
    cancelId: DENY,
    noLink: true,
  }
}

function exactly(launch: LaunchSummary): string {
  const lines = launch.type === 'remote' ? remote(launch) : local(launch)
  return lines.map((line) => escaped(line)).join('\n')
}

function remote({ url, headers }: Extract<LaunchSummary, { type: 'remote' }>): string[] {
  const { href, warnings } = webAddress(url) ?? { href: url, warnings: [] }
  return [href, ...warnings.map((warning) => ADDRESS_WARNINGS[warning]), ...headers.map((header) => `Header ${header.name}`)]
}

function local({ command, resolved, args, cwd, env }: Extract<LaunchSummary, { type: 'local' }>): string[] {
  const variables = env.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))
  const whole = [resolved ?? command, ...args].map(quoted).join(' ')
  return [whole, `in ${cwd}`, ...(variables.length > 0 ? [`with ${variables.join(', ')}`] : [])]
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Line breaks, control, direction and zero-width characters become visible. */
function escaped(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
}

/** The middle gives way when it is too long, so that both ends are seen. */
function bounded(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters more; see them in Parley's own question …\n${text.slice(-half)}`
}
