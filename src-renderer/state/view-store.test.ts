import { expect, it } from 'vitest'
import { announce, useView } from './view-store.ts'

it('the same words are told again when the same happens again', () => {
  const heard: string[] = []
  const stop = useView.subscribe((view, before) => {
    if (view.announcement !== before.announcement) heard.push(view.announcement)
  })
  for (const words of ['Claude has replied.', 'Claude has replied.', 'Claude has replied.', 'Copied']) announce(words)
  stop()
  expect(heard.map((words) => words.trim())).toEqual([
    'Claude has replied.',
    'Claude has replied.',
    'Claude has replied.',
    'Copied',
  ])
})
