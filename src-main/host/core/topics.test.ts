import { describe, expect, it } from 'vitest'
import type { Id } from '../../../src-shared/base/json.ts'
import type { ServerTopic, Topic, TopicEvent } from '../../../src-shared/contract/topics.ts'
import { Topics } from './topics.ts'

const topic: Topic = `server/${'files' as Id<'server'>}`
const line = (n: number) => ({ n, at: 0, source: 'log' as const, text: `line ${n}` })
const added = (...ns: number[]): TopicEvent => ({ type: 'log.added', lines: ns.map(line) })
const logOf = (...ns: number[]): ServerTopic => ({ kind: 'server', log: ns.map(line) })

describe('a topic', () => {
  it('numbers events for followers from its value on', async () => {
    const topics = new Topics()
    topics.serve('server', async () => logOf(1))
    topics.emit(topic, added(1))
    const heard: [number, TopicEvent | 'gone'][] = []
    const followed = await topics.follow(topic, (seq, event) => heard.push([seq, event]))
    expect(followed).toMatchObject({ seq: 0, value: logOf(1) })
    topics.emit(topic, added(2))
    topics.emit(topic, added(3))
    expect(heard).toEqual([
      [1, added(2)],
      [2, added(3)],
    ])
    followed?.stop()
    topics.emit(topic, added(4))
    expect(heard.length).toBe(2)
  })

  it('loses and repeats nothing that happens while its value is fetched', async () => {
    const topics = new Topics()
    const gate = Promise.withResolvers<void>()
    let log = logOf(1)
    topics.serve('server', async () => {
      await gate.promise
      return () => log
    })
    const heard: (TopicEvent | 'gone')[] = []
    const following = topics.follow(topic, (_seq, event) => heard.push(event))
    const emit = (n: number) => {
      log = { ...log, log: [...log.log, line(n)] }
      topics.emit(topic, added(n))
    }
    emit(2)
    gate.resolve()
    const followed = await following
    emit(3)
    const seen = followed?.value.kind === 'server' ? followed.value.log.map(({ n }) => n) : []
    expect(seen).toEqual([1, 2])
    expect(heard).toEqual([added(3)])
  })

  it('adds to a plain log once what came meanwhile', async () => {
    const topics = new Topics()
    const gate = Promise.withResolvers<void>()
    topics.serve('server', async () => {
      await gate.promise
      return logOf(1, 2)
    })
    const following = topics.follow(topic, () => {})
    topics.emit(topic, added(2))
    topics.emit(topic, added(3))
    gate.resolve()
    expect((await following)?.value).toEqual(logOf(1, 2, 3))
  })

  it('reaches every follower although one of them fails', async () => {
    const topics = new Topics()
    topics.serve('server', async () => logOf())
    const heard: unknown[] = []
    await topics.follow(topic, () => {
      throw new Error('broken window')
    })
    await topics.follow(topic, (_seq, event) => heard.push(event))
    expect(() => topics.emit(topic, added(1))).toThrow('broken window')
    expect(heard).toEqual([added(1)])
  })

  it('tells followers when it is gone, and its owner when the last one left', async () => {
    const topics = new Topics()
    const released: string[] = []
    topics.serve(
      'server',
      async () => logOf(),
      (key) => released.push(key),
    )
    const heard: unknown[] = []
    const first = await topics.follow(topic, (_seq, event) => heard.push(event))
    const second = await topics.follow(topic, () => {})
    first?.stop()
    expect(released).toEqual([])
    second?.stop()
    second?.stop()
    expect(released).toEqual(['files'])
    await topics.follow(topic, (_seq, event) => heard.push(event))
    topics.gone(topic)
    expect(heard).toEqual(['gone'])
    expect(released).toEqual(['files', 'files'])
  })

  it('is unknown without an owner, and is forgotten when it could not be opened', async () => {
    const topics = new Topics()
    expect(await topics.follow(topic, () => {})).toBeUndefined()
    const released: string[] = []
    topics.serve(
      'server',
      async () => {
        throw new Error('disk')
      },
      (key) => released.push(key),
    )
    await expect(topics.follow(topic, () => {})).rejects.toThrow('disk')
    expect(released).toEqual(['files'])
  })
})
