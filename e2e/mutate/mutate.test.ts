import { describe, expect, it } from 'vitest'
import { areaOf, mutations, shares, unusable } from './list.mjs'

describe('the breaks that the mutation run makes', () => {
  it('can all be made: each stands once in its file, changes it, and has tests that are there', () => {
    expect(unusable()).toEqual([])
  })

  it('are many, each said once', () => {
    expect(mutations.length).toBeGreaterThanOrEqual(250)
    const said = mutations.map(({ duty, breaks }) => `${duty}: ${breaks}`)
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([])
  })

  it.each([...shares()])('are as many in %s as it has duties in capitals: %i', (area, weighty) => {
    expect(mutations.filter(({ duty }) => areaOf(duty) === area).length).toBeGreaterThanOrEqual(weighty)
  })
})
