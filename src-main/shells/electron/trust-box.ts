import type { MessageBoxOptions } from 'electron'
import type { LaunchSummary } from '../../../src-shared/contract/servers.ts'

export const DENY = 0
export const ALLOW = 1
/** A native box does not scroll: beyond this a person could not see the end, and the page shows all of it. */
const MOST = 3_000

/** The box that alone can allow a server to start in the desktop app (ruling 2). Deny is the default and what closing it means. */
export function trustBox(name: string, launch: LaunchSummary): MessageBoxOptions {
  const what = launch.type === 'local' ? 'run this program on your computer' : 'connect to this address'
  return {
    type: 'warning',
    title: 'Parley',
    message: `Start “${visible(name, 100)}”?`,
    detail: `Parley will ${what}:\n\n${visible(exactly(launch), MOST)}\n\nOnly allow what you know and trust.`,
    buttons: ['Deny', 'Allow'],
    defaultId: DENY,
    cancelId: DENY,
    noLink: true,
  }
}

function exactly(launch: LaunchSummary): string {
  if (launch.type === 'remote') {
    return [launch.url, ...launch.headers.map((header) => `Header ${header.name}`)].join('\n')
  }
  const command = [launch.resolved ?? launch.command, ...launch.args].map(quoted).join(' ')
  const variables = launch.env.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))
  return [command, `in ${launch.cwd}`, ...(variables.length > 0 ? [`with ${variables.join(', ')}`] : [])].join('\n')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Control, direction and zero-width characters as escapes; the middle gives way when it is too long, so that both ends are seen. */
function visible(text: string, most: number): string {
  const shown = text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`)
  if (shown.length <= most) return shown
  const half = Math.floor(most / 2)
  return `${shown.slice(0, half)}\n… ${shown.length - 2 * half} characters more; see them in Parley's own question …\n${shown.slice(-half)}`
}
