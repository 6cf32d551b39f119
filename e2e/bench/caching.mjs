// The cost of a turn of fifteen rounds at Anthropic divided by that with ideal breakpoints: our real adapter against a loopback API
// that bills as the provider does (e2e/support/prompt-cache.ts). Arithmetic, no time: it needs no build and no quiet machine.
import { createProvider } from '../../src-main/models/create-provider.ts'
import { startModelApi } from '../support/model-api.ts'
import { costOverIdeal } from '../support/prompt-cache.ts'

const ROUNDS = 15
const words = (count) => Array.from({ length: count }, (_, n) => `word${n % 97}`).join(' ')
const text = (said) => [{ type: 'text', text: said }]

const tools = Array.from({ length: 40 }, (_, n) => ({
  name: `tool_${n}`,
  description: `[Server] ${words(40)}`,
  inputSchema: { type: 'object', properties: { query: { type: 'string', description: words(10) } } },
}))

/** Calls of each round, and words of each result. */
const TURNS = {
  'one call a round': { calls: () => 1, result: () => 400 },
  'three calls a round, one result of many words': { calls: () => 3, result: (round) => (round === 4 ? 5000 : 300) },
  'fifteen calls at once in every third round': { calls: (round) => (round % 3 === 0 ? 15 : 1), result: () => 200 },
  'short results, no tools to speak of': { calls: () => 1, result: () => 20, tools: tools.slice(0, 1) },
}

/** The bodies of one turn's requests, as they reach the API. */
async function turn({ calls, result, tools: offered = tools }) {
  const api = await startModelApi((_request, round) =>
    round === ROUNDS - 1
      ? { text: 'Done.' }
      : {
          thinking: words(30),
          text: words(20),
          calls: Array.from({ length: calls(round) }, (_, n) => ({
            name: 'tool_0',
            arguments: JSON.stringify({ query: `${words(5)} ${n}` }),
            id: `call-${round}-${n}`,
          })),
        },
  )
  const provider = createProvider('anthropic', { name: 'Loopback', baseUrl: api.url, key: 'none', retries: 0 })
  const messages = [{ role: 'user', content: text(words(200)) }]
  for (let round = 0; round < ROUNDS; round++) {
    const reply = { role: 'assistant', text: '', toolCalls: [] }
    const request = { model: 'claude', system: words(150), tools: offered, messages: [...messages] }
    for await (const delta of provider.stream(request, new AbortController().signal)) {
      if (delta.type === 'text') reply.text += delta.text
      else if (delta.type === 'tool-call') reply.toolCalls.push(delta.call)
      else if (delta.type === 'done' && delta.providerState) reply.providerState = delta.providerState
    }
    messages.push(reply)
    for (const { id, name } of reply.toolCalls) {
      messages.push({ role: 'tool', callId: id, toolName: name, isError: false, content: text(words(result(round))) })
    }
  }
  await api.close()
  return api.requests.map(({ body }) => body)
}

/** The same requests as they would be without the marks on the conversation. */
const headOnly = (body) => ({
  ...body,
  messages: body.messages.map(({ role, content }) => ({
    role,
    content: content.map(({ cache_control, ...block }) => block),
  })),
})

console.log(`A turn of ${ROUNDS} rounds, price of its input over that with ideal breakpoints (aim: at most ×1.05)`)
for (const [name, shape] of Object.entries(TURNS)) {
  const bodies = await turn(shape)
  const { ratio } = costOverIdeal(bodies)
  const { ratio: before } = costOverIdeal(bodies.map(headOnly))
  console.log(`${name.padEnd(50)} ×${ratio.toFixed(3)}   tools and system prompt alone kept: ×${before.toFixed(1)}`)
  if (ratio > 1.05) process.exitCode = 1
}
