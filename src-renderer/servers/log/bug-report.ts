import type { TrafficEntry } from '../../../src-shared/contract/servers.ts'

const FENCE = '````'

/** A report for the maintainers of a server: diagnosis and traffic, both without secrets. */
export function bugReport(name: string, report: string, entries: readonly TrafficEntry[], version: string): string {
  return [
    `# Report about ${name.replace(/\s+/g, ' ')}`,
    '',
    `Written by Parley ${version}. Known secrets are redacted; read it before you share it.`,
    '',
    FENCE,
    withoutFences(report),
    FENCE,
    '',
    '## Traffic',
    '',
    FENCE,
    ...entries.map((entry) => `${new Date(entry.at).toISOString()} ${entry.direction.padEnd(8)} ${withoutFences(entry.text)}`),
    FENCE,
    '',
  ].join('\n')
}

/** A text cannot end its fence. */
function withoutFences(text: string): string {
  return text.replaceAll(FENCE, '` ` ` `')
}
