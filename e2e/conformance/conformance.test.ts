import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../scripts/bundle.mjs'
import { type Checks, type Run, runScenario, runScenarios } from './run-scenario.ts'

interface Floors {
  readonly required: Readonly<Record<string, number>>
  /** Extensions and later additions, which a revision does not require. */
  readonly unscored: Readonly<Record<string, number>>
}

/** The number of checks that the official client passes, per scenario: the least that ours has to. */
const floors = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8')) as Record<Run, Floors>

/** Scenarios of extensions that Parley does not have, none of them required by a revision. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'auth/dpop': 'tokens bound to a key; the official client has none either',
  'auth/dpop-nonce': 'tokens bound to a key; the official client has none either',
  'auth/wif-jwt-bearer': 'workloads without a person; the official client has none either',
}

/** Scenarios in which ours does less because it stops earlier. */
const LOWER: Readonly<Record<string, number>> = {
  // The metadata speaks for another server: the authorization server that it names is not even contacted.
  'auth/resource-mismatch': 2,
}

const LONG = process.env.PARLEY_LONG === '1'
const NEWER = new Set((['2026-07-28', '2025-11-25'] as const).flatMap((run) => scenariosOf(run).map(([scenario]) => scenario)))

/** Scenario → its floor. Scenarios that a newer runner has as well are run by the older one in long runs only. */
function scenariosOf(run: Run): [scenario: string, floor: number][] {
  const all = Object.entries({ ...floors[run].required, ...floors[run].unscored })
  return run === 'older' && !LONG ? all.filter(([scenario]) => !NEWER.has(scenario)) : all
}

/** Scenarios that measure when the client comes back: a runner that is busy with others finds it late. */
const BY_ITSELF: ReadonlySet<string> = new Set(['sse-retry'])

// Started more than a hundred times: as one file it costs a tenth of what its modules do.
let client: string
beforeAll(async () => {
  client = await bundle({ source: 'e2e/conformance/client.ts', folder: 'conformance', name: 'client' })
})

describe.each(['2026-07-28', '2025-11-25', 'older'] as const)('the official conformance runner, %s', (run) => {
  const { required } = floors[run]
  const scenarios = scenariosOf(run)
  const found = new Map<string, Checks>()
  const good = new Set<string>()

  // A runner takes longer to start than most scenarios do: those that it runs together share one.
  let together: ReadonlyMap<string, Checks> = new Map()
  beforeAll(async () => {
    if (run !== 'older' || LONG) together = await runScenarios(run, client)
  })

  it.each(scenarios.filter(([scenario]) => !(scenario in EXTENSIONS)))(
    '%s passes at least %i checks and fails none',
    async (scenario, floor) => {
      const shared = BY_ITSELF.has(scenario) ? undefined : together.get(scenario)
      const checks = shared ?? (await runScenario(run, scenario, client))
      found.set(scenario, checks)
      expect(checks.failed).toEqual([])
      expect(checks.passed).toBeGreaterThanOrEqual(LOWER[scenario] ?? floor)
      good.add(scenario)
    },
  )

  const sum = (numbers: Iterable<number>) => [...numbers].reduce((whole, one) => whole + one, 0)

  it('passes as many checks in all scenarios together as the official client does', () => {
    const passed = sum([...found.values()].map((checks) => checks.passed))
    expect(passed).toBeGreaterThanOrEqual(sum(scenarios.map(([, floor]) => floor)))
  })

  // For the summary line: the counts, and the scenarios that do not count here, with the reason.
  afterAll(() => {
    const names = Object.keys(required).filter((name) => scenarios.some(([scenario]) => scenario === name))
    const told = (why: Readonly<Record<string, string | number>>) => names.filter((name) => name in why)
    const report = {
      run,
      required: names.length,
      passed: [...good].filter((name) => name in required).length,
      checks: sum([...found.values()].map((checks) => checks.passed)),
      earlier: told(LOWER),
      absent: told(EXTENSIONS),
    }
    const folder = new URL('../../out/reports/', import.meta.url)
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL(`conformance-${run}.json`, folder), JSON.stringify(report))
  })
})
