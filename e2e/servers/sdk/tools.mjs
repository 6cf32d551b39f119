// The tools that both generations of the official SDK serve: what server-everything lacks. A call gets `wire`, its way back to the client.
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const NUMBER = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const QUESTION = { role: 'user', content: { type: 'text', text: 'How cold is it in Oslo?' } }

export const REPORTS = 50
export const STORM = 300

/** One server's memory: what happened, for tests to ask for. */
export function newState() {
  return { lists: 0, sideEffects: 0, weatherCalls: 0, resumed: 0, posts: 0, extraTools: 0, handAnswers: {}, onAnswer: () => {} }
}

const define = (name, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more })

export function listTools(state) {
  state.lists += 1
  const grown = Array.from({ length: state.extraTools }, (_, n) => define(`grown-${n}`))
  return { tools: [...Object.entries(TOOLS).map(([name, { more }]) => define(name, more)), ...grown] }
}

export async function callTool(state, { name, _meta }, wire) {
  const tool = TOOLS[name]
  if (!tool) return { ...text(`There is no tool ${name}`), isError: true }
  return tool.run(state, { ...wire, token: _meta?.progressToken })
}

/** Announced, and never used by a client that does not ask for it. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
}

const TOOLS = {
  counters: { run: (state) => text(JSON.stringify({ ...state, onAnswer: undefined })) },

  // The server's own tool: in sampling it is the server that runs it.
  weather: {
    run: (state) => {
      state.weatherCalls += 1
      return text('called over the wire')
    },
  },
  'sample-with-tools': {
    run: async (_state, wire) => {
      const asked = { maxTokens: 100, tools: [define('weather')], toolChoice: { mode: 'auto' } }
      const first = await wire.request('sampling/createMessage', { ...asked, messages: [QUESTION] })
      const use = [first.content].flat().find(({ type }) => type === 'tool_use')
      const result = { type: 'tool_result', toolUseId: use.id, content: [{ type: 'text', text: `${use.input.city}: 4 °C` }] }
      const messages = [QUESTION, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }]
      const second = await wire.request('sampling/createMessage', { ...asked, messages })
      return text(`${first.stopReason}, ${second.stopReason}: ${[second.content].flat()[0].text}`)
    },
  },

  'list-changed-storm': {
    run: async (state, wire) => {
      for (let n = 0; n < STORM; n++) {
        state.extraTools += 1
        await wire.notify('notifications/tools/list_changed')
      }
      return text('stormed')
    },
  },

  'structured-right': { more: { outputSchema: NUMBER }, run: () => ({ ...text('7'), structuredContent: { n: 7 } }) },
  'structured-wrong': { more: { outputSchema: NUMBER }, run: () => ({ ...text('seven'), structuredContent: { n: 'seven' } }) },
  'structured-missing': { more: { outputSchema: NUMBER }, run: () => text('7') },
  'structured-error': { more: { outputSchema: NUMBER }, run: () => ({ ...text('no number today'), isError: true }) },

  'progress-and-result': {
    run: async (_state, wire) => {
      wire.inOneWrite()
      for (let progress = 1; progress <= REPORTS; progress++) {
        await wire.notify('notifications/progress', { progressToken: wire.token, progress, total: REPORTS })
      }
      return text('and done')
    },
  },

  'may-be-a-task': { more: { execution: { taskSupport: 'optional' } }, run: () => text('done at once') },

  // JSON-RPC batches exist in 2025-03-26 only and no SDK sends them, so this one is written by hand.
  'batch-by-hand': {
    run: async (state, wire) => {
      const answered = new Promise((resolve) => {
        state.onAnswer = (answer) => {
          state.handAnswers[answer.id] = answer.result ?? answer.error.code
          if (Object.keys(state.handAnswers).length === 3) resolve()
        }
      })
      const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'from the batch' } }
      const ask = (id, method) => ({ jsonrpc: '2.0', id, method })
      wire.raw(JSON.stringify([ask('hand-1', 'ping'), log, ask('hand-2', 'roots/list'), ask('hand-3', 'no/such')]))
      await answered
      return text(JSON.stringify(state.handAnswers))
    },
  },

  // Closes the stream of its own reply when only its empty first event is out; what follows can only come on a stream that resumes it.
  'resumed-reply': {
    run: async (state, wire) => {
      const before = state.resumed
      wire.closeStream()
      await until(() => state.resumed > before)
      await wire.notify('notifications/progress', { progressToken: wire.token, progress: 1 })
      return text('after the break')
    },
  },

  'side-effect': {
    run: (state) => {
      state.sideEffects += 1
      return text('done')
    },
  },
  'side-effect-without-answer': {
    run: (state) => {
      state.sideEffects += 1
      return new Promise(() => {})
    },
  },
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
