import { expect, it } from 'vitest'
import { rootsHint } from './roots-hint.ts'

it('the note on shared folders says that a fenced server reaches what its fence says, and any other all files', () => {
  expect(rootsHint({ fence: { network: 'none', folders: [] } })).toContain('its fence says')
  expect(rootsHint({ fence: null })).toContain('all your files')
  expect(rootsHint(undefined)).toContain('all your files')
})
