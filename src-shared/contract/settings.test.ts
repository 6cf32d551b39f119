import { describe, expect, it } from 'vitest'
import { settings } from './settings.ts'

describe('the chosen keys', () => {
  it('are kept only if they are valid and their action is known', () => {
    const kept = (value: unknown) => settings().shape.shortcuts.safeParse(value).success
    expect([{}, { new: 'Mod+J', stop: '' }].map(kept)).toEqual([true, true])
    expect([{ nothing: 'Mod+J' }, { new: 'J' }, { new: 'Mod+ ' }, { new: 7 }].map(kept)).toEqual([false, false, false, false])
  })
})
