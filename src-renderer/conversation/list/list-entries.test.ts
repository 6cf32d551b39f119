import { describe, expect, it } from 'vitest'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ConversationId, ProjectId } from '../../../src-shared/contract/ids.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { dateGroups, type ListEntry, listEntries } from './list-entries.ts'

const now = new Date(2026, 2, 10, 9, 30).getTime()
const day = (days: number, hour = 12) => new Date(2026, 2, 10 - days, hour).getTime()

const head = (id: string, updatedAt: number, more: Partial<ConversationHead> = {}): ConversationHead => ({
  ...{ id: id as ConversationId, title: id, createdAt: 0, updatedAt, sequence: updatedAt, model: DEMO_MODEL, turn: 'idle' },
  ...more,
})
const garden = { id: 'garden' as ProjectId, name: 'Garden', changedAt: 1 }
const labels = (entries: readonly ListEntry[]) =>
  entries.map((entry) => {
    if (entry.is === 'head') return entry.inProject ? `  ${entry.head.id}` : entry.head.id
    return entry.is === 'project' ? `[${entry.project.name}]` : `# ${entry.text}`
  })

describe('the list of conversations', () => {
  it('has projects first, then pinned conversations, then the rest by date, and no archived ones', () => {
    const heads = [
      head('new', day(0, 9)),
      head('rose', day(0, 8), { project: garden.id }),
      head('tulip', day(0, 7), { project: garden.id, pinned: true }),
      head('late', day(1, 23)),
      head('old', day(1, 1)),
      head('gone', day(2), { archived: true }),
      head('lost', day(3), { project: 'removed' as ProjectId }),
      head('kept', day(400), { pinned: true }),
    ]
    const open = new Map([[garden.id, { heads: [heads[1], heads[2]].filter((one) => one !== undefined), total: 9 }]])
    expect(labels(listEntries({ projects: [garden], open, heads }, now))).toEqual([
      ...['# Projects', '[Garden]', '  rose', '# 7 older'],
      ...['# Pinned', 'tulip', 'kept'],
      ...['# Today', 'new', '# Yesterday', 'late', 'old', '# Previous 7 days', 'lost'],
    ])
    const folded = listEntries({ projects: [garden], open: new Map(), heads: [] }, now)
    expect(labels(folded)).toEqual(['# Projects', '[Garden]'])
    const empty = new Map([[garden.id, { heads: [], total: 0 }]])
    expect(labels(listEntries({ projects: [garden], open: empty, heads: [] }, now)).at(-1)).toBe('# No conversations')
  })

  it('shows conversations of a project in their current state', () => {
    const read = [head('rose', day(0), { project: garden.id }), head('tulip', day(1), { project: garden.id })]
    const open = new Map([[garden.id, { heads: read, total: 2 }]])
    const heads = [head('rose', day(0), { project: garden.id, title: 'Renamed' }), head('tulip', day(1))]
    const entries = listEntries({ projects: [garden], open, heads }, now)
    expect(entries[2]).toMatchObject({ inProject: true, head: { title: 'Renamed' } })
    expect(labels(entries).slice(3)).toEqual(['# Yesterday', 'tulip'])
  })

  it('has each date once and keeps the order when a clock was wrong', () => {
    const future = now + 10 * 365 * 86_400_000
    const heads = [head('past', 0), head('new', day(0, 9)), head('future', future), head('old', day(1)), head('first', future)]
    const entries = listEntries({ projects: [], open: new Map(), heads }, now)
    expect(labels(entries).slice(1)).toEqual(['# Today', 'past', 'new', '# Yesterday', 'future', 'old', 'first'])
    expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  })

  it('has a different key for each row', () => {
    const heads = Array.from({ length: 500 }, (_, n) => head(`c${n}`, day(n)))
    const keys = listEntries({ projects: [garden], open: new Map(), heads }, now).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

describe('the dates of the list', () => {
  it.each([
    [day(-1), 'Today'],
    [day(0, 0), 'Today'],
    [day(1, 23), 'Yesterday'],
    [day(1, 0), 'Yesterday'],
    [day(2, 23), 'Previous 7 days'],
    [day(7, 0), 'Previous 7 days'],
    [day(8, 23), 'Previous 30 days'],
    [day(30, 0), 'Previous 30 days'],
    [day(31, 23), 'February 2026'],
    [new Date(2025, 11, 31, 23, 59).getTime(), 'December 2025'],
  ])('%# are grouped by the calendar', (at, group) => {
    expect(dateGroups(now)(at)).toBe(group)
  })

  it('descend in order, over a year and its change of clocks', () => {
    const groups = Array.from({ length: 400 }, (_, n) => dateGroups(now)(day(n, 3)))
    const runs = groups.filter((group, at) => group !== groups[at - 1])
    expect(new Set(runs).size).toBe(runs.length)
  })
})
