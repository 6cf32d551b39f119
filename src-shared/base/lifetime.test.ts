import { describe, expect, it } from 'vitest'
import { Lifetime, liveLifetimes } from './lifetime.ts'

describe('a lifetime', () => {
  it('releases newest first, children before their parent, once, even when a release throws', async () => {
    const order: string[] = []
    const parent = new Lifetime('parent')
    const child = new Lifetime('child', parent)
    parent.onEnd(() => void order.push('parent'))
    child.onEnd(() => void order.push('child-a'))
    child.onEnd(() => {
      order.push('child-b')
      throw new Error('cannot release')
    })
    await expect(parent.end()).rejects.toThrow(AggregateError)
    await expect(parent.end()).rejects.toThrow(AggregateError)
    expect(order).toEqual(['parent', 'child-b', 'child-a'])
    expect(child.signal.aborted).toBe(true)
    expect(liveLifetimes.has(child)).toBe(false)
  })

  it('releases at once what is registered after the end', async () => {
    const ended = new Lifetime('ended')
    await ended.end()
    let released = false
    ended.onEnd(() => {
      released = true
    })
    expect(released).toBe(true)
  })

  it('forgets a child that ended before its parent', async () => {
    const parent = new Lifetime('parent')
    let releases = 0
    const child = new Lifetime('child', parent)
    child.onEnd(() => {
      releases += 1
    })
    await child.end()
    await parent.end()
    expect(releases).toBe(1)
  })

  it('gives its signal the reason of the end before anything is released', async () => {
    const life = new Lifetime('life')
    let seen: unknown
    life.onEnd(() => {
      seen = life.signal.reason
    })
    await life.end('because')
    expect(seen).toBe('because')
  })
})
