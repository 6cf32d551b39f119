import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'

const FENCE = '````'

/** A file for the server's maintainers: the doctor's report and the recorded messages, both without secrets. */
export function bugReport(name: string, report: string, entries: readonly TrafficEntry[], version: string): string {
  return [
    `# Report about ${name.replace(/\s+/g, ' ')}`,
    '',
    `Written by Parley ${version}. Known secrets are redacted; read it before you share it.`,
    '',
    FENCE,
    inert(report),
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
