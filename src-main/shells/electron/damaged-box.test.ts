import { expect, it } from 'vitest'
import { StorageError } from '../../storage/base/storage.ts'
import { damagedChoice } from '../damaged-choice.ts'
import { damagedBox, QUIT } from './damaged-box.ts'

it('the box about a damaged database offers the newest copy by its day, and quits unless it is chosen', () => {
  const at = new Date(2026, 10, 24, 12).getTime()
  const error = new StorageError('corrupt', 'It is damaged.', { damaged: { copy: { name: 'parley-2026-11-24.db', at } } })
  const asked = damagedChoice(error)
  expect(asked?.choice).toEqual({ is: 'copy', name: 'parley-2026-11-24.db' })
  expect(asked && damagedBox(asked)).toMatchObject({
    message: 'Parley’s database is damaged',
    detail: expect.stringContaining('There is a copy of November 24, 2026.'),
    buttons: ['Quit', 'Start with the copy of November 24, 2026'],
    defaultId: QUIT,
    cancelId: QUIT,
  })
})

it('the box about a damaged database offers an empty one where there is no copy, and other errors have no box', () => {
  const asked = damagedChoice(new StorageError('corrupt', 'It is damaged.', { damaged: {} }))
  expect(asked).toMatchObject({ start: 'Start with an empty one', choice: { is: 'empty' } })
  expect(damagedChoice(new StorageError('locked', 'Another Parley uses it.'))).toBeUndefined()
})
