import type { TrafficEntry } from '../../../src-shared/contract/requests.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { problemReport } from '../words/problem-report.ts'

const FENCE = '````'

/**
 * A file for whoever maintains the server: what it is, how it fares, and what was said on the wire. The entries are recorded
 * without secrets; values of variables and headers are not part of the report.
 */
export function bugReport(server: ServerRecord, entries: readonly TrafficEntry[], version: string): string {
  return [
    `# Report about ${server.name.replace(/\s+/g, ' ')}`,
    '',
    `Written by Parley ${version}. Known secrets are redacted; read it before you share it.`,
    '',
    FENCE,
    inert(problemReport(server)),
    FENCE,
    '',
    '## Traffic',
    '',
    FENCE,
    ...entries.map((entry) => `${new Date(entry.at).toISOString()} ${entry.direction.padEnd(8)} ${inert(entry.text)}`),
    FENCE,
    '',
  ].join('\n')
}

/** Nothing in it ends the frame that it stands in. */
function inert(text: string): string {
  return text.replaceAll(FENCE, '` ` ` `')
}
