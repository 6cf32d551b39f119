import type { Range } from '../../src-shared/base/range.ts'
import { REQUEST_TIME, type ServerTimeouts } from '../../src-shared/contract/settings.ts'

/** In milliseconds. */
export const SECOND = 1_000
/** In seconds, the unit of the fields. */
export const TIMEOUT_RANGE: Range = { least: REQUEST_TIME.least / SECOND, most: REQUEST_TIME.most / SECOND }

/** The fields of the settings for all servers and of the options of one. */
export const TIMEOUT_FIELDS: readonly {
  readonly field: keyof ServerTimeouts
  readonly label: string
  readonly hint: string
}[] = [
  {
    field: 'requestTimeout',
    label: 'Request timeout (seconds)',
    hint: 'Then you are asked whether to keep waiting. Progress restarts it.',
  },
  {
    field: 'maxRequestTime',
    label: 'Maximum request time (seconds)',
    hint: 'Even with progress. Time you take to answer does not count.',
  },
  {
    field: 'startTimeout',
    label: 'Start timeout (seconds)',
    hint: 'Servers that need downloading get at least 5 minutes.',
  },
]
