import { describe, expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { chatHost, ECHO, Follower } from '../../../e2e/test-hosts/chat-host.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import { INLINE_LIMIT } from '../../../src-shared/contract/blobs.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'
import { type Storage, StorageError } from '../../storage/base/storage.ts'
import { retryWith } from './conversation-branches.ts'
import { titleOf } from './person-message.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
const forever = new Promise<never>(() => {})

describe('conversations', () => {
  it('are titled by the first line of their first message until renamed', async () => {
    const chat = await chatHost()
    const id = await chat.say('\n  Plan a   trip \nto Rome')
    await chat.idle(id)
    const head = () => chat.host.state.snapshot.conversations[0]
    expect(head()).toMatchObject({ id, title: 'Plan a trip', turn: 'idle' })
    await chat.host.conversations.open(id, (one) => one.rename('Rome'))
    await chat.host.conversations.open(id, (one) => one.send('And Naples?'))
    await chat.idle(id)
    expect(head()?.title).toBe('Rome')
    expect(titleOf('x'.repeat(300)).length).toBe(80)
    await expect(chat.host.conversations.open(id, (one) => one.rename(' '))).rejects.toMatchObject({
      code: 'invalid-params',
    })
  })

  it('refuse an empty message, and one beyond a mebibyte', async () => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    await expect(chat.host.conversations.open(id, (one) => one.send(' \n'))).rejects.toMatchObject({ code: 'invalid-params' })
    await expect(chat.host.conversations.open(id, (one) => one.send('x'.repeat(1024 * 1024 + 1)))).rejects.toMatchObject({
      code: 'invalid-params',
    })
    await expect(chat.host.conversations.open('nobody' as Id<'conversation'>, (one) => one.send('hi'))).rejects.toMatchObject({
      code: 'not-found',
    })
    expect((await chat.storage.conversations.open(id, 10))?.messages).toEqual([])
  })

  it('keep a long message whole for the model, of which the head travels', async () => {
    const chat = await chatHost()
    const text = 'ä'.repeat(INLINE_LIMIT)
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send(text))
    await chat.idle(id)
    expect(window.value.messages[0]?.parts[0]).toMatchObject({ whole: { bytes: INLINE_LIMIT * 2 } })
    expect(Buffer.byteLength(JSON.stringify(window.value.messages[0]))).toBeLessThan(INLINE_LIMIT + 1024)
    expect(chat.model.request(0).messages.map(textOf)).toEqual([text])
  })

  it('show a window that opens in mid-stream exactly what is written, without gap or repetition', async () => {
    const words = Array.from({ length: 300 }, (_, at) => `${at} `)
    const chat = await chatHost({
      replies: [words.flatMap((word, at) => (at % 10 ? [word] : [word, { wait: nextTurn() }]))],
    })
    const id = await chat.say('count')
    const windows: Follower[] = []
    while (chat.host.state.snapshot.conversations[0]?.turn === 'running') {
      windows.push(await chat.follow(id))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await chat.idle(id)
    const stored = await chat.storage.conversations.open(id, 200)
    expect(windows.length).toBeGreaterThan(1)
    for (const window of windows) {
      expect(window.value).toEqual(stored)
      expect(window.seqs).toEqual(window.seqs.map((_, at) => (window.seqs[0] ?? 0) + at))
    }
    expect(windows[0]?.text).toBe(`count|${words.join('')}`)
  })

  it('never show what is not on disk', async () => {
    const onDisk: string[] = []
    const chat = await chatHost({
      replies: [['one ', { wait: Promise.resolve() }, 'two ', { call: 'echo' }], ['three']],
      storage: (real) => ({
        ...real,
        conversations: {
          ...real.conversations,
          write: async (writes) => {
            await real.conversations.write(writes)
            onDisk.push(...writes.map((write) => JSON.stringify(write.event)))
          },
          change: async (change) => {
            const placed = await real.conversations.change(change)
            onDisk.push(...(change.events ?? []).map((event) => JSON.stringify(event)))
            return placed
          },
        },
      }),
    })
    const id = await chat.newConversation()
    const seen: boolean[] = []
    await chat.host.topics.follow(`conversation/${id}`, (_seq, event) => seen.push(onDisk.includes(JSON.stringify(event))))
    await chat.host.conversations.open(id, (one) => one.send('go'))
    await chat.answer('once')
    await chat.idle(id)
    expect(seen.length).toBeGreaterThan(8)
    expect(seen).not.toContain(false)
  })

  it('stop and say so when the disk is full; unsaved text appears once it can be saved', async () => {
    const { storage, disk } = breakable()
    const gate = Promise.withResolvers<void>()
    const chat = await chatHost({ storage, replies: [['Before. ', { wait: gate.promise }, 'After.']] })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send('go'))
    await until(() => window.text.includes('Before.'), 'the first words')
    disk.full = true
    gate.resolve()
    await until(() => window.value.turn?.status === 'failed', 'the turn to fail')
    expect(window.value.turn).toMatchObject({ problem: { code: 'storage-full', todo: expect.stringContaining('room') } })
    expect(window.text).toBe('go|Before. ')
    await until(() => chat.host.state.snapshot.conversations[0]?.turn === 'idle', 'the list to know')
    expect(chat.host.state.snapshot.notices).toMatchObject([{ level: 'error', problem: { code: 'storage-full' } }])
    await expect(chat.host.conversations.open(id, (one) => one.send('more'))).rejects.toMatchObject({ code: 'full' })
    expect(window.text).toBe('go|Before. ')
    disk.full = false
    await chat.host.conversations.open(id, (one) => one.send('more'))
    await chat.idle(id)
    expect(window.text).toMatch(/^go\|Before\. After\.\|more\|/)
    expect(window.value).toEqual(await chat.storage.conversations.open(id, 200))
  })

  it('say so when the end of a turn cannot be saved for another reason, and take the next message', async () => {
    let broken = false
    const chat = await chatHost({
      storage: ({ conversations, ...real }) => ({
        ...real,
        conversations: {
          ...conversations,
          change: async (change) => {
            if (broken) throw new StorageError('corrupt', 'The file is damaged.')
            return conversations.change(change)
          },
        },
      }),
      replies: [['One.'], ['Two.']],
    })
    const id = await chat.say('first')
    const window = await chat.follow(id)
    broken = true
    await chat.idle(id)
    broken = false
    expect(chat.host.state.snapshot.notices).toMatchObject([
      { level: 'error', problem: { code: 'storage-corrupt', said: 'The file is damaged.' } },
    ])
    await until(() => window.value.turn?.status === 'finished', 'the turn’s end to be shown')
    await chat.host.conversations.open(id, (one) => one.send('second'))
    await chat.idle(id)
    expect(window.text).toBe('first|One.|second|Two.')
    expect(window.value).toEqual(await chat.storage.conversations.open(id, 200))
  })

  it('refuse a message that cannot be saved, and show nothing of it', async () => {
    const { storage, disk } = breakable()
    const chat = await chatHost({ storage })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    disk.full = true
    await expect(chat.host.conversations.open(id, (one) => one.send('lost'))).rejects.toMatchObject({ code: 'full' })
    disk.full = false
    expect(window.events).toEqual([])
    expect((await chat.storage.conversations.open(id, 10))?.messages).toEqual([])
    expect(chat.model.requests).toEqual([])
  })

  it('take a message sent the moment the previous turn is shown as finished', async () => {
    const chat = await chatHost({ replies: [['One.'], ['Two.']] })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    const sent = Promise.withResolvers<unknown>()
    await chat.host.topics.follow(`conversation/${id}`, (_seq, event) => {
      if (event === 'gone' || event.type !== 'turn.changed' || event.turn.status !== 'finished') return
      if (window.value.messages.length > 2) return
      sent.resolve(chat.host.conversations.open(id, (one) => one.send('second')).catch((error: unknown) => error))
    })
    await chat.host.conversations.open(id, (one) => one.send('first'))
    expect(await sent.promise).toEqual({ messageId: expect.any(String) })
    await chat.idle(id)
    expect(window.text).toBe('first|One.|second|Two.')
  })

  it('show no turn as running that could not begin, whichever write the disk refuses', async () => {
    for (const refused of [1, 2, 3]) {
      let writes = 0
      let armed = false
      const chat = await chatHost({
        storage: (real) => {
          const counted = async <T>(run: () => Promise<T>): Promise<T> => {
            if (armed) writes += 1
            if (armed && writes === refused) throw new StorageError('full', 'The disk is full.')
            return run()
          }
          const { conversations } = real
          const write: typeof conversations.write = (...args) => counted(() => conversations.write(...args))
          const change: typeof conversations.change = (...args) => counted(() => conversations.change(...args))
          return { ...real, conversations: { ...conversations, write, change } }
        },
        replies: [['One.'], ['Two.'], ['Three.'], ['Four.']],
      })
      const id = await chat.say('first')
      await chat.idle(id)
      const window = await chat.follow(id)
      for (const begin of [
        () => chat.host.conversations.open(id, (one) => one.send('second')),
        () => chat.host.conversations.open(id, (one) => retryWith(one)),
      ]) {
        writes = 0
        armed = true
        const begun = await begin().then(
          () => true,
          () => false,
        )
        if (!begun) expect(window.value.turn?.status).not.toBe('running')
        await chat.idle(id)
        armed = false
        expect(window.value.turn?.status).not.toBe('running')
      }
      await chat.host.conversations.open(id, (one) => retryWith(one))
      await chat.idle(id)
      expect(window.value).toEqual(await chat.storage.conversations.open(id, 200))
      await chat.end()
    }
  })

  it('disappear at once when removed, and come back when that is undone', async () => {
    const chat = await chatHost({ replies: [['Hello.'], [{ wait: forever }]] })
    const id = await chat.say('hi')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('more'))
    const window = await chat.follow(id)
    await chat.host.conversations.remove(id)
    expect(window.gone).toBe(true)
    expect(chat.host.state.snapshot).toMatchObject({ conversations: [], conversationCount: 0 })
    expect((await chat.host.conversations.page()).items).toEqual([])
    await expect(Follower.of(chat.host, id)).rejects.toThrow('does not exist')
    await expect(chat.host.conversations.open(id, (one) => one.send('x'))).rejects.toMatchObject({ code: 'not-found' })
    await chat.host.conversations.restore(id)
    expect(chat.host.state.snapshot).toMatchObject({ conversations: [{ id, title: 'hi', turn: 'idle' }], conversationCount: 1 })
    expect((await chat.follow(id)).text).toContain('Hello.')
    await expect(chat.host.conversations.restore(id)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('are deleted at the next start unless the removal was undone', async () => {
    const chat = await chatHost()
    const id = await chat.say('hi')
    await chat.idle(id)
    await chat.host.conversations.remove(id)
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(again.host.state.snapshot.conversationCount).toBe(0)
    await expect(again.host.conversations.restore(id)).rejects.toMatchObject({ code: 'not-found' })
    expect(await again.storage.conversations.head(id)).toBeUndefined()
    await again.end()
  })

  it('load by pages, older messages too, and are found by their words', async () => {
    const chat = await chatHost()
    const ids: string[] = []
    for (const text of ['alpha one', 'beta two', 'alpha three']) {
      const id = await chat.say(text)
      ids.push(id)
      await chat.idle(id)
    }
    expect((await chat.host.conversations.page()).items.map((head) => head.id).sort()).toEqual([...ids].sort())
    const { hits } = await chat.host.conversations.search('alph')
    expect(new Set(hits.map((hit) => hit.head.title))).toEqual(new Set(['alpha one', 'alpha three']))
    const id = ids[0] as Id<'conversation'>
    const { messages } = (await chat.follow(id)).value
    const earlier = await chat.host.conversations.open(id, (one) => one.messagesBefore(messages.at(-1)!.id))
    expect(earlier).toMatchObject({ messages: [{ role: 'user' }], hasEarlier: false })
  })

  it('use another model from the next turn on', async () => {
    const chat = await chatHost({ replies: [['One.']] })
    const id = await chat.say('hi')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) =>
      one.changeHead((head) => ({ ...head, model: { provider: 'demo' as Id<'provider'>, model: 'demo' } })),
    )
    await chat.host.conversations.open(id, (one) => one.send('count to 3'))
    await chat.idle(id)
    expect(chat.model.requests.length).toBe(1)
    expect((await chat.follow(id)).text).toContain('1 2 3')
  })

  it('accept a model, a title and a tag changed in the very moment of sending', async () => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    const { conversations } = chat.host
    const { provider } = chat.host.state.snapshot.settings.defaultModel
    const all = [
      conversations.open(id, (one) => one.changeHead((head) => ({ ...head, model: { provider, model: 'other' } }))),
      conversations.open(id, (one) => one.rename('Mine')),
      conversations.open(id, (one) => one.tag(['work'])),
      conversations.open(id, (one) => one.send('hi')),
    ]
    await Promise.all(all)
    await chat.idle(id)
    expect(chat.model.request(0).model).toBe('other')
    const kept = { title: 'Mine', tags: ['work'], model: { provider, model: 'other' } }
    expect(await chat.storage.conversations.head(id)).toMatchObject(kept)
    chat.model.push(['Again.'])
    await Promise.all([
      conversations.open(id, (one) => one.changeHead((head) => ({ ...head, model: { provider, model: 'third' } }))),
      conversations.open(id, (one) => retryWith(one)),
    ])
    await chat.idle(id)
    expect(chat.model.request(-1).model).toBe('third')
  })

  it('say which model is missing, keep the message and continue with another', async () => {
    const chat = await chatHost()
    const id = await chat.newConversation()
    const { model } = chat.host.state.snapshot.conversations[0]!
    await chat.host.conversations.open(id, (one) =>
      one.changeHead((head) => ({ ...head, model: { provider: 'gone' as Id<'provider'>, model: 'x' } })),
    )
    await chat.host.conversations.open(id, (one) => one.send('hi'))
    await chat.idle(id)
    expect(await chat.storage.messages.latestTurn(id)).toMatchObject({
      status: 'failed',
      problem: { code: 'unknown-model' },
    })
    await chat.host.conversations.open(id, (one) => one.changeHead((head) => ({ ...head, model: model })))
    await chat.host.conversations.open(id, (one) => one.retry())
    await chat.idle(id)
    expect(chat.model.request(0).messages.map(textOf)).toEqual(['hi'])
    await expect(chat.host.conversations.open(id, (one) => one.retry())).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a turn stopped in the moment of its beginning', () => {
  it('does not run on', async () => {
    const chat = await chatHost({ replies: [[{ wait: forever }]] })
    const id = await chat.newConversation()
    const sending = chat.host.conversations.open(id, (one) => one.send('go'))
    await chat.host.conversations.remove(id)
    await sending
    expect(chat.host.state.snapshot.conversationCount).toBe(0)
    expect((await chat.storage.messages.latestTurn(id))?.status).toBe('stopped')
  })
})

