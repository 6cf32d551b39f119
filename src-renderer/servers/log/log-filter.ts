import type { ServerLogLine } from '../../../src-shared/contract/servers.ts'
import { LOG_LEVELS, type LogLevel } from '../../../src-shared/mcp/primitives.ts'

export interface LogFilter {
  readonly source: ServerLogLine['source'] | 'all'
  /** Lines without a level always pass: output of a program is neutral. */
  readonly level: LogLevel
  readonly search: string
}

export const SHOW_ALL: LogFilter = { source: 'all', level: 'debug', search: '' }

export const SOURCE_LABELS: Readonly<Record<ServerLogLine['source'], string>> = {
  stderr: 'Output',
  log: 'Message',
  host: 'Parley',
}

export function passesLogFilter(line: ServerLogLine, filter: LogFilter): boolean {
  if (filter.source !== 'all' && line.source !== filter.source) return false
  if (line.level && LOG_LEVELS.indexOf(line.level) < LOG_LEVELS.indexOf(filter.level)) return false
  const search = filter.search.trim().toLowerCase()
  return search === '' || line.text.toLowerCase().includes(search) || (line.logger?.toLowerCase().includes(search) ?? false)
}

/** "09:04:31.250", in the person's time zone. */
export function clockTime(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

export function lineText(line: ServerLogLine): string {
  const from = [SOURCE_LABELS[line.source], line.level, line.logger].filter(Boolean).join(' ')
  return `${new Date(line.at).toISOString()} ${from}: ${line.text}`
}
