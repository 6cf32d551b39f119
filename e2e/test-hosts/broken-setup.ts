import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { OpenStorage } from '../../src-main/storage/open-storage.ts'
import type { CheckId, Diagnosis } from '../../src-shared/contract/doctor.ts'
import type { Remedy } from '../../src-shared/contract/errors.ts'
import type { ServerConfig } from '../../src-shared/contract/servers.ts'
import type { ManualClock } from '../support/manual-clock.ts'
import { until } from '../support/until.ts'
import { ServerHost, type ServerHostOptions, temporaryFolder } from './server-host.ts'

/** A folder with a home, programs and files of its own. */
export interface Box {
  readonly folder: string
  /** Writes a file, executable by default, and returns its path. */
  write(path: string, content: string | Buffer, mode?: number): Promise<string>
}

/** A server that is set up wrongly. */
export interface Setup {
  readonly launch: ServerConfig['launch']
  /** Written into mcp.json directly, for an entry that no form accepts. */
  readonly byHand?: boolean
  readonly options?: ServerConfig['options']
  readonly host?: ServerHostOptions | undefined
  /** Lets time pass until it fails. */
  readonly clock?: ManualClock
  /** Seconds that may pass, so that a slow machine does not count as a slow server. */
  readonly seconds?: (parley: ServerHost) => number
}

export interface Expected {
  readonly check: CheckId
  readonly code: string
  /** Matches the sentence, the server's message or the advice. */
  readonly words: RegExp
  /** Remedies that must be offered. */
  readonly remedies: readonly (Remedy['is'] | Partial<Remedy>)[]
  /** The problem before the diagnosis, if that says less. */
  readonly first?: string
  readonly state?: 'failed' | 'needs-sign-in' | 'ready'
}

/** Time stands still until the server has printed this, or this has passed over HTTP. */
export const after =
  (words: RegExp) =>
  (parley: ServerHost): number => {
    const { log, traffic } = parley.host.servers.configured.get(parley.record('it').id)
    const heard = [...log.since(0, 'stderr'), ...log.since(0, 'host'), ...traffic.read().entries.map(({ text }) => text)]
    return heard.some((text) => words.test(text)) ? Number.POSITIVE_INFINITY : 0
  }

export async function box(): Promise<Box> {
  const folder = await temporaryFolder()
  return {
    folder,
    async write(path, content, mode = 0o755) {
      const whole = join(folder, path)
      await mkdir(dirname(whole), { recursive: true })
      await writeFile(whole, content)
      await chmod(whole, mode)
      return whole
    },
  }
}

/** Sets it up, allows it, waits until it fails, and diagnoses it. */
export async function diagnosed(
  { launch, options = {}, host, clock, seconds = () => Number.POSITIVE_INFINITY, byHand = false }: Setup,
  is: 'failed' | 'needs-sign-in' | 'ready',
): Promise<{ readonly diagnosis: Diagnosis; readonly first: string | undefined; readonly parley: ServerHost }> {
  const { type: _type, ...entry } = launch
  const prepare = ({ serverFile }: OpenStorage) => writeFile(serverFile.path, JSON.stringify({ mcpServers: { it: entry } }))
  const parley = await ServerHost.open({ ...host, ...(clock && { clock }), ...(byHand && { prepare }) })
  if (byHand) await until(() => parley.host.servers.configured.all().length > 0, 'its entry to be read')
  else await parley.host.servers.edits.add({ name: 'it', launch, options })
  await parley.answer('it', 'allow')
  let passed = 0
  await until(() => {
    if (passed++ < seconds(parley)) clock?.advance(1000)
    else passed -= 1
    return parley.record('it').state.is === is
  }, `it to be ${is}`)
  const { state } = parley.record('it')
  const first = 'problem' in state ? state.problem.code : undefined
  const diagnosis = await parley.host.servers.doctor.diagnose(parley.record('it').id, new AbortController().signal)
  return { diagnosis, first, parley }
}

/** Checks the finding, its check, text and remedies, and that the server's row and the report say the same. */
export async function expectFound(setup: Setup, expected: Expected): Promise<void> {
  const { check, code, words, remedies, state: is = 'failed' } = expected
  const { diagnosis, first, parley } = await diagnosed(setup, is)
  const { finding, checks, report } = diagnosis
  expect(finding).toMatchObject({ code })
  expect([finding?.what, finding?.said, finding?.todo].join('\n')).toMatch(words)
  expect(finding?.what).toMatch(/\.$/)
  for (const remedy of remedies) {
    expect(finding?.remedies).toContainEqual(expect.objectContaining(typeof remedy === 'string' ? { is: remedy } : remedy))
  }
  expect(checks.filter(({ state }) => state === 'failed' || state === 'warning').map(({ id }) => id)).toEqual([check])
  expect(report).toContain(`Problem (${code})`)
  if (is === 'ready') return
  expect(first).toBe(expected.first ?? code)
  const { state } = parley.record('it')
  if (state.is === 'failed') expect(state.problem).toEqual(finding)
}
