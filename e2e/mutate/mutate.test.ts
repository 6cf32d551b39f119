import { describe, expect, it } from 'vitest'
import { areaOf, failureOf, mutations, NOTICED, outcomeOf, shares, unusable } from './list.mjs'

describe('the breaks of the mutation run', () => {
  it('can all be made: each occurs once in its file, changes it, and has existing tests', () => {
    expect(unusable()).toEqual([])
  })

  it('are many, and none is repeated', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(250)
    const said = mutations.map(({ duty, breaks }) => `${duty}: ${breaks}`)
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([])
  })

  it.each([...shares()])('number in %s as many as its duties in capitals: %i', (area, weighty) => {
    expect(mutations.filter(({ duty }) => areaOf(duty) === area).length).toBeGreaterThanOrEqual(weighty)
  })

  it('are refused where their tests are of two projects', () => {
    const [one] = mutations
    if (!one) throw new Error('There are none')
    const tests = ['src-shared/base/json.test.ts', 'src-main/images/images.integration.test.ts']
    expect(unusable([{ ...one, tests }])).toEqual([`${one.duty}: its tests are of unit and integration, not of one`])
  })
})

describe('a run of the tests on a break', () => {
  const module = (failed: readonly { name: string; message: string }[], errors: readonly string[] = []) => ({
    relativeModuleId: 'a.test.ts',
    children: { allTests: () => failed.map((error) => ({ name: 'a test', result: () => ({ errors: [error] }) })) },
    errors: () => errors.map((message) => ({ message })),
  })

  const assertion = { name: 'AssertionError', message: 'expected 1 to be 2' }
  const timeout = { name: 'Error', message: 'Test timed out in 45000ms.\nIf this is' }

  it.each([
    ['failed', { testModules: [module([assertion])], unhandledErrors: ['late'] }],
    ['failed', { testModules: [module([timeout]), module([assertion])], unhandledErrors: [] }],
    ['failed', { testModules: [module([{ name: 'Error', message: 'Property failed after 3 tests' }])], unhandledErrors: [] }],
    ['threw', { testModules: [module([{ name: 'TypeError', message: 'x is undefined' }])], unhandledErrors: [] }],
  ])('counts as noticed by a test that %s', (is, run) => {
    const outcome = outcomeOf(run)
    expect(outcome).toMatchObject({ is, title: 'a test' })
    expect(NOTICED.has(is)).toBe(true)
  })

  it.each([
    ['timed out', { testModules: [module([timeout])], unhandledErrors: [] }],
    ['not loaded', { testModules: [module([], ['no such export'])], unhandledErrors: [] }],
    ['unhandled', { testModules: [module([])], unhandledErrors: ['late'] }],
  ])('counts as unnoticed where it was %s', (is, run) => {
    expect(outcomeOf(run)).toMatchObject({ is })
    expect(NOTICED.has(is)).toBe(false)
  })

  it.each([
    ['timed out', { name: 'Error', message: 'Test timeout of 180000ms exceeded.' }],
    ['timed out', { name: 'TimeoutError', message: 'locator.click: Timeout 30000ms exceeded.\nCall log:' }],
    ['failed', { name: 'AssertionError', message: 'expect(locator).toBeVisible() failed\n\nTimeout: 30000ms' }],
  ])('of the build %s by Playwright’s output', (is, error) => {
    expect(failureOf(error)).toBe(is)
  })

  it('has no outcome when it passes', () => {
    expect(outcomeOf({ testModules: [module([])], unhandledErrors: [] })).toBeUndefined()
  })
})
