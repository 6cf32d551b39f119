import { expect, it } from 'vitest'
import { HOME } from './route.ts'
import { announce, arriveImport, openImport, showNextImport, useView } from './view-store.ts'

it('the same text is shown again when the same happens again', () => {
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

it('an arrival during a review waits its turn', () => {
  const shown = () => [useView.getState().importing, useView.getState().importsWaiting.length]
  const [a, b, c] = [{ text: 'a' }, { text: 'b' }, { text: 'c' }]
  arriveImport(a)
  expect(shown()).toEqual([a, 0])
  arriveImport(b)
  arriveImport(c)
  expect(shown()).toEqual([a, 2])
  // Those that wait go first when the screen was left.
  useView.setState({ route: HOME })
  arriveImport(a)
  expect(shown()).toEqual([b, 2])
  expect([showNextImport(), ...shown()]).toEqual([true, c, 1])
  expect([showNextImport(), ...shown()]).toEqual([true, a, 0])
  expect([showNextImport(), ...shown()]).toEqual([false, a, 0])
  for (let count = 0; count < 30; count++) arriveImport(b)
  expect(shown()).toEqual([a, 20])
  // A person's own choice is shown at once.
  openImport(c)
  expect(shown()).toEqual([c, 20])
})
