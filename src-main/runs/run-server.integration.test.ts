import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { chatHost } from '../../e2e/test-hosts/chat-host.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { askRunning } from './run-client.ts'
import { PROMPT_LIMIT } from './run-messages.ts'
import { serveRuns } from './run-server.ts'

const { signal } = new AbortController()
const onNote = () => {}

async function served() {
  const chat = await chatHost({ replies: [['Hello.']] })
  const runs = await serveRuns(chat.host, systemClock)
  onTestFinished(() => runs.close())
  return { chat, runs }
}

/** The whole answer to a stranger's words. */
function answerTo(port: number, words: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(words))
    let got = ''
    socket.on('data', (piece) => {
      got += piece
    })
    // The other side may reset the connection in the middle of our words.
    socket.on('error', () => {})
    socket.once('close', () => resolve(got))
  })
}

it('a client with the key gets the outcome of its prompt', async () => {
  const { runs } = await served()
  const line = await askRunning(runs, { is: 'run', request: { prompt: 'Hi' } }, { signal, onNote })
  expect(line).toMatchObject({ is: 'outcome', outcome: { status: 'finished', reply: 'Hello.', conversation: { title: 'Hi' } } })
})

it.each([
  ['a wrong key', () => `${JSON.stringify({ key: '0'.repeat(64), ask: { is: 'run', request: { prompt: 'Hi' } } })}\n`],
  ['an unknown request', (key: string) => `${JSON.stringify({ key, ask: { is: 'answer', id: 'x' } })}\n`],
  ['a request with a further field', (key: string) => `${JSON.stringify({ key, ask: { is: 'link' }, allow: true })}\n`],
  ['HTTP', () => 'POST / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'],
  ['a line without an end', () => 'x'.repeat(PROMPT_LIMIT * 7)],
  ['no JSON', (key: string) => `${key}\n`],
])('%s is closed without an answer or a message', async (_what, words) => {
  const { chat, runs } = await served()
  expect(await answerTo(runs.port, words(runs.key))).toBe('')
  expect(chat.host.state.snapshot.conversations).toEqual([])
})

it('a link is refused by a host without a page', async () => {
  const { runs } = await served()
  expect(await askRunning(runs, { is: 'link' }, { signal, onNote })).toMatchObject({ is: 'refused' })
})
