import { describe, expect, it } from 'vitest'
import type { ImportReviewId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ImportReview, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { askedAt, checkImport, draftedLaunch, importDraftOf, originsOf, withTicks } from './import-draft.ts'

function server(key: string, part: Partial<ReviewedServer> = {}): ReviewedServer {
  return {
    key,
    called: key,
    name: key,
    from: { host: 'claude-desktop', path: '/home/ada/claude.json' },
    launch: { type: 'local', command: 'npx', args: [], env: {} },
    options: {},
    here: { is: 'new' },
    inputs: [],
    secrets: [],
    inTheClear: [],
    notTaken: [],
    warnings: [],
    ...part,
  }
}

const review = (...servers: ReviewedServer[]): ImportReview => ({ id: 'review' as ImportReviewId, servers, unusable: [] })
const KEY = { id: 'key', label: 'Key', secret: true }

describe('a review of servers', () => {
  it('selects all new servers, with the configuration’s defaults', () => {
    const all = review(
      server('a', { inputs: [KEY, { id: 'region', label: 'Region', secret: false, default: 'eu' }] }),
      server('b', { here: { is: 'same', as: 'b' as ServerId }, name: 'b 2' }),
      server('c', { here: { is: 'name-taken' }, name: 'c 2' }),
      server('d', { here: { is: 'repeated', as: 'a' } }),
    )
    const draft = importDraftOf(all)
    expect([...draft.ticked]).toEqual(['a', 'c'])
    const { choices, names, values } = checkImport(all, draft, ['b', 'c'])
    expect(choices).toEqual([
      { key: 'a', name: 'a', inputs: { key: '', region: 'eu' } },
      { key: 'c', name: 'c 2', inputs: {} },
    ])
    expect([...names]).toEqual([])
    expect([...values.keys()]).toEqual(['key'])
  })

  it('needs no input for an unselected server', () => {
    const all = review(server('a', { inputs: [KEY] }), server('b'))
    const { choices, values } = checkImport(all, withTicks(importDraftOf(all), all.servers.slice(0, 1), false), [])
    expect(choices.map(({ key }) => key)).toEqual(['b'])
    expect(values.size).toBe(0)
  })

  it('refuses a ticked server with the name of another, here or in the list, or an impossible one', () => {
    const all = review(server('a'), server('b'), server('c'), server('d'))
    const draft = { ...importDraftOf(all), names: { a: 'Here', b: 'x', c: 'X', d: '' } }
    const { names } = checkImport(all, draft, ['here'])
    expect([...names]).toEqual([
      ['a', 'A server with this name exists'],
      ['c', 'Another server in this list has this name'],
      ['d', 'A server needs a name'],
    ])
    expect(checkImport(all, withTicks(draft, all.servers.slice(1, 2), false), []).names.has('c')).toBe(false)
  })

  it('asks once for what several servers need, at the first ticked one, and shows where it goes', () => {
    const asked = `\${input:r}`
    const region = { id: 'r', label: 'Region', secret: false }
    const launch = {
      type: 'local' as const,
      command: 'npx',
      args: ['--region', asked],
      env: { R: { text: `${asked}!` } },
    }
    const all = review(server('a', { inputs: [region] }), server('b', { inputs: [region], launch }))
    const draft = importDraftOf(all)
    expect([...askedAt(all, draft)]).toEqual([['r', 'a']])
    expect([...askedAt(all, withTicks(draft, all.servers.slice(0, 1), false))]).toEqual([['r', 'b']])
    const [, second] = all.servers
    const odd = `$& ${asked} $$`
    expect(second && JSON.stringify(draftedLaunch(second, { r: odd }))).toContain(odd)
    const filled = (value: string) => second && draftedLaunch(second, { r: value })
    expect(filled('')).toMatchObject({ args: ['--region', '‹Region›'], env: { R: { text: '‹Region›!' } } })
    expect(filled('eu')).toMatchObject({ args: ['--region', 'eu'], env: { R: { text: 'eu!' } } })
  })

  it('is grouped by origin, in its order', () => {
    const code = { host: 'claude-code', path: '/home/ada/.claude.json' } as const
    const all = review(
      server('a'),
      server('b', { from: code }),
      server('c'),
      server('d', { from: { ...code, project: '/work' } }),
      server('e', { from: {} }),
    )
    expect(originsOf(all).map(({ title, project, servers }) => [title, project, servers.map(({ key }) => key).join()])).toEqual([
      ['Claude Desktop', undefined, 'a,c'],
      ['Claude Code', undefined, 'b'],
      ['Claude Code', '/work', 'd'],
      ['Your configuration', undefined, 'e'],
    ])
  })
})
