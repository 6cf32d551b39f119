import { expect, it } from 'vitest'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'
import { opensMore, presentFence } from './fence-policy.ts'

const fence = (network: FencePolicy['network']): FencePolicy => ({ network, folders: [] })

it('a stored fence whose network was true or false is read as any or none', () => {
  const stored = (network: boolean) => ({ network, folders: [] }) as unknown as FencePolicy
  expect([true, false].map((network) => presentFence(stored(network)).network)).toEqual(['any', 'none'])
  expect(presentFence(fence({ hosts: ['a.example'] })).network).toEqual({ hosts: ['a.example'] })
})

it('a fence opens with each host that it did not name, and closes with each that it names no more', () => {
  const one = fence({ hosts: ['a.example'] })
  const two = fence({ hosts: ['a.example', 'b.example'] })
  const below = fence({ hosts: ['*.example.com'] })
  expect([opensMore(one, two), opensMore(fence('none'), one), opensMore(one, fence('any'))]).toEqual([true, true, true])
  expect(opensMore(below, fence({ hosts: ['a.example.com'] }))).toBe(true)
  expect([opensMore(two, one), opensMore(one, fence('none')), opensMore(fence('any'), two)]).toEqual([false, false, false])
})
