import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ReadingPlace } from './use-reading-place.ts'

/** As much of a scrolled element as following its end needs. */
class List {
  readonly clientHeight = 400
  scrollHeight = 1000
  #top = 0

  get scrollTop(): number {
    return this.#top
  }

  set scrollTop(top: number) {
    this.#top = Math.min(top, this.end)
  }

  get end(): number {
    return this.scrollHeight - this.clientHeight
  }
}

/** A list that is read at its end, in a page of which only the events are there. */
function readList() {
  let resized = () => {}
  const page = new EventTarget()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('window', page)
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listen: () => void) {
        resized = listen
      }
      observe() {}
      disconnect() {}
    },
  )
  const list = new List()
  const place = new ReadingPlace(() => {})
  onTestFinished(place.attach(list as unknown as HTMLElement, null))
  place.toEnd()
  const grow = () => {
    list.scrollHeight += 500
    resized()
  }
  const press = (target: unknown, button = 0) => place.onPointerDown({ target: target as EventTarget, button })
  const release = (by: string) => {
    page.dispatchEvent(new Event(by))
    vi.runAllTimers()
  }
  return { list, place, grow, press, release }
}

const CONTROL = {}

describe('the end of a growing reply', () => {
  it.each(['pointerup', 'pointercancel', 'dragend', 'blur'])(
    'waits while a control is pressed, and is followed after %s',
    (by) => {
      const { list, grow, press, release } = readList()
      grow()
      expect(list.scrollTop).toBe(1100)
      press(CONTROL)
      grow()
      expect(list.scrollTop).toBe(1100)
      release(by)
      expect(list.scrollTop).toBe(1600)
      grow()
      expect(list.scrollTop).toBe(2100)
    },
  )

  it('is followed while the scroll bar is pressed, or a button that opens a menu of the system', () => {
    const { list, grow, press } = readList()
    press(list)
    grow()
    expect(list.scrollTop).toBe(list.end)
    press(CONTROL, 2)
    grow()
    expect(list.scrollTop).toBe(list.end)
  })

  it('is left alone after a press by a person who scrolled up', () => {
    const { list, place, grow, press, release } = readList()
    list.scrollTop = 100
    place.onScroll()
    press(CONTROL)
    grow()
    release('pointerup')
    expect(list.scrollTop).toBe(100)
  })
})
