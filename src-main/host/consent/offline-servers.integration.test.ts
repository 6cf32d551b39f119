import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fenceHere } from '../../../e2e/support/fence-here.ts'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer } from '../../../e2e/test-hosts/open-question.ts'
import type { Step } from '../../../e2e/test-hosts/scripted-provider.ts'
import { small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { FencePolicy } from '../../../src-shared/contract/servers.ts'

const here = await fenceHere()
const CLOSED: FencePolicy = { network: 'none', folders: [] }
const MAIL = { to: ['bo@example.com'], body: 'hello' }
const NO_NETWORK = 'It has no network, so it cannot send.'

interface Office {
  readonly file?: string
  readonly call?: Step
  /** Turns in which the model makes the call. */
  readonly times?: number
}

/** A host with a server of many trades. */
async function office(fence: FencePolicy | null, { file = 'acts.mjs', call, times = 1 }: Office = {}) {
  const chat = await chatHost({
    disk: true,
    tools: [],
    replies: call ? Array.from({ length: times }, () => [[call], []]).flat() : [],
  })
  const { edits, controls, configured } = chat.host.servers
  const { serverId } = await edits.add({ name: 'office', launch: small(file), options: { fence } })
  const record = () => configured.find(serverId)?.record
  const ready = () => until(() => record()?.state.is === 'ready', 'the server')
  await allowStart(chat)
  await ready()
  const setFence = async (now: FencePolicy | null, asks = true) => {
    const set = controls.setOptions(serverId, { fence: now })
    if (asks) await allowStart(chat)
    await set
    await ready()
  }
  const judged = async () => {
    const { powers, why } = await chat.host.consent.simulate(serverId, 'send_email', MAIL)
    return { sends: powers.includes('sends'), why: why.includes(NO_NETWORK) }
  }
  return { chat, serverId, setFence, judged, record }
}

const allowStart = ({ host }: ChatHost) => answer(host, 'server-trust', { decision: 'allow' })

describe.skipIf(!here)('a server without a network', () => {
  it('sends nothing for as long as its process has none, whatever its option says', async () => {
    const { chat, serverId, setFence, judged, record } = await office(null)
    expect(await judged()).toEqual({ sends: true, why: false })
    // An option that was stored and not yet applied.
    const found = chat.host.servers.configured.find(serverId)
    const { options } = record() ?? {}
    if (options) found?.setOptions({ ...options, fence: CLOSED })
    expect(await judged()).toEqual({ sends: true, why: false })
    if (options) found?.setOptions(options)
    await setFence(CLOSED, false)
    expect(await judged()).toEqual({ sends: false, why: true })
    const folder = await temporaryFolder()
    await setFence({ network: 'none', folders: [{ path: folder, write: false }] })
    expect(await judged()).toEqual({ sends: true, why: false })
    await setFence({ network: { hosts: ['api.example.com'] }, folders: [] })
    expect(await judged()).toEqual({ sends: true, why: false })
  })

  it('stays behind its fence where a call that names a hidden folder is allowed without that press', async () => {
    const folder = await temporaryFolder()
    const note = join(folder, 'note.txt')
    await writeFile(note, 'from the folder')
    const call = { call: 'read_file', args: { path: note } }
    const { chat, serverId, record } = await office(CLOSED, { file: 'reach.mjs', call })
    const id = await chat.say('Read the note')
    await chat.answer('once')
    await chat.idle(id)
    expect(record()?.options.fence).toEqual(CLOSED)
    expect(chat.model.told('call-1')).toContain('refused: ENOENT')
    // The line at the call then opens it by one press.
    const named = record()?.blocked ?? []
    expect(named.map(({ name }) => name)).toEqual([folder])
    const { signal } = new AbortController()
    expect(await chat.host.servers.controls.openFurther(serverId, named, signal)).toBe(true)
    expect(record()).toMatchObject({ state: { is: 'ready' }, options: { fence: { folders: [{ path: folder, write: false }] } } })
    expect(chat.host.state.snapshot.interactions).toEqual([])
  })

  it('gets no call that was allowed before its fence was opened', async () => {
    const { chat, setFence } = await office(CLOSED, { call: { call: 'send_email', args: MAIL } })
    const id = await chat.say('Write to Bo')
    const [asked] = (await chat.question()).question.calls
    expect(asked?.why).toContain(NO_NETWORK)
    expect(asked?.powers).not.toContain('sends')
    await setFence(null)
    await chat.answer('once')
    await chat.idle(id)
    const call = await chat.call(id)
    expect(call).toMatchObject({ status: 'failed', problem: { said: expect.stringContaining('was opened since') } })
  })

  it('is started for the question when it is idle, so that the question tells', async () => {
    const { chat, serverId, record } = await office(CLOSED, { call: { call: 'send_email', args: MAIL } })
    chat.host.servers.configured.find(serverId)?.supervisor.rest('unused')
    await until(() => record()?.state.is === 'idle', 'the server to be idle')
    const id = await chat.say('Write to Bo')
    expect((await chat.question()).question.calls[0]?.why).toContain(NO_NETWORK)
    await chat.answer('once')
    await chat.idle(id)
    expect(await chat.call(id)).toMatchObject({ status: 'finished', why: expect.stringContaining(NO_NETWORK) })
  })

  it('may have needed what a failed call names, which its record and the model are told', async () => {
    const args = { attempt: 'look up a name', place: '{"name":"api.example.com"}' }
    const { chat } = await office(CLOSED, { file: 'reach.mjs', call: { call: 'try', args } })
    const id = await chat.say('Look it up')
    await chat.answer('once')
    await chat.idle(id)
    expect((await chat.call(id)).blocked).toEqual([{ kind: 'host', name: 'api.example.com', guessed: true }])
    const told = chat.model.told('call-1')
    expect(told).toContain('refused: getaddrinfo')
    expect(told).toContain('It may have needed api.example.com, which its fence blocks. Only the person can open the fence.')
  })

  it.each(['asked about', 'allowed by a rule'])(
    'is let in by one press before a call that is %s, where the call names a folder that its fence hides',
    async (how) => {
      const folder = await temporaryFolder()
      const note = join(folder, 'note.txt')
      await writeFile(note, 'from the folder')
      const isRuled = how !== 'asked about'
      const call = { call: 'read_file', args: { path: note } }
      const { chat, setFence, record } = await office(isRuled ? null : CLOSED, {
        file: 'reach.mjs',
        call,
        times: isRuled ? 2 : 1,
      })
      let id = await chat.say('Read the note')
      if (isRuled) {
        await chat.answer('always')
        await chat.idle(id)
        await setFence(CLOSED, false)
        id = await chat.say('Read it again')
      }
      const { question, ...asked } = await chat.question()
      expect(question.offers[0]?.label).toBe(`Allow once and let “office” see ${folder}`)
      const [shown] = question.calls
      if (isRuled) expect(shown?.why).toBe('The fence of this server hides a folder that the call names.')
      const answer = { decision: 'allow' as const, calls: shown ? [shown.toolCallId] : [], offer: 'open-fence' }
      chat.host.interactions.answer({ id: asked.id, kind: 'tool-consent', answer })
      await chat.idle(id)
      expect(record()?.options.fence).toEqual({ network: 'none', folders: [{ path: folder, write: false }] })
      const told = chat.model.told(isRuled ? 'call-2' : 'call-1')
      expect(told).toContain('reached: from the folder')
      expect(chat.host.state.snapshot.interactions).toEqual([])
    },
  )

  it('has views without a network, and takes no call of one that has it (APP-24)', async () => {
    const { chat, setFence } = await office(null, { file: 'app.mjs', call: { call: 'network', args: {} } })
    const id = await chat.say('Show it')
    await chat.answer('once')
    await chat.idle(id)
    const { id: call } = await chat.call(id)
    const { apps } = chat.host
    const before = await apps.open(id, call, true)
    expect(before).toMatchObject({ is: 'opened', network: true })
    await setFence(CLOSED, false)
    const view = before.is === 'opened' ? before.view : ''
    const { signal } = new AbortController()
    const refused = { code: 'unavailable', message: expect.stringContaining('has no network') }
    await expect(apps.read(view, 'ui://app/show', signal)).rejects.toMatchObject(refused)
    await expect(apps.call(view, 'get_rows', {}, true, signal)).rejects.toMatchObject(refused)
    expect(await apps.open(id, call)).toMatchObject({ is: 'opened', network: false })
  })
})
