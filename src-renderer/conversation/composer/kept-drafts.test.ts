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

it('a draft is saved when typing stops, and at once when it is sent', async () => {
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

it('a draft that could not be saved is saved by the next try', async () => {
  const { clock, asked, told, link, kept } = setUp()
  link.up = false
  kept.changed({ new: 'hi' })
  await clock.advance(400)
  link.up = true
  kept.flush()
  expect(asked).toEqual(['new: hi'])
  expect(told).toEqual([])
})

it('a draft that the disk refuses is reported once, retried, and no longer reported once saved', async () => {
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

it('a draft from the host is not sent back, and a different one is', async () => {
  const { clock, asked, kept } = setUp()
  kept.kept({ new: 'from the host', ['c' as ConversationId]: 'theirs' })
  kept.changed({ new: 'from the host', ['c' as ConversationId]: 'mine' })
  await clock.advance(400)
  expect(asked).toEqual(['c: mine'])
})
