import { expect, it } from 'vitest'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { KeptDrafts } from './kept-drafts.ts'

function setUp() {
  const clock = new ManualClock()
  const asked: string[] = []
  const link = { up: true }
  const keep = async (id: string, text: string) => {
    if (!link.up) throw new Error('no link')
    asked.push(`${id}: ${text}`)
  }
  return { clock, asked, link, kept: new KeptDrafts({ new: '' }, keep, clock) }
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
  const { clock, asked, link, kept } = setUp()
  link.up = false
  kept.changed({ new: 'hi' })
  await clock.advance(400)
  link.up = true
  kept.flush()
  expect(asked).toEqual(['new: hi'])
})

it('what came from the host is not told it again, and what differs from it is', async () => {
  const { clock, asked, kept } = setUp()
  kept.kept({ new: 'from the host', ['c' as ConversationId]: 'theirs' })
  kept.changed({ new: 'from the host', ['c' as ConversationId]: 'mine' })
  await clock.advance(400)
  expect(asked).toEqual(['c: mine'])
})
