import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ProviderId } from '../../src-shared/contract/ids.ts'
import { HOME } from './route.ts'
import { announce, arriveImport, navigate, openImport, searchConversationsFor, showNextImport, useView } from './view-store.ts'

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

it.each([
  ['a conversation', { section: 'conversations', id: 'c' }, 'rome'],
  ['the projects', { section: 'projects' }, 'rome'],
  ['the servers', { section: 'servers' }, 'rome'],
  ['a project', { section: 'projects', id: 'p' }, ''],
  ['a new conversation', { section: 'conversations', id: 'new' }, ''],
] as const)('the search for conversations ends at a project and a new conversation alone: %s', (_where, route, query) => {
  searchConversationsFor('rome')
  navigate(route)
  expect(useView.getState().conversationQuery).toBe(query)
})

describe('the draft and the model of a new conversation', () => {
  const kept = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  const page = { sessionStorage, location: { hash: '' }, addEventListener() {}, removeEventListener() {} } as unknown as Window

  /** The store of a page that was loaded again. */
  async function reloaded() {
    vi.stubGlobal('sessionStorage', sessionStorage)
    vi.resetModules()
    const store = await import('./view-store.ts')
    vi.unstubAllGlobals()
    onTestFinished(store.followAddress(page))
    return store.useView
  }

  it('outlive a reload until they are sent', async () => {
    const before = await reloaded()
    const modelOfNew = { provider: 'p' as ProviderId, model: 'm', effort: 'high' } as const
    before.setState({ modelOfNew, drafts: { new: 'Hello' } })
    const after = await reloaded()
    expect(after.getState()).toMatchObject({ modelOfNew, drafts: { new: 'Hello' } })
    after.setState({ modelOfNew: undefined, drafts: { new: '' } })
    expect((await reloaded()).getState()).toMatchObject({ modelOfNew: undefined, drafts: { new: '' } })
  })

  it.each([
    ['what is no JSON', '{', undefined],
    ['no object', '"demo"', undefined],
    ['a model without its provider', '{"model":"m"}', undefined],
    ['a model that is no text', '{"provider":"p","model":{}}', undefined],
    ['more than a model', '{"provider":"p","model":"m","key":"k"}', undefined],
    ['an unknown effort', '{"provider":"p","model":"m","effort":"huge"}', { provider: 'p', model: 'm' }],
  ])('are read strictly: %s', async (_what, text, modelOfNew) => {
    kept.set('parley-model', text)
    kept.set('parley-drafts', text)
    expect((await reloaded()).getState()).toMatchObject({ modelOfNew, drafts: { new: '' } })
  })
})
