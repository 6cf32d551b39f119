import { expect, it } from 'vitest'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { type FileUpload, isSendingLater, moveNewUploads, setSendsLater, setUploads, uploadsNow } from './file-uploads.ts'

const made = 'made' as ConversationId
const upload: FileUpload = { key: 1, place: 'new', name: 'a.txt', bytes: 1, share: 0, cancel: () => {} }

it('a waiting message moves with its files to the conversation that the first of them made', () => {
  setUploads([upload])
  setSendsLater('new')
  moveNewUploads(made)
  expect(uploadsNow()).toMatchObject([{ place: made }])
  expect([isSendingLater('new'), isSendingLater(made)]).toEqual([false, true])
})

it('a message stops waiting when a file is refused', () => {
  setUploads([upload])
  setSendsLater('new')
  setUploads([{ ...upload, problem: 'It is too large.' }])
  expect(isSendingLater('new')).toBe(false)
})
