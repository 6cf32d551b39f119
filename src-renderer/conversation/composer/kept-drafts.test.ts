import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { KeptDrafts } from './kept-drafts.ts'

function setUp() {
  const clock = new ManualClock()
  const asked: string[] = []
  const told: (string | undefined)[] = []
  const link = { up: true }
  const disk = { full: false }
  const keep = async (id: string, text: string) => {
    if (!link.up) throw new Error('no link')
    if (disk.full) throw new HostError('storage', 'The disk is full.')
    asked.push(`${id}: ${text}`)
  }
  const kept = new KeptDrafts({ new: '' }, { keep, tell: (refusal) => told.push(refusal), clock })
  return { clock, asked, told, link, disk, kept }
}

it('a draft is kept when one stops typing, and at once when it is sent', async () => {
  const { clock, asked, kept } = setUp()
  kept.changed({ new: 'h' })
  await clock.advance(300)
  kept.changed({ new: 'hi' })
  await clock.advance(300)
  expect(asked).toEqual([])
  await clock.advance(100)
  expect(asked).toEqual(['new: hi'])
  kept.changed({ new: '' })
  expect(asked).toEqual(['new: hi', 'new: '])
})

it('what could not be kept is kept with the next try', async () => {
  const { clock, asked, told, link, kept } = setUp()
  link.up = false
  kept.changed({ new: 'hi' })
  await clock.advance(400)
  link.up = true
  kept.flush()
  expect(asked).toEqual(['new: hi'])
  expect(told).toEqual([])
})

it('a draft that the disk refuses is told once, tried again by itself, and told no more when it is kept', async () => {
  const { clock, asked, told, disk, kept } = setUp()
  disk.full = true
  kept.changed({ new: 'h' })
  await clock.advance(400)
  kept.changed({ new: 'hi' })
  await clock.advance(400)
  await clock.advance(5_000)
  expect([asked, told]).toEqual([[], ['The disk is full.']])
  disk.full = false
  await clock.advance(5_000)
  expect([asked, told]).toEqual([['new: hi'], ['The disk is full.', undefined]])
  expect(clock.pending).toBe(0)
})

it('what came from the host is not told it again, and what differs from it is', async () => {
  const { clock, asked, kept } = setUp()
  kept.kept({ new: 'from the host', ['c' as ConversationId]: 'theirs' })
  kept.changed({ new: 'from the host', ['c' as ConversationId]: 'mine' })
  await clock.advance(400)
  expect(asked).toEqual(['c: mine'])
})
