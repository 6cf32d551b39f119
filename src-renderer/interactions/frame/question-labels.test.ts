import { describe, expect, it } from 'vitest'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { InteractionId, ProviderId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { InteractionOf, LaunchAsked } from '../../../src-shared/contract/interactions.ts'
import type { SamplingResultQuestion } from '../../../src-shared/contract/sampling.ts'
import { questionDetail, questionSentence } from './question-labels.ts'

const call = (serverName: string, tool: string) => ({ serverName, tool }) as ConsentCall
const question = (...calls: ConsentCall[]): InteractionOf<'tool-consent'> => ({
  id: 'q' as InteractionId,
  kind: 'tool-consent',
  about: { serverId: 's' as ServerId, serverName: 'filesystem', origin: 'model', cause: '' },
  askedAt: 0,
  endsAt: 1,
  question: { calls, offers: [] },
})

describe('the sentence of a question about calls', () => {
  it('names the tool of one, and counts several with their servers', () => {
    expect(questionSentence(question(call('filesystem', 'list')))).toBe('Run list on filesystem?')
    expect(questionSentence(question(call('filesystem', 'a'), call('git', 'b'), call('filesystem', 'c')))).toBe(
      '3 calls on filesystem and git',
    )
    expect(questionSentence(question(call('a', '1'), call('b', '2'), call('c', '3')))).toBe('3 calls on a, b and c')
    expect(questionSentence(question({ ...call('filesystem', 'edit_file'), undoes: true }))).toBe('Undo a change on filesystem?')
  })

  it('says that the app of a server asks (APP-15)', () => {
    const asked = { ...call('weather', 'save'), byApp: true as const }
    expect(questionSentence(question(asked))).toBe('The app of weather asks to run save')
  })

  it('says that a file of a skill is read, since no tool is called', () => {
    const asked = { ...call('desk', 'resources/read'), skill: 'expen\u202eses' }
    expect(questionSentence(question(asked))).toMatch(/^Read a file of the skill “expen[^\u202e]+ses”\?$/)
  })

  it('has the distinguishing argument with it', () => {
    const told = (tool: string, telling?: string) => ({ ...call('files', tool), ...(telling !== undefined && { telling }) })
    expect(questionDetail(question(told('read', 'a.ts')))).toBe('a.ts')
    expect(questionDetail(question(told('read', 'a.ts'), told('list'), told('read', 'b\u202e.ts')))).toMatch(
      /^a\.ts, b[^\u202e]+\.ts$/,
    )
    expect(questionDetail(question(told('list')))).toBeUndefined()
  })

  it('contains no invisible character', () => {
    expect(questionSentence(question(call('file\u202esystem', 'li\u200bst')))).not.toMatch(/[\u202e\u200b]/)
  })
})

it('the sentence about several servers counts them by kind', () => {
  const launches = (launch: object, ...names: string[]): InteractionOf<'servers-trust'> => ({
    ...question(),
    kind: 'servers-trust',
    question: { servers: names.map((serverName) => ({ serverName, launch }) as LaunchAsked) },
  })
  expect(questionSentence(launches({ type: 'local' }, 'a', 'b'))).toBe('Start 2 servers on this computer?')
  expect(questionSentence(launches({ type: 'remote' }, 'a', 'b', 'c'))).toBe('Connect to 3 servers?')
})

it('the sentence about a reply says that it is ready once it is, and not before', () => {
  const { calls: _calls, ...asked } = { ...question(), calls: [] }
  const reply = (state: SamplingResultQuestion['state']): InteractionOf<'sampling-result'> => ({
    ...asked,
    kind: 'sampling-result',
    question: { follows: 'q', model: { provider: 'p' as ProviderId, model: 'm' }, state, blocks: [] },
  })
  expect(questionSentence(reply('writing'))).toBe('A reply for filesystem is being written')
  expect(questionSentence(reply('done'))).toBe('A reply for filesystem is ready for review')
  expect(questionSentence(reply('failed'))).toBe('A reply for filesystem could not be written')
})