describe('a turn interrupted by the host’s end', () => {
  it('asks again for each call that had not started, and names the one that may have run', async () => {
    const other = { ...ECHO, name: 'other' }
    const chat = await chatHost({
      tools: [ECHO, other],
      replies: [
        [{ call: 'echo', args: { text: 'before' } }],
        ['done'],
        [
          { call: 'echo', args: { text: 'started' } },
          { call: 'other', args: { text: 'waiting' } },
        ],
      ],
      onCall: ({ arguments: args }) => (JSON.stringify(args).includes('before') ? { content: [] } : forever),
    })
    const id = await chat.say('go')
    await chat.answer('conversation')
    await chat.idle(id)
    await chat.host.conversations.open(id, (one) => one.send('go on'))
    await chat.question()
    await until(() => chat.calls.length === 2, 'the call that a rule allows')
    await chat.end()

    const again = await chatHost({ after: chat, tools: [ECHO, other], replies: [['So it is.']] })
    const window = await again.follow(id)
    expect(window.value.turn?.status).toBe('interrupted')
    expect(window.calls.map((call) => [call.status, call.startedAt !== undefined]).sort()).toEqual([
      ['finished', true],
      ['interrupted', false],
      ['interrupted', true],
    ])
    expect(again.host.state.snapshot).toMatchObject({ interactions: [], conversations: [{ turn: 'idle', interrupted: true }] })
    expect(again.calls).toEqual([])

    await again.host.conversations.open(id, (one) => one.retry())
    const { question } = await again.question()
    expect(question.calls[0]?.arguments.json).toBe('{"text":"waiting"}')
    expect(again.host.state.snapshot.interactions.length).toBe(1)
    expect(again.host.state.snapshot.conversations[0]).not.toHaveProperty('interrupted')
    await again.answer('once')
    await again.idle(id)
    expect(again.calls).toEqual([{ name: 'other', arguments: { text: 'waiting' } }])
    expect(again.model.told('call-2')).toMatch(/may have run/)
    expect(again.model.told('call-3')).toContain('echo {"text":"waiting"}')
    expect(window.value.turn?.status).toBe('finished')
    expect(await again.storage.conversations.head(id)).not.toHaveProperty('interrupted')
    await again.end()
  })

  it('waits for a starting server before it repeats a call', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'waiting' } }]] })
    const id = await chat.say('go')
    await chat.question()
    await chat.end()
    const held = Promise.withResolvers<void>()
    let holds = false
    const beforeSend = () => (holds ? held.promise : undefined)
    const again = await chatHost({ after: chat, beforeSend, replies: [['Meanwhile.'], ['It came.']] })
    holds = true
    const restarted = again.host.servers.configured.get(PLAYGROUND_ID).supervisor.restart()
    await until(() => again.host.state.snapshot.servers[PLAYGROUND_ID]?.state.is === 'starting', 'the start')
    await again.host.conversations.open(id, (one) => one.retry())
    // Each of the two turns waits.
    const other = await again.say('something else')
    for (const window of [await again.follow(id), await again.follow(other)])
      await until(() => window.value.turn?.waiting?.on === 'servers', 'the turn to wait')
    expect((await again.call(id)).status).toBe('proposed')
    expect(again.host.state.snapshot.interactions).toEqual([])
    held.resolve()
    await restarted
    await again.answer('once')
    for (const waits of [id, other]) await again.idle(waits)
    expect(again.calls).toEqual([{ name: 'echo', arguments: { text: 'waiting' } }])
    await again.end()
  })

  it('calls no tool that was switched off meanwhile, and tells the model', async () => {
    const chat = await chatHost({ replies: [[{ call: 'echo', args: { text: 'waiting' } }]] })
    const id = await chat.say('go')
    await chat.question()
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['Then not.']] })
    await again.host.conversations.open(id, (one) =>
      one.setSwitches({ servers: [], tools: [{ serverId: PLAYGROUND_ID, tool: 'echo' }] }),
    )
    await again.host.conversations.open(id, (one) => one.retry())
    await again.idle(id)
    expect((await again.follow(id)).calls).toMatchObject([{ status: 'failed', problem: { code: 'tool-off' } }])
    expect(again.calls).toEqual([])
    expect(again.model.told('call-1')).toContain('The call failed')
    await again.end()
  })

  it('keeps the text so far and continues from there', async () => {
    const chat = await chatHost({ replies: [['Once upon ', { wait: forever }]] })
    const id = await chat.newConversation()
    const window = await chat.follow(id)
    await chat.host.conversations.open(id, (one) => one.send('a story'))
    await until(() => window.text.includes('Once'), 'the words')
    await chat.end()
    const again = await chatHost({ after: chat, replies: [['a time.']] })
    expect((await again.follow(id)).value.messages.at(-1)).toMatchObject({
      status: 'interrupted',
      parts: [{ text: 'Once upon ' }],
    })
    await again.host.conversations.open(id, (one) => one.retry())
    await again.idle(id)
    expect(again.model.request(0).messages.map(textOf)).toEqual(['a story', 'Once upon ', expect.stringContaining('cut off')])
    await again.end()
  })
})

/** A storage whose disk can be full: the double of what lies outside. */
function breakable() {
  const disk = { full: false }
  const refusing =
    <Args extends readonly unknown[], T>(run: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (disk.full) throw new StorageError('full', 'The disk is full.')
      return run(...args)
    }
  const storage = ({ conversations, ...real }: Storage): Storage => ({
    ...real,
    conversations: {
      ...conversations,
      write: refusing(conversations.write),
      change: refusing(conversations.change),
    },
  })
  return { disk, storage }
}
