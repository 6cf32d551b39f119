import { deflateSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { packedPage } from '../../e2e/servers/pdf/packed-page.ts'
import { pdfOf } from '../../e2e/servers/pdf/write-pdf.mjs'
import { ManualClock } from '../../e2e/support/manual-clock.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { LOAD_TIME } from '../threads/bounded-thread.ts'
import { Documents } from './documents.ts'

const ENDLESS = packedPage(deflateSync(Buffer.from(`BT /F1 12 Tf ${'(and so on) Tj T* '.repeat(700_000)} ET`), { level: 1 }))

function documents(clock: ConstructorParameters<typeof Documents>[0]['clock'] = systemClock): Documents {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  return new Documents({ clock, lifetime })
}

it('the thread reads every page in order', async () => {
  const read = await documents().pdf(pdfOf([['One', 'first'], ['Two']]))
  expect(read).toEqual({ is: 'text', text: 'One\nfirst\n\nTwo', pages: 2, read: 2, cut: false, encrypted: false })
})

it('the thread stops an endless text where enough was read, and says so', async () => {
  const read = await documents().pdf(ENDLESS, 1000)
  expect(read).toMatchObject({ is: 'text', pages: 1, read: 1, cut: true })
  // Its last character may be a space, which is left out.
  expect(read.is === 'text' && [999, 1000].includes(read.text.length)).toBe(true)
})

it('the thread ends when it takes too long, and the next file is read in another', async () => {
  const clock = new ManualClock()
  const texts = documents(clock)
  const slow = texts.pdf(ENDLESS)
  clock.advance(LOAD_TIME)
  expect(await slow).toEqual({ is: 'unread', why: 'too-slow' })
  expect(await texts.pdf(pdfOf([['Next']]))).toMatchObject({ text: 'Next' })
})
