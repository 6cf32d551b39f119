import { describe, expect, it } from 'vitest'
import { emptySnapshot, type HostSnapshot } from '../../../../src-shared/contract/events.ts'
import { DEFAULT_SETTINGS } from '../../../../src-shared/contract/settings.ts'
import { LastWindow } from './last-window.ts'

function desk({ turns = 0, closeToTray = false, mac = false } = {}) {
  const conversations = Array.from({ length: turns }, (_, n) => ({ id: String(n), turn: 'running' }))
  const with_ = (more: object) =>
    ({ ...emptySnapshot, settings: { ...DEFAULT_SETTINGS, closeToTray }, ...more }) as unknown as HostSnapshot
  const listeners: (() => void)[] = []
  const said: string[] = []
  const desk = { quits: 0, open: false, said, snapshot: with_({ conversations }), change: (_more: object) => {} }
  desk.change = (more) => {
    desk.snapshot = with_(more)
    for (const listen of listeners) listen()
  }
  const state = {
    get snapshot() {
      return desk.snapshot
    },
    onEvent: (listen: () => void) => {
      listeners.push(listen)
      return () => {}
    },
  }
  const last = new LastWindow({
    ...{ host: { state }, mac, isOpen: () => desk.open },
    notifier: { tell: ({ title }) => void said.push(title) },
    quit: () => {
      desk.quits += 1
    },
  })
  return { desk, last }
}

describe('closing the last window', () => {
  it('ends Parley', () => {
    const { desk: app, last } = desk()
    last.closed()
    expect(app).toMatchObject({ quits: 1, said: [] })
  })

  it.each([{ mac: true }, { closeToTray: true }])('leaves it running: %o', (how) => {
    const { desk: app, last } = desk(how)
    last.closed()
    app.change({})
    expect(app).toMatchObject({ quits: 0, said: [] })
  })

  it('waits for replies that are still running, says so, and ends after the last', () => {
    const { desk: app, last } = desk({ turns: 2 })
    last.closed()
    expect(app).toMatchObject({ quits: 0, said: ['Parley is still running'] })
    app.change({ conversations: [{ turn: 'running' }] })
    expect(app.quits).toBe(0)
    app.change({ conversations: [{ turn: 'idle' }] })
    expect(app.quits).toBe(1)
  })

  it('is forgotten when the window is opened again', () => {
    const { desk: app, last } = desk({ turns: 1 })
    last.closed()
    app.open = true
    app.change({ conversations: [{ turn: 'running' }] })
    app.open = false
    app.change({ conversations: [{ turn: 'idle' }] })
    expect(app.quits).toBe(0)
  })
})
