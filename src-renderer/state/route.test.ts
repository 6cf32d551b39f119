import { describe, expect, it } from 'vitest'
import { parseRoute, routeHash } from './route.ts'

describe('a route in the address', () => {
  it('is restored from its address with any id', () => {
    const route = { section: 'servers', id: 'my/server #1 ü', tab: 'tools' } as const
    expect(parseRoute(routeHash(route))).toEqual(route)
    const tool = { ...route, item: 'read/file' }
    expect(parseRoute(routeHash(tool))).toEqual(tool)
  })

  it('is missing for the one-time token and for invalid text', () => {
    expect(['#t=abc', '', '#', '#/', '#/elsewhere/1'].map(parseRoute)).toEqual(Array(5).fill(undefined))
  })

  it('loses a part that does not decode', () => {
    expect(parseRoute('#/servers/%E0%A4%A')).toEqual({ section: 'servers' })
  })
})
