import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Runner, runScenario } from './run-scenario.ts'

/** How many checks the official client passes, per scenario: the least that ours has to. */
const floors = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8')) as Record<Runner, Record<string, number>>

/** Scenarios of extensions that Parley does not have, none of them required by a revision. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'auth/dpop': 'tokens bound to a key; the official client has none either',
  'auth/dpop-nonce': 'tokens bound to a key; the official client has none either',
  'auth/wif-jwt-bearer': 'workloads without a person; the official client has none either',
  'auth/enterprise-managed-authorization': 'an enterprise that signs people in everywhere',
  'auth/cross-app-access-complete-flow': 'an enterprise that signs people in everywhere',
}

/** Where ours does less because it stops earlier. */
const LOWER: Readonly<Record<string, number>> = {
  // The metadata speaks for another server: the authorization server that it names is not even contacted.
  'auth/resource-mismatch': 2,
}

describe.each(['newest', 'older'] as const)('the %s official conformance runner', (runner) => {
  const scenarios = Object.entries(floors[runner]).filter(([scenario]) => !(scenario in EXTENSIONS))
  const protocol = scenarios.filter(([scenario]) => !scenario.startsWith('auth/'))
  const signIn = scenarios.filter(([scenario]) => scenario.startsWith('auth/'))

  async function passes(scenario: string, floor: number): Promise<void> {
    const { passed, failed } = await runScenario(runner, scenario)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThanOrEqual(LOWER[scenario] ?? floor)
  }

  it.each(protocol)('%s passes at least %i checks and fails none', passes)

  // Each is two short processes that mostly wait for each other.
  describe.concurrent('signs in', () => {
    it.each(signIn)('%s passes at least %i checks and fails none', passes)
  })
})
