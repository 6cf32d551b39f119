import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../e2e/support/storage/memory-storage.ts'
import { conversationId, headOf, messageOf } from '../../../e2e/support/storage/temporary-storage.ts'
import type { MessageId } from '../../../src-shared/contract/ids.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'

const c = conversationId('c')

/** A tree of messages whose nodes know which child was shown last. */
class Tree {
  readonly parents = new Map<MessageId, MessageId | undefined>()
  readonly #shown = new Map<MessageId | undefined, MessageId | undefined>()

  get path(): readonly MessageId[] {
    const path: MessageId[] = []
    for (let next = this.#shown.get(undefined); next !== undefined; next = this.#shown.get(next)) path.push(next)
    return path
  }

  siblings(id: MessageId): readonly MessageId[] {
    return [...this.parents].flatMap(([other, parent]) => (parent === this.parents.get(id) ? [other] : []))
  }

  add(id: MessageId): void {
    const parent = this.path.at(-1)
    this.parents.set(id, parent)
    this.#shown.set(parent, id)
  }

  hideFrom(id: MessageId): void {
    this.#shown.set(this.parents.get(id), undefined)
  }

  show(id: MessageId): void {
    for (let at: MessageId | undefined = id; at !== undefined; at = this.parents.get(at))
      this.#shown.set(this.parents.get(at), at)
  }

  removeLast(): void {
    const last = this.path.at(-1)
    if (last === undefined || [...this.parents.values()].includes(last)) return
    this.#shown.set(this.parents.get(last), undefined)
    this.parents.delete(last)
  }
}

const step = fc.record({ does: fc.constantFrom('say', 'say', 'edit', 'hide', 'show', 'remove'), at: fc.nat(1000) })

describe('the messages of a conversation', () => {
  it('are shown as a path of a tree, after any edits and retries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { conversations, close } = memoryStorage()
        await conversations.create(headOf('c'))
        const tree = new Tree()
        const pick = (from: readonly MessageId[], at: number) => from[at % Math.max(1, from.length)]
        for (const [n, { does, at }] of steps.entries()) {
          const message = messageOf(`m${n}`, `words ${n}`)
          const events: ConversationEvent[] = [{ type: 'message.added', message }]
          const shown = pick(tree.path, at)
          if (does === 'say') {
            await conversations.change({ id: c, events })
            tree.add(message.id)
          } else if (does === 'edit' && shown !== undefined) {
            await conversations.change({ id: c, hideFrom: shown, events })
            tree.hideFrom(shown)
            tree.add(message.id)
          } else if (does === 'hide' && shown !== undefined) {
            await conversations.change({ id: c, hideFrom: shown })
            tree.hideFrom(shown)
          } else if (does === 'show') {
            const wanted = pick([...tree.parents.keys()], at)
            if (wanted === undefined) continue
            await conversations.change({ id: c, show: wanted })
            tree.show(wanted)
          } else if (does === 'remove') {
            const last = tree.path.at(-1)
            if (last === undefined || [...tree.parents.values()].includes(last)) continue
            await conversations.change({ id: c, events: [{ type: 'message.removed', id: last }] })
            tree.removeLast()
          }
          const topic = await conversations.open(c, 1000)
          expect(topic?.messages.map(({ id }) => id)).toEqual(tree.path)
          for (const id of tree.path) {
            const versions = topic?.versions?.find(({ ids }) => ids.includes(id))
            expect(versions?.ids ?? [id]).toEqual(tree.siblings(id))
          }
        }
        await close()
      }),
      { numRuns: 60 },
    )
  })

  it('leave their versions to the message before when set aside or removed', async () => {
    const { conversations } = memoryStorage()
    await conversations.create(headOf('c'))
    const add = (name: string): ConversationEvent => ({ type: 'message.added', message: messageOf(name, name) })
    const idOf = (name: string) => messageOf(name, '').id
    await conversations.change({ id: c, events: [add('one'), add('two'), add('three')] })
    await conversations.change({ id: c, hideFrom: idOf('three'), events: [add('other')] })
    await conversations.change({ id: c, events: [{ type: 'message.removed', id: idOf('two') }] })
    expect((await conversations.open(c, 9))?.versions).toEqual([{ after: idOf('one'), ids: [idOf('three'), idOf('other')] }])
    await conversations.change({ id: c, show: idOf('three') })
    expect((await conversations.open(c, 9))?.messages.map(({ id }) => id)).toEqual([idOf('one'), idOf('three')])
  })
})
