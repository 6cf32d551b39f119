import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Runner, runScenario } from './run-scenario.ts'

/** How many checks the official client passes, per scenario: the least that ours has to. */
const floors = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8')) as Record<Runner, Record<string, number>>

const isSignIn = (scenario: string) => scenario.startsWith('auth/')

describe.each(['newest', 'older'] as const)('the %s official conformance runner', (runner) => {
  const scenarios = Object.entries(floors[runner]).filter(([scenario]) => !isSignIn(scenario))

  it.each(scenarios)('%s passes at least %i checks and fails none', async (scenario, floor) => {
    const { passed, failed } = await runScenario(runner, scenario)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThanOrEqual(floor)
  })
})
