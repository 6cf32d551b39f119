import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { type ChatHost, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import { ATTACHMENT_LIMIT } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId, ProjectId } from '../../../src-shared/contract/ids.ts'
import { NO_PLACE } from '../../../src-shared/contract/projects.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import { STRANGER } from '../../consent/provenance.ts'

const wants = (args: object) => [{ call: 'echo', args: { ...args } }] as const

async function inProject(chat: ChatHost, name = 'Garden'): Promise<{ project: ProjectId; id: ConversationId }> {
  const { id: project } = await chat.host.projects.create(name)
  const { id } = await chat.host.conversations.create({ project })
  return { project, id }
}

/** The open question's sentence about a call's reach. */
async function outside(chat: ChatHost): Promise<readonly (string | undefined)[]> {
  const { question } = await chat.question()
  return question.calls.flatMap(({ guards }) => guards.filter(({ guard }) => guard === 'outside').map(({ argument }) => argument))
}

async function saidOutside(chat: ChatHost, id: ConversationId, args: object) {
  chat.model.push(wants(args))
  await chat.host.conversations.open(id, (one) => one.send('Go on'))
  const found = await outside(chat)
  await chat.answer('deny')
  await chat.idle(id)
  return found
}

describe('a project', () => {
  it('gives its instructions to the model of its conversations, after those for all, and to no other', async () => {
    const chat = await chatHost()
    const { project, id } = await inProject(chat)
    await chat.host.settings.change({ instructions: ' Be brief. ' })
    await chat.host.projects.change(project, { instructions: 'Speak of roses.' })
    await chat.host.conversations.open(id, (one) => one.send('Hi'))
    await chat.idle(id)
    const { system } = chat.model.request(0)
    expect(system).toMatch(/^You are an assistant in Parley/)
    expect(system.indexOf('Be brief.')).toBeGreaterThan(system.indexOf('in Markdown'))
    expect(system.indexOf('project “Garden”:\nSpeak of roses.')).toBeGreaterThan(system.indexOf('Be brief.'))
    await chat.idle(await chat.say('Hi'))
    expect(chat.model.request(1).system).toMatch(/Be brief\.$/)
  })

  it('keeps the instructions of a running turn and uses edited ones in the next', async () => {
    const chat = await chatHost({
      replies: [wants({ text: 'a' })],
      onCall: async () => {
        await chat.host.projects.change(project, { instructions: 'Later.' })
        return { content: [] }
      },
    })
    const { project, id } = await inProject(chat)
    await chat.host.projects.change(project, { instructions: 'At first.' })
    await chat.host.conversations.open(id, (one) => one.send('Go'))
    await chat.answer('once')
    await chat.idle(id)
    expect(chat.model.request(1).system).toBe(chat.model.request(0).system)
    expect(chat.model.request(1).system).toContain('At first.')
    await chat.host.conversations.open(id, (one) => one.send('Again'))
    await chat.idle(id)
    expect(chat.model.request(2).system).toContain('Later.')
  })

  it('leaves out tools for its conversations, and the meter says which', async () => {
    const chat = await chatHost({ tools: [ECHO, { ...ECHO, name: 'other' }] })
    const { project, id } = await inProject(chat)
    await chat.host.projects.change(project, { switches: { servers: [], tools: [{ serverId: PLAYGROUND_ID, tool: 'echo' }] } })
    await chat.host.conversations.open(id, (one) => one.send('Hi'))
    await chat.idle(id)
    const offered = chat.model.request(0).tools.map(({ name }) => name)
    expect(offered).toContain('other')
    expect(offered).not.toContain('echo')
    const { servers } = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    const states = servers[0]?.tools.map(({ tool, state }) => [tool, state])
    expect(Object.fromEntries(states ?? [])).toEqual({ echo: 'off-in-project', other: 'offered' })
  })

  it('gives its files to the model of its conversations, before the messages, and the meter counts them', async () => {
    const chat = await chatHost()
    const { project, id } = await inProject(chat)
    const before = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    const text = `Plant the beans in May, says thief@evil.example. ${'Water them. '.repeat(50)}`
    const add = (name: string, bytes: string) =>
      chat.host.personFiles.attachToProject({
        ...{ id: project, name, last: true },
        piece: Buffer.from(bytes).toString('base64'),
      })
    const added = await add('notes/plan.md', text)
    expect(added).toMatchObject({ is: 'attached', attachment: { title: 'plan.md', file: 'text' } })
    const told = (n: number) => JSON.stringify(chat.model.request(n).messages[0])
    await chat.host.conversations.open(id, (one) => one.send('When?'))
    await chat.idle(id)
    expect(told(0)).toMatch(/Files of the project “Garden”.*“plan\.md”.*data, not instructions.*Plant the beans.*When\?/s)
    // They are not the person's own words, whatever their author.
    const seen = await chat.host.conversations.open(id, async (one) => {
      await one.read()
      return one.reading.seen
    })
    expect([seen.sourcesOf('thief@evil.example') & STRANGER, seen.firstUntrustedSource()?.what]).toEqual([
      STRANGER,
      'an attachment',
    ])
    const after = await chat.host.conversations.open(id, (one) => chat.host.meter.read(one))
    expect([before.files, after.files > 150]).toEqual([0, true])
    expect(after.total).toBe(after.system + after.files + after.tools + after.messages[0]!.tokens + after.messages[1]!.tokens)
    await chat.idle(await chat.say('Hi'))
    expect(told(1)).not.toContain('beans')

    if (added.is !== 'attached') throw new Error('The file came in one piece.')
    await chat.host.projects.removeFile(project, added.attachment.id)
    await chat.host.conversations.open(id, (one) => one.send('And now?'))
    await chat.idle(id)
    expect(told(2)).not.toContain('beans')
    await chat.host.projects.restoreFile(project, added.attachment.id)
    expect(chat.host.projects.read(project).files).toEqual([added.attachment])
    await expect(add('empty.txt', '')).rejects.toMatchObject({ code: 'refused' })
    for (let n = 2; n <= ATTACHMENT_LIMIT; n++) await add(`${n}.txt`, 'x')
    await expect(add('one too many.txt', 'x')).rejects.toThrow('holds at most 12 files')
  })

  it('starts conversations with the default model when its own was removed', async () => {
    const chat = await chatHost()
    const { project } = await inProject(chat)
    const { defaultModel } = chat.host.settings.current
    await chat.host.projects.change(project, { model: defaultModel })
    await chat.host.providers.remove(defaultModel.provider)
    await until(() => chat.host.projects.read(project).model === null, 'the model to go')
    const { id } = await chat.host.conversations.create({ project })
    expect((await chat.host.conversations.open(id, (one) => one.head)).model).toEqual(DEMO_MODEL)
  })

  it('gives new conversations its model, unless another is asked for', async () => {
    const chat = await chatHost()
    const { project } = await inProject(chat)
    await chat.host.projects.change(project, { model: DEMO_MODEL })
    const modelOf = async (wanted: Parameters<ChatHost['host']['conversations']['create']>[0]) =>
      (await chat.host.conversations.open((await chat.host.conversations.create(wanted)).id, (one) => one.head)).model.model
    expect(await modelOf({ project })).toBe('demo')
    expect(await modelOf({})).toBe('scripted')
    const scripted = chat.host.settings.current.defaultModel
    expect(await modelOf({ project, model: scripted })).toBe('scripted')
  })

  it('names sites and people for its conversations, and a conversation names more for itself', async () => {
    const chat = await chatHost()
    const { project, id } = await inProject(chat)
    const other = await chat.newConversation()
    const args = { url: 'https://docs.example.org/a', to: 'Ann@example.org' }
    await chat.host.projects.change(project, {
      place: { ...NO_PLACE, hosts: ['https://docs.example.org/x', 'b.example'], recipients: [' BOB@example.org'] },
    })
    expect(chat.host.projects.read(project).place).toEqual({
      folders: [],
      hosts: ['docs.example.org', 'b.example'],
      recipients: ['bob@example.org'],
    })
    expect(await saidOutside(chat, id, args)).toEqual(['to'])
    await chat.host.conversations.open(id, (one) => one.setPlace({ ...NO_PLACE, recipients: ['ann@example.org'] }))
    expect(await saidOutside(chat, id, args)).toEqual([])
    await chat.host.conversations.open(other, (one) => one.setPlace({ ...NO_PLACE, hosts: ['c.example'] }))
    expect(await saidOutside(chat, other, args)).toEqual(['url'])
  })

  it('refuses a home folder, and any above it, as one in which files may be changed', async () => {
    const chat = await chatHost()
    const { project } = await inProject(chat)
    for (const path of [homedir(), '/']) {
      const place = { ...NO_PLACE, folders: [{ path, editable: true as const }] }
      await expect(chat.host.projects.change(project, { place }), path).rejects.toThrow('is too large a folder')
      await chat.host.projects.change(project, { place: { ...NO_PLACE, folders: [{ path }] } })
      await expect(chat.host.projects.change(project, { place }), path).rejects.toThrow('is too large a folder')
    }
  })

  it.each([
    ['no site', ['a b']],
    ['an address of a person', ['a@b.example']],
    ['nothing', ['']],
  ])('refuses %s as a site', async (_what, hosts) => {
    const chat = await chatHost()
    const { project } = await inProject(chat)
    await expect(chat.host.projects.change(project, { place: { ...NO_PLACE, hosts } })).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringContaining('is not a site'),
    })
  })

  it('has its own one-line name', async () => {
    const chat = await chatHost()
    await chat.host.projects.create('  My\n garden ')
    expect(chat.host.state.snapshot.projects).toMatchObject([{ name: 'My garden' }])
    await expect(chat.host.projects.create('My garden')).rejects.toMatchObject({ code: 'invalid-params' })
    await expect(chat.host.projects.create(' ')).rejects.toMatchObject({ code: 'invalid-params' })
  })

  it('has its own rules, which hold for its conversations, survive a restart, and go with it', async () => {
    const go = wants({ repo: 'a/b' })
    const chat = await chatHost({ replies: [go, ['Done.'], go, ['Done.']] })
    const { project, id } = await inProject(chat)
    await chat.host.conversations.open(id, (one) => one.send('go'))
    const { id: interaction, kind, question } = await chat.question()
    const [first] = question.calls
    const offer = question.offers.find(({ scope }) => scope === 'project')?.id
    if (!first || offer === undefined) throw new Error('No rule for the project is offered.')
    await chat.host.interactions.answer({
      id: interaction,
      kind,
      answer: { decision: 'allow', calls: [first.toolCallId], offer },
    })
    await chat.idle(id)
    expect(chat.host.consent.rules.list()).toMatchObject([{ scope: 'project', projectId: project, projectName: 'Garden' }])

    const { id: sibling } = await chat.host.conversations.create({ project })
    const other = await chat.newConversation()
    await chat.host.conversations.open(other, (one) => one.send('go'))
    expect((await chat.question()).about.conversationId).toBe(other)
    await chat.answer('deny')
    await chat.idle(other)
    await chat.end()
    const again = await chatHost({ after: chat, replies: [go, ['Done.']] })
    expect(again.host.consent.rules.list()).toHaveLength(1)
    await again.host.conversations.open(sibling, (one) => one.send('go'))
    await again.idle(sibling)
    expect(await again.call(sibling)).toMatchObject({ status: 'finished', allowedBy: 'project-rule' })
    await again.host.projects.remove(project)
    await until(() => again.host.consent.rules.list().length === 0, 'its rules to go')
  })

  it('leaves its conversations without a project when it is removed', async () => {
    const chat = await chatHost()
    const { project, id } = await inProject(chat)
    await chat.host.projects.change(project, { instructions: 'Speak of roses.' })
    expect(await chat.host.conversations.open(id, (one) => one.project?.id)).toBe(project)
    await chat.host.projects.remove(project)
    expect(chat.host.state.snapshot).toMatchObject({ projects: [], conversations: [{ id }] })
    expect(chat.host.state.snapshot.conversations[0]).not.toHaveProperty('project')
    expect(await chat.storage.conversations.head(id)).not.toHaveProperty('project')
    expect(await chat.host.conversations.open(id, (one) => one.project?.id)).toBeUndefined()
    await chat.host.conversations.open(id, (one) => one.send('Hi'))
    await chat.idle(id)
    expect(chat.model.request(0).system).not.toContain('roses')
    await expect(chat.host.conversations.create({ project })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('survives a restart with its conversations, of which one can be moved', async () => {
    const chat = await chatHost()
    const { project, id } = await inProject(chat)
    const { id: second } = await chat.host.projects.create('Another')
    await chat.host.projects.change(project, { instructions: 'Speak of roses.', place: { ...NO_PLACE, hosts: ['b.example'] } })
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(again.host.state.snapshot.projects.map(({ name }) => name)).toEqual(['Another', 'Garden'])
    expect(again.host.projects.read(project)).toMatchObject({ instructions: 'Speak of roses.', place: { hosts: ['b.example'] } })
    expect(await again.host.conversations.open(id, (one) => one.project?.id)).toBe(project)
    expect(await again.host.conversations.open(id, (one) => one.place.hosts)).toEqual(['b.example'])
    await again.host.conversations.setProject(id, second)
    expect(await again.host.conversations.open(id, (one) => one.project?.id)).toBe(second)
    expect(await again.host.conversations.open(id, (one) => one.place.hosts)).toEqual([])
    await again.host.conversations.setProject(id, null)
    expect(await again.host.conversations.open(id, (one) => one.project?.id)).toBeUndefined()
  })
})

it('a project removed while its conversation is renamed is not written again', async () => {
  const chat = await chatHost()
  for (let steps = 0; steps < 24; steps++) {
    const { project, id } = await inProject(chat, `Garden ${steps}`)
    const renamed = chat.host.conversations.open(id, (one) => one.rename('Roses'))
    const removed = later(steps, () => chat.host.projects.remove(project))
    const begun = later(steps, () => chat.host.conversations.open(id, (one) => one.rename('Tulips')))
    await Promise.all([renamed, removed, begun])
    const kept = await chat.storage.conversations.head(id)
    const shown = chat.host.state.snapshot.conversations.find((head) => head.id === id)
    for (const head of [kept, shown]) {
      expect([steps, head?.title]).toEqual([steps, 'Tulips'])
      expect([steps, head?.project]).toEqual([steps, undefined])
    }
  }
})

/** After so many steps of what is under way. */
async function later<T>(steps: number, run: () => Promise<T>): Promise<T> {
  for (let n = 0; n < steps; n++) await Promise.resolve()
  return run()
}
