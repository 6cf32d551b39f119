// Writes a conversation of many messages into a data folder, by the storage that the host itself uses.
import { openStorage } from '../../src-main/storage/open-storage.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { DEMO_MODEL } from '../../src-shared/contract/settings.ts'

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

/** What a model might say: prose, lists, tables and code. */
export const answerText = (n) =>
  [0, 1, 2].map((at) => (n % 4 === 0 && at === 1 ? CODE : PARAGRAPHS[(n + at) % PARAGRAPHS.length])).join('\n\n')

/** The messages number `n` (a question) and `n + 1` (its answer, every fifth time with a tool call), as events. */
function exchange(n, at) {
  const turnId = `turn-${n}`
  const callId = `call-${n}`
  const calls = n % 10 === 0
  const question = {
    id: `m-${n}`,
    turnId,
    role: 'user',
    at,
    status: 'done',
    parts: [{ type: 'text', text: `Question ${n}: and what about row ${n * 7}?` }],
  }
  const parts = [
    { type: 'text', text: `Answer ${n + 1}. ${answerText(n / 2)}` },
    ...(calls ? [{ type: 'tool-call', toolCallId: callId }] : []),
  ]
  const reply = {
    id: `m-${n + 1}`,
    turnId,
    role: 'assistant',
    at,
    status: 'done',
    model: DEMO_MODEL,
    parts,
    usage: { input: 900, output: 180 },
  }
  const call = {
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
    ...(calls ? [{ type: 'toolCall.changed', toolCall: call }] : []),
  ]
}

/** Nobody may hold the folder. The first message says "Question 0". */
export async function writeLongConversation(folder, { id, title, messages }) {
  const lifetime = new Lifetime('bench')
  const storage = await openStorage({ folder, shell: 'web', clock: systemClock, lifetime })
  try {
    const createdAt = Date.now() - messages * 1000
    await storage.conversations.create({ id, title, createdAt, updatedAt: Date.now(), model: DEMO_MODEL, turn: 'idle' })
    let writes = []
    for (let n = 0; n < messages; n += 2) {
      for (const event of exchange(n, createdAt + n * 1000)) writes.push({ conversationId: id, event })
      if (writes.length < BATCH && n + 2 < messages) continue
      await storage.conversations.write(writes)
      writes = []
    }
  } finally {
    await lifetime.end()
  }
}
