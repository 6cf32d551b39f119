import { describe, expect, it } from 'vitest'
import { keepLive } from './live-views.ts'

describe('the views of a window', () => {
  it('run three at a time, and the oldest stops for one more (APP-27)', () => {
    const stopped: string[] = []
    const open = (name: string) => keepLive(() => stopped.push(name))
    const [, closeSecond] = ['first', 'second', 'third'].map(open)
    expect(stopped).toEqual([])
    open('fourth')
    expect(stopped).toEqual(['first'])
    closeSecond?.()
    open('fifth')
    expect(stopped).toEqual(['first'])
    open('sixth')
    expect(stopped).toEqual(['first', 'third'])
  })
})
