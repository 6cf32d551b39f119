import { openStorage } from '../../../src-main/storage/open-storage.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import type { Id } from '../../../src-shared/base/json.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { Message, ToolCall } from '../../../src-shared/contract/conversations.ts'
import { DEMO_MODEL } from '../../../src-shared/contract/settings.ts'
import type { ConversationEvent } from '../../../src-shared/contract/topics.ts'

const BATCH = 500

const CODE = `\`\`\`ts
export function totals(rows: readonly Row[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { name, amount } of rows) {
    if (!Number.isFinite(amount)) continue
    sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  return sums
}
\`\`\``

const PARAGRAPHS = [
  'The figures in **section 4** come from two sources, and they *disagree*: the first counts returned goods as sold until the refund is booked, the second does not count them at all. See [the note](https://example.com/notes) and `totals()`.',
  '- Take the monthly export, not the live table.\n- Leave out rows without an amount:\n  - they are drafts,\n  - or were refused.\n- Round at the end, never in between.',
  '| month | sold | returned |\n| --- | ---: | ---: |\n| May | 1,204 | 31 |\n| June | 1,377 | 28 |\n| July | 998 | 44 |',
  '> What was agreed in spring holds until somebody says otherwise in writing.\n\nThat leaves three open points, of which the second is the only one that cannot wait until the autumn.',
  '### What to do\n\n1. Ask for the export of **July**.\n2. Run it through the function above.\n3. Compare with the ledger, line by line.',
]

/** A model's reply: prose, lists, tables and code. */
export const answerText = (n: number): string =>
  [0, 1, 2].map((at) => (n % 4 === 0 && at === 1 ? CODE : PARAGRAPHS[(n + at) % PARAGRAPHS.length])).join('\n\n')

const id = <Name extends string>(text: string) => text as Id<Name>

/** A question, number `n`, and its answer; every fifth answer has a tool call. */
function exchange(n: number, at: number): readonly ConversationEvent[] {
  const turnId = id<'turn'>(`turn-${n}`)
  const callId = id<'tool-call'>(`call-${n}`)
  const question: Message = {
    id: id(`m-${n}`),
    turnId,
    role: 'user',
    at,
    status: 'done',
    parts: [{ type: 'text', text: `Question ${n}: and what about row ${n * 7}?` }],
  }
  const text = { type: 'text', text: `Answer ${n + 1}. ${answerText(n / 2)}` } as const
  const calls = n % 10 === 0
  const reply: Message = {
    id: id(`m-${n + 1}`),
    turnId,
    role: 'assistant',
    at,
    status: 'done',
    model: DEMO_MODEL,
    parts: calls ? [text, { type: 'tool-call', toolCallId: callId }] : [text],
    usage: { input: 900, output: 180 },
  }
  const toolCall: ToolCall = {
    id: callId,
    turnId,
    messageId: reply.id,
    serverName: 'ledger',
    tool: 'read_rows',
    arguments: { json: JSON.stringify({ from: n, to: n + 20, columns: ['name', 'amount'] }) },
    status: 'finished',
    proposedAt: at,
    startedAt: at,
    finishedAt: at + 40,
    allowedBy: 'always-rule',
    result: { isError: false, warnings: [], content: [{ type: 'text', text: `${'name,amount\nbolt,12\n'.repeat(9)}end` }] },
  }
  return [
    { type: 'message.added', message: question },
    { type: 'message.added', message: reply },
    ...(calls ? [{ type: 'toolCall.changed', toolCall } as const] : []),
  ]
}

export interface LongConversation {
  readonly id: string
  readonly title: string
  /** An even number. Their ids are `m-0` and so on. */
  readonly messages: number
}

/** Writes it into a data folder that nobody holds, by the storage that the host itself uses. */
export async function writeLongConversation(folder: string, { id: name, title, messages }: LongConversation): Promise<void> {
  const lifetime = new Lifetime('long conversation')
  const { conversations } = await openStorage({ folder, shell: 'web', clock: systemClock, lifetime })
  try {
    const conversationId = id<'conversation'>(name)
    const createdAt = Date.now() - messages * 1000
    await conversations.create({ id: conversationId, title, createdAt, updatedAt: Date.now(), model: DEMO_MODEL, turn: 'idle' })
    for (let n = 0; n < messages; n += BATCH) {
      const events = Array.from({ length: Math.min(BATCH, messages - n) / 2 }, (_, k) =>
        exchange(n + 2 * k, createdAt + (n + k) * 1000),
      )
      await conversations.write(events.flat().map((event) => ({ conversationId, event })))
    }
  } finally {
    await lifetime.end()
  }
}
