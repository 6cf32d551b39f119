import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { playgroundTransport } from '../../src-main/playground/playground.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { ToolCallResult } from '../../src-shared/contract/conversations.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../src-shared/contract/servers.ts'
import { until } from '../support/until.ts'
import { answer, openQuestions, question, returnOn, sendOn } from '../test-hosts/open-question.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

const official = (name: string) =>
  fileURLToPath(new URL(`../../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url))
const EVERYTHING = official('server-everything')
const FILESYSTEM = official('server-filesystem')

async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-shared-')))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

const call = (opened: ServerHost, id: ServerId, tool: string, args: JsonObject = {}) =>
  opened.host.byHand.call(id, tool, args, new AbortController().signal)
const said = ({ content }: ToolCallResult) => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

describe('server-everything', () => {
  let data: string
  let opened: ServerHost
  let host: ServerHost['host']
  let id: ServerId
  const add = (name: string) =>
    opened.ready(name, { type: 'local', command: process.execPath, args: [EVERYTHING, 'stdio'], env: {} })
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'parley-asks-'))
    opened = await ServerHost.start(data)
    host = opened.host
    // As soon as it is connected it asks for folders, and is told of none.
    id = await add('everything')
  })
  afterAll(async () => {
    await opened.end()
    await rm(data, { recursive: true, force: true })
  })

  it('gets folders once a person shares some, and again when they change (ROOT-04, ROOT-03, ROOT-13)', async () => {
    const top = await folder()
    await until(() => opened.record(id).wantsFolders, 'its wish')
    expect(openQuestions(host, 'roots-request')).toEqual([])
    await host.features.roots.set(id, [{ path: top, name: 'Shared' }])
    await until(async () => said(await call(opened, id, 'get-roots-list')).includes(pathToFileURL(top).href), 'the folder')
    await host.features.roots.set(id, [{ path: top, name: 'Renamed' }])
    await until(async () => said(await call(opened, id, 'get-roots-list')).includes('Renamed'), 'its new name')
    await host.features.roots.set(id, [])
    await until(async () => said(await call(opened, id, 'get-roots-list')).includes('no roots'), 'none')
  })

  it('samples with the reviewed prompt and gets the reviewed reply (SAMP-05, SAMP-06, SAMP-31)', async () => {
    const called = call(opened, id, 'trigger-sampling-request', { prompt: 'Tell me a joke', maxTokens: 50 })
    const { about, question: shown } = await question(host, 'sampling-request')
    expect(about.cause).toBe('Because of the call to “trigger-sampling-request” that you ran.')
    expect(shown).toMatchObject({ maxTokens: 50, tokenCap: 50, systemPrompt: { text: expect.any(String) } })
    await sendOn(host, { messages: [{ role: 'user', blocks: [{ text: 'Tell me a fact' }] }] })
    await returnOn(host)
    const text = said(await called)
    expect(text).toContain('Tell me a fact')
    expect(text).not.toContain('Tell me a joke')
    expect(text).toContain('demo')
  })

  it('hears that sampling was declined (SAMP-08)', async () => {
    const called = call(opened, id, 'trigger-sampling-request', { prompt: 'Tell me a joke' })
    await answer(host, 'sampling-request', { decision: 'decline' })
    const result = await called
    expect(result.isError).toBe(true)
    expect(said(result)).toMatch(/-1.*User rejected/)
  })

  it('gets what a person entered into its form, and nothing when they decline or cancel (ELIC-10, ELIC-11, ELIC-13)', async () => {
    const accepted = call(opened, id, 'trigger-elicitation-request')
    const { question: shown } = await question(host, 'elicitation-form')
    expect(Object.keys(shown.schema.properties ?? {}).length).toBeGreaterThan(5)
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada Lovelace', check: true, integer: 42 } })
    expect(said(await accepted)).toContain('Ada Lovelace')
    for (const action of ['decline', 'cancel'] as const) {
      const called = call(opened, id, 'trigger-elicitation-request')
      await answer(host, 'elicitation-form', { action })
      expect(said(await called)).toContain(action)
    }
  })

  it('has its address opened, by request and by error, and its call repeated when the person says so (V11-07, V11-10)', async () => {
    const args = { url: 'https://example.org/connect', message: 'Connect', elicitationId: 'connect-1' }
    const asked = call(opened, id, 'trigger-url-elicitation', args)
    expect((await question(host, 'elicitation-url')).question).toMatchObject({ host: 'example.org', opens: 'page' })
    await answer(host, 'elicitation-url', { action: 'accept' })
    expect(said(await asked)).toContain('accept')
    const refused = call(opened, id, 'trigger-url-elicitation', { ...args, errorPath: true })
    await answer(host, 'elicitation-url', { action: 'accept' })
    await answer(host, 'call-again', { decision: 'again' })
    await answer(host, 'elicitation-url', { action: 'decline' })
    expect(said(await refused)).toContain('decline')
  })

  it('never sees what belongs to others: folders, replies and texts stay where they are (SEC-04, ROOT-11)', async () => {
    const top = await folder()
    const other = await add('other')
    await host.features.roots.set(other, [{ path: top, name: 'canary-folder' }])
    const called = call(opened, other, 'trigger-sampling-request', { prompt: 'canary-prompt' })
    await sendOn(host)
    await returnOn(host)
    await called
    await call(opened, id, 'get-roots-list')
    const wire = JSON.stringify(host.servers.configured.get(id).traffic.read(undefined).entries)
    expect(wire).not.toContain('canary')
    expect(wire).not.toContain(top)
    expect(JSON.stringify(host.servers.configured.get(other).traffic.read(undefined).entries)).toContain('canary-prompt')
  })

  it('withdraws its questions when it dies', async () => {
    const called = call(opened, id, 'trigger-elicitation-request').catch(() => 'failed')
    await question(host, 'elicitation-form')
    await host.servers.controls.stop(id)
    expect(await called).toBe('failed')
    expect(host.state.snapshot.interactions).toEqual([])
  })
})

describe('server-filesystem', () => {
  it('starts without a folder and without a question, and works in one chosen later without a restart (ROOT-03, ROOT-17)', async () => {
    const top = await folder()
    const opened = await ServerHost.open()
    const { host } = opened
    const id = await opened.ready('files', { type: 'local', command: process.execPath, args: [FILESYSTEM], env: {} })
    await until(() => opened.record(id).wantsFolders, 'its wish')
    expect(host.state.snapshot.interactions).toEqual([])
    expect((await call(opened, id, 'list_directory', { path: top })).isError).toBe(true)
    await host.features.roots.set(id, [{ path: top }])
    await until(async () => !(await call(opened, id, 'list_directory', { path: top })).isError, 'the folder to be readable')
    expect(opened.record(id).wantsFolders).toBeUndefined()
  })
})

describe('the Playground', () => {
  it('shows a newcomer every kind of question', async () => {
    const opened = await ServerHost.open({ playground: playgroundTransport })
    const { host } = opened
    await opened.until(PLAYGROUND_ID, 'ready')
    const model = call(opened, PLAYGROUND_ID, 'ask-model', { question: 'Who are you?' })
    await sendOn(host)
    await returnOn(host)
    expect(said(await model)).toContain('Who are you?')
    const form = call(opened, PLAYGROUND_ID, 'ask-form')
    await answer(host, 'elicitation-form', { action: 'accept', content: { name: 'Ada', days: ['Mon'], size: 'm', cups: 2 } })
    expect(said(await form)).toContain('"days":["Mon"]')
    const password = call(opened, PLAYGROUND_ID, 'ask-password')
    expect((await question(host, 'elicitation-form')).question.secrets).toEqual(['password'])
    await answer(host, 'elicitation-form', { action: 'decline' })
    expect(said(await password)).toContain('You chose decline')
    const visit = call(opened, PLAYGROUND_ID, 'ask-visit')
    await answer(host, 'elicitation-url', { action: 'cancel' })
    expect(said(await visit)).toContain('You chose cancel')
    const folders = call(opened, PLAYGROUND_ID, 'list-folders')
    await answer(host, 'roots-request', { decision: 'share', folders: [{ path: opened.folder }], remember: false })
    expect(said(await folders)).toContain('You share no folder')
    const stopped = new AbortController()
    const gone = host.byHand.call(PLAYGROUND_ID, 'ask-form', {}, stopped.signal).catch(() => 'stopped')
    await question(host, 'elicitation-form')
    stopped.abort(new Error('stop'))
    expect(await gone).toBe('stopped')
    await until(() => openQuestions(host, 'elicitation-form').length === 0, 'no question')
  })
})
