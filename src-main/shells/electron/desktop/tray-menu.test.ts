import { describe, expect, it } from 'vitest'
import { emptySnapshot } from '../../../../src-shared/contract/events.ts'
import { type TrayItem, trayMenu } from './tray-menu.ts'

type Known = Parameters<typeof trayMenu>[0]

// Only what the menu reads of each record.
const head = (id: string, title: string, turn: 'idle' | 'running') =>
  ({ id, title, turn }) as unknown as Known['conversations'][number]
const server = (is: string) => ({ state: { is } }) as unknown as Known['servers'][keyof Known['servers']]
const asked = (conversationId: string) => ({ about: { conversationId } }) as unknown as Known['interactions'][number]
const question = asked('elsewhere')
const known = (given: Partial<Known>): Known => ({ ...emptySnapshot, ...given })

const labels = (items: readonly TrayItem[]): unknown[] =>
  items.map((item) => (item === 'line' ? '-' : 'items' in item ? { [item.label]: labels(item.items) } : item.label))

describe('the tray', () => {
  it('offers the window, a new conversation and Quit when nothing is running', () => {
    const { tooltip, items } = trayMenu(known({}))
    expect(tooltip).toBe('Parley')
    expect(labels(items)).toEqual(['Open Parley', 'New conversation', '-', 'Quit Parley'])
  })

  it('lists what waits, what runs and which servers are up, each with a link', () => {
    const { tooltip, items } = trayMenu(
      known({
        interactions: [question, question],
        conversations: [head('a', 'Trip to Rome', 'running'), head('b', 'Done', 'idle')],
        servers: { x: server('ready'), y: server('failed'), z: server('stopped') } as unknown as Known['servers'],
      }),
    )
    expect(tooltip).toBe('Parley · 2 questions need you · 1 reply running · 1 of 2 servers ready, 1 failed')
    expect(labels(items)).toEqual([
      ...['2 questions need you', '-', '1 reply running', { 'Trip to Rome': ['Open', 'Stop'] }, '-'],
      ...['1 of 2 servers ready, 1 failed', '-', 'Open Parley', 'New conversation', '-', 'Quit Parley'],
    ])
    expect(items[0]).toMatchObject({ act: { is: 'show', order: { is: 'go', section: 'inbox' } } })
    expect(items[3]).toMatchObject({
      items: [{ act: { is: 'show', order: { is: 'go', section: 'conversations', id: 'a' } } }, { act: { is: 'stop', id: 'a' } }],
    })
  })

  it('marks the runs of schedules, and those that wait for the person', () => {
    const run = (id: string) => ({ ...head(id, `Run ${id}`, 'running'), schedule: 'daily' }) as Known['conversations'][number]
    const ended = { ...run('c'), turn: 'idle' } as const
    const one = trayMenu(known({ conversations: [run('a'), ended] }))
    expect(one.tooltip).toBe('Parley · 1 scheduled run')
    expect(labels(one.items).slice(0, 2)).toEqual(['1 scheduled run', { 'Run a': ['Open', 'Stop'] }])
    expect(one.items[0]).toMatchObject({ act: { order: { is: 'go', section: 'settings', id: 'schedules' } } })
    const all = trayMenu(
      known({ interactions: [asked('b'), asked('c')], conversations: [run('a'), run('b'), head('d', 'Trip', 'running')] }),
    )
    expect(all.tooltip).toBe('Parley · 2 questions need you · 1 reply running · 2 scheduled runs, 1 waits for you')
    expect(labels(all.items).slice(2, 4)).toEqual(['1 reply running', '2 scheduled runs, 1 waits for you'])
    expect(all.items[3]).toMatchObject({ act: { order: { is: 'go', section: 'inbox' } } })
  })

  it('counts calls in the background and results that nobody has seen (TASK-33)', () => {
    const calls = [{}, {}, { ended: 'finished' }] as unknown as Known['background']
    const { tooltip, items } = trayMenu(known({ background: calls }))
    expect(tooltip).toBe('Parley · 2 calls in the background, 1 new result')
    expect(items[0]).toMatchObject({ act: { is: 'show', order: { is: 'go', section: 'inbox' } } })
  })

  it('bounds foreign texts: titles in length and number, and hidden characters', () => {
    const title = `a\u202eb\n&c ${'x'.repeat(500)}`
    const conversations = Array.from({ length: 30 }, (_, n) => head(String(n), title, 'running'))
    const shown = labels(trayMenu(known({ conversations })).items)
    const [first] = Object.keys(shown[1] as object)
    expect(first).toMatch(/^a b &&c x+…$/)
    expect(first?.length).toBeLessThan(60)
    expect(shown.slice(0, 12)).toContain('22 more')
  })
})
