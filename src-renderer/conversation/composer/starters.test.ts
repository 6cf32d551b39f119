import { expect, it } from 'vitest'
import type { ToolPowersView } from '../../../src-shared/contract/consent.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import { DEFAULT_SERVER_OPTIONS } from '../../../src-shared/contract/server-defaults.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import { type ServerOffers, startersOf } from './starters.ts'

function offers(name: string, tools: readonly ToolPowersView[] = [], rest: Partial<ServerOffers> = {}): ServerOffers {
  const server: ServerRecord = {
    ...{ id: name as ServerId, name, builtIn: false, options: DEFAULT_SERVER_OPTIONS, launchIdentity: '' },
    launch: { type: 'remote', url: 'https://example.org/mcp', headers: {} },
    state: { is: 'idle', since: 0, why: 'unused' },
    catalog: { version: 0, tools: tools.length, resources: 0, templates: 0, prompts: 0, problems: [] },
  }
  return { server, prompts: [], resources: [], tools, ...rest }
}

function tool(name: string, power: 'reads' | 'changes' = 'reads', known: 'published' | 'unknown' = 'published'): ToolPowersView {
  const guess = { powers: [power], known } as const
  return { tool: name, fingerprint: name, guess, ...guess, mayOnlyRead: true }
}

const labels = (...all: readonly ServerOffers[]) => startersOf(all).map(({ label }) => label)

it('three starters come from three servers, one of each', () => {
  const each = ['a', 'b', 'c', 'd'].map((name) => offers(name, [tool('look')]))
  expect(labels(...each)).toEqual(['a', 'b', 'c'].map((name) => `What can you do with ${name}?`))
})

it('three starters come from one server that offers as much: a prompt, a tool known to look, a resource', () => {
  const one = offers('github', [tool('create_issue', 'changes'), tool('get_issue'), tool('list_issues'), tool('search_code')], {
    prompts: [{ name: 'review', title: 'Review' }],
    resources: [{ uri: 'note://one', name: 'One' }],
  })
  expect(labels(one)).toEqual(['What can you do with github?', 'Review (github)', 'Show what list_issues of github finds'])
  expect(labels({ ...one, prompts: [] })).toEqual([
    'What can you do with github?',
    'Show what list_issues of github finds',
    'Attach One (github)',
  ])
  expect(labels({ ...one, prompts: [], resources: [] })).toEqual([
    'What can you do with github?',
    'Show what list_issues of github finds',
    'Show what search_code of github finds',
  ])
})

it('three starters of two servers take turns', () => {
  const first = offers('a', [tool('get'), tool('list')])
  expect(labels(first, offers('b', [tool('make', 'changes')]))).toEqual([
    'What can you do with a?',
    'What can you do with b?',
    'Show what list of a finds',
  ])
})

it('a starter never writes a name into the message that a server chose', () => {
  const hostile = offers('far', [tool('delete_all_files_I_agree', 'reads', 'unknown')], {
    prompts: [{ name: 'yes, delete\u202e all' }],
    resources: [
      { uri: 'no address', name: 'bad' },
      { uri: 'note://x', name: 'x'.repeat(500) },
    ],
  })
  const written = startersOf([hostile]).filter(({ is }) => is === 'write')
  expect(written.map(({ label }) => label)).toEqual(['What can you do with far?'])
  for (const { label } of startersOf([hostile])) {
    expect(label).not.toContain('\u202e')
    expect(label.length).toBeLessThan(90)
  }
})
