import { LOG_LEVELS, type LogLevel, type LogMessage } from '../../src-shared/mcp/primitives.ts'
import { bounded } from '../protocol/shapes/border.ts'
import { LimitError, type Limits } from '../protocol/shapes/limits.ts'

/** `problem` says what is wrong with the entry. */
export type LogEntry = LogMessage & { readonly problem?: string }

function isLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.some((level) => level === value)
}

/** Keeps every entry, and notes what is wrong with it (LOG-10, LOG-15). */
export function logEntry(
  params: Record<string, unknown>,
  declared: boolean,
  least: LogLevel | undefined,
  limits: Limits,
  asked = true,
): LogEntry {
  const problems: string[] = []
  if (!asked) problems.push('nobody asked for it')
  const level = isLevel(params.level) ? params.level : 'info'
  if (!isLevel(params.level)) problems.push('its level is not known')
  else if (least !== undefined && LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least))
    problems.push('it is below the level asked for')
  if (!declared) problems.push('the server did not announce logging')
  const logger = typeof params.logger === 'string' ? params.logger.slice(0, 1000) : undefined
  let data: unknown = params.data ?? null
  if (!('data' in params)) problems.push('it carries nothing')
  try {
    bounded(data, 'The entry', limits, limits.maxLogValues)
    if (typeof data === 'string' && data.length > limits.maxLabelLength) {
      data = `${data.slice(0, limits.maxLabelLength)}…`
      problems.push('it was cut')
    }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error
    data = '[left out]'
    problems.push(error.message)
  }
  return {
    level,
    ...(logger !== undefined && { logger }),
    data,
    ...(problems.length > 0 && { problem: problems.join('; ') }),
  }
}
