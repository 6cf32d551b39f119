import { describe, expect, it } from 'vitest'
import { connectScripted, type ScriptedOptions, settled } from '../../e2e/servers/linked/connect-scripted.ts'
import type { Reply } from '../../e2e/servers/linked/scripted-server.ts'
import type { ElicitResult } from '../../src-shared/mcp/client-requests.ts'
import type { Cause, ClientFeatures } from '../protocol/peer/client-features.ts'
import { ErrorCode, ProtocolError } from '../protocol/shapes/json-rpc.ts'
import { RoundError, RoundLost } from './round-error.ts'

const SCHEMA = { type: 'object', properties: { name: { type: 'string' } } }
const FORM = { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: SCHEMA } }
const THINK = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 10 },
}
const ROOTS = { method: 'roots/list' }
const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
const more = (inputRequests?: unknown, requestState?: unknown) => ({
  resultType: 'input_required',
  ...(inputRequests !== undefined && { inputRequests }),
  ...(requestState !== undefined && { requestState }),
})

/** A person who fills in every form, and says who asked. */
function willing(given: ElicitResult = { action: 'accept', content: { name: 'Ada' } }) {
  const causes: Cause[] = []
  const features: ClientFeatures = {
    elicitation: {
      url: true,
      elicit: async (_params, cause) => {
        causes.push(cause)
        cause.answeredByPerson?.()
        return given
      },
    },
    sampling: {
      tools: true,
      context: false,
      createMessage: async () => ({ role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' }),
    },
    roots: { list: async () => ({ roots: [] }) },
  }
  return { features, causes }
}

/** A modern server that says these one after another, then that it is done. */
function asking(answers: readonly unknown[], options: ScriptedOptions = {}) {
  const left = [...answers]
  const next: Reply = () => left.shift() ?? DONE
  return connectScripted({
    modern: true,
    known: { era: 'modern', by: 'choice' },
    capabilities: { tools: {}, resources: {}, prompts: {} },
    features: willing().features,
    ...options,
    replies: { 'tools/call': next, 'resources/read': next, 'prompts/get': next, 'tools/list': next, ...options.replies },
  })
}

describe('a request that needs input', () => {
  it('is repeated with the same params, another id and every answer once (V26-MRTR-2, V26-MRTR-3, V26-MRTR-11)', async () => {
    await using session = await asking([more({ who: FORM, where: ROOTS, what: THINK }, 's')])
    const tokens: unknown[] = []
    const result = await session.client.callTool('book', { seats: 2 }, { ...session.options, onProgress: () => {} })
    expect(result.content).toEqual([{ type: 'text', text: 'done' }])
    const [first, second] = session.server.got('tools/call')
    expect(second?.id).not.toBe(first?.id)
    const { _meta: before, ...asked } = first?.params ?? {}
    const { _meta: after, inputResponses, requestState, ...again } = second?.params ?? {}
    expect(again).toEqual(asked)
    tokens.push(before.progressToken, after.progressToken)
    expect(new Set(tokens).size).toBe(2)
    expect({ ...after, progressToken: 0 }).toEqual({ ...before, progressToken: 0 })
    expect(requestState).toBe('s')
    expect(inputResponses).toEqual({
      who: { action: 'accept', content: { name: 'Ada' } },
      where: { roots: [] },
      what: { role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' },
    })
  })

  it('returns its state unchanged, and only the newest (V26-MRTR-4, V26-MRTR-6, V26-MRTR-7)', async () => {
    const states = ['', ' {"a": 1 }\u0000\ud800 ünï', 'e\u0301 \ufb01 \u212b \uff21', `${'x'.repeat(100_000)}\\"`]
    await using session = await asking(states.map((state, at) => more({ [`q${at}`]: FORM }, state)))
    await session.client.callTool('book', undefined, session.options)
    const sent = session.server.got('tools/call').map(({ params }) => params)
    expect(sent.map(({ requestState }) => requestState)).toEqual([undefined, ...states])
    expect(sent.map(({ inputResponses }) => Object.keys(inputResponses ?? {}))).toEqual([[], ['q0'], ['q1'], ['q2'], ['q3']])
  })

  it('returns no state when the last answer had none, nor that of another request (V26-MRTR-5, V26-MRTR-7)', async () => {
    await using session = await asking([more({ a: FORM }, 'old'), more({ b: FORM })])
    await session.client.callTool('book', undefined, session.options)
    await session.client.callTool('book', undefined, session.options)
    const sent = session.server.got('tools/call').map(({ params }) => params)
    expect(sent.map((params) => 'requestState' in params)).toEqual([false, true, false, false])
    expect(sent.map((params) => 'inputResponses' in params)).toEqual([false, true, true, false])
  })

  it('may be a tool call, a read or a prompt, and nothing else (V26-MRTR-1)', async () => {
    const read = { resultType: 'complete', contents: [{ uri: 'a:b', text: 'text' }] }
    const prompt = { resultType: 'complete', messages: [] }
    await using session = await asking([more({ a: FORM }), read, more({ a: FORM }), prompt, more({ a: FORM })])
    expect((await session.client.readResource('a:b', session.options)).contents).toEqual(read.contents)
    expect(session.server.got('resources/read').map(({ params }) => params.uri)).toEqual(['a:b', 'a:b'])
    expect((await session.client.getPrompt('p', { a: '1' }, session.options)).messages).toEqual([])
    expect(session.server.got('prompts/get').map(({ params }) => params.arguments)).toEqual([{ a: '1' }, { a: '1' }])
    await session.client.catalog.load(session.options.signal).catch(() => {})
    expect(session.client.catalog.value.tools).toEqual([])
    expect(session.server.got('tools/list')).toHaveLength(1)
    await using completing = await asking([], {
      capabilities: { prompts: {}, completions: {} },
      replies: { 'completion/complete': () => more({ a: FORM }) },
    })
    const { client, options, server } = completing
    const completed = client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, undefined, options)
    await expect(completed).rejects.toMatchObject({ code: 'invalid-result' })
    expect(server.got('completion/complete')).toHaveLength(1)
  })

  it.each([
    ['neither questions nor a state', more()],
    ['no question and no state', more({})],
    ['a state that is no text', more({ a: FORM }, 7)],
    ['questions that are a list', more([FORM])],
    ['a question that is a text', more({ a: 'Name?' })],
    ['a question without a method', more({ a: { params: {} } })],
    ['a state of more than 1 MiB', more({ a: FORM }, 'x'.repeat(1024 * 1024 + 1))],
    ['more questions than may be open', more(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`q${n}`, FORM])))],
  ])('with %s is invalid, and nobody is asked (V26-MRTR-9, V26-MRTR-14)', async (_what, answer) => {
    const { features, causes } = willing()
    await using session = await asking([answer], { features })
    await expect(session.client.callTool('book', undefined, session.options)).rejects.toThrow()
    expect(session.server.got('tools/call')).toHaveLength(1)
    expect(causes).toEqual([])
  })

  it('may ask as many questions as may be open, with a state of 1 MiB (V26-MRTR-14)', async () => {
    const state = 'x'.repeat(1024 * 1024)
    await using session = await asking([more(Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`q${n}`, FORM])), state)])
    await session.client.callTool('book', undefined, session.options)
    const again = session.server.got('tools/call')[1]?.params
    expect(Object.keys(again.inputResponses)).toHaveLength(32)
    expect(again.requestState).toBe(state)
  })

  it.each([
    ['an unknown method', { method: 'files/steal' }],
    ['sampling that was not declared', THINK],
    [
      'a mode that was not declared',
      { method: 'elicitation/create', params: { mode: 'url', message: 'x', url: 'https://a.example/' } },
    ],
    ['a form that is none', { method: 'elicitation/create', params: { message: 'x', requestedSchema: { type: 'array' } } }],
    ['a method of every object', { method: 'constructor' }],
  ])('for %s ends without a question, even that of a sibling (V26-MRTR-10)', async (_what, wrong) => {
    const { features, causes } = willing()
    const { elicitation } = features
    await using session = await asking([more({ fine: FORM, wrong })], {
      features: { ...(elicitation && { elicitation: { ...elicitation, url: false } }) },
    })
    const failure = await session.client.callTool('book', undefined, session.options).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RoundError)
    expect(failure).toMatchObject({ code: 'asked-wrongly' })
    expect(String(failure)).toContain(`wrong: ${wrong.method}`)
    expect(causes).toEqual([])
    expect(session.server.got('tools/call')).toHaveLength(1)
  })

  it.each([
    [{ messages: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: 'u', content: [] }] }] }],
    [
      {
        messages: [
          { role: 'assistant', content: { type: 'tool_use', id: 'u', name: 't', input: {} } },
          {
            role: 'user',
            content: [
              { type: 'tool_result', toolUseId: 'u', content: [] },
              { type: 'text', text: 'x' },
            ],
          },
        ],
      },
    ],
    [{ messages: [{ role: 'assistant', content: { type: 'tool_use', id: 'u', name: 't', input: {} } }] }],
  ])('for a reply to an incomplete tool loop is invalid (V26-SAMP-3): %j', async (params) => {
    let asked = 0
    const sampling = {
      tools: true,
      context: false,
      createMessage: async () => {
        asked++
        throw new Error('asked')
      },
    }
    const entry = { method: 'sampling/createMessage', params: { maxTokens: 5, ...params } }
    await using session = await asking([more({ entry })], { features: { sampling } })
    await expect(session.client.callTool('book', undefined, session.options)).rejects.toMatchObject({ code: 'asked-wrongly' })
    expect(asked).toBe(0)
  })

  it.each([
    [ErrorCode.userRejected, 'declined'],
    [ErrorCode.internal, 'limit'],
    [ErrorCode.invalidParams, 'asked-wrongly'],
  ])('is not repeated when sampling is refused with %i, and its sibling is withdrawn (V26-MRTR-12)', async (code, ends) => {
    let withdrawn: unknown
    const features: ClientFeatures = {
      elicitation: {
        url: false,
        elicit: (_params, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              withdrawn = signal.reason
              reject(signal.reason)
            })
          }),
      },
      sampling: { tools: true, context: false, createMessage: () => Promise.reject(new ProtocolError(code, 'No.')) },
    }
    await using session = await asking([more({ who: FORM, what: THINK }, 's')], { features })
    await expect(session.client.callTool('book', undefined, session.options)).rejects.toMatchObject({ code: ends })
    expect(withdrawn).toBeInstanceOf(DOMException)
    expect(session.server.got('tools/call')).toHaveLength(1)
  })

  it.each<[ElicitResult]>([[{ action: 'decline' }], [{ action: 'cancel' }]])(
    'is repeated with %j, which is an answer, and so is an empty list of folders (V26-MRTR-12, V26-ROOT-3)',
    async (given) => {
      await using session = await asking([more({ who: FORM, where: ROOTS })], { features: willing(given).features })
      await session.client.callTool('book', undefined, session.options)
      const { inputResponses } = session.server.got('tools/call')[1]?.params ?? {}
      expect(inputResponses).toEqual({ who: given, where: { roots: [] } })
    },
  )

  it('names the answered request as its cause in each round (V26-MRTR-13)', async () => {
    const { features, causes } = willing()
    await using session = await asking([more({ a: FORM }), more({ b: FORM })], { features })
    await session.client.callTool('book', undefined, session.options)
    const ids = session.server.got('tools/call').map(({ id }) => id)
    expect(causes.map(({ requestId }) => requestId)).toEqual(ids.slice(0, 2))
    expect(causes.map(({ candidates }) => candidates)).toEqual([[], []])
  })

  it('without questions is repeated after a pause that doubles, up to ten seconds (V26-MRTR-8)', async () => {
    await using session = await asking(Array.from({ length: 8 }, () => more(undefined, 's')))
    const call = session.client.callTool('book', undefined, session.options)
    for (const [at, wait] of [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000].entries()) {
      await session.server.waitFor('tools/call', at + 1)
      await settled()
      session.clock.advance(wait - 1)
      await settled()
      expect(session.server.got('tools/call')).toHaveLength(at + 1)
      session.clock.advance(wait / 4 + 1)
      await session.server.waitFor('tools/call', at + 2)
    }
    await call
    const sent = session.server.got('tools/call').map(({ params }) => params)
    expect(sent.slice(1).every(({ requestState, inputResponses }) => requestState === 's' && !inputResponses)).toBe(true)
  })

  it('is repeated at once after a person’s answer (V26-MRTR-8, V26-ELIC-9)', async () => {
    await using session = await asking([more({ a: FORM }), more({ a: FORM })])
    // The clock stands still.
    await session.client.callTool('book', undefined, session.options)
    expect(session.server.got('tools/call')).toHaveLength(3)
  })

  it('ends after ten rounds in a row that no person answered (V26-MRTR-14)', async () => {
    const { features } = willing()
    const nobody = { list: async () => ({ roots: [] }) }
    // One that a person answers begins the count again.
    const answers = [...Array(9).fill(more({ r: ROOTS })), more({ a: FORM }), ...Array(100).fill(more({ r: ROOTS }))]
    await using session = await asking(answers, { features: { ...features, roots: nobody } })
    await expect(session.client.callTool('book', undefined, session.options)).rejects.toMatchObject({ code: 'invalid-result' })
    expect(session.server.got('tools/call')).toHaveLength(9 + 1 + 10 + 1)
  })

  it('ends after fifty rounds, answered by people or by rules (V26-MRTR-14)', async () => {
    await using session = await asking(Array(100).fill(more({ a: FORM })))
    await expect(session.client.callTool('book', undefined, session.options)).rejects.toMatchObject({ code: 'invalid-result' })
    expect(session.server.got('tools/call')).toHaveLength(51)
  })

  it('has no deadline while a person is asked, and delays no other request (V26-MRTR-15)', async () => {
    const answered = Promise.withResolvers<ElicitResult>()
    const elicitation = { url: false, elicit: () => answered.promise }
    const read = { contents: [] }
    await using session = await asking([more({ a: FORM })], {
      features: { elicitation },
      replies: { 'resources/read': () => read },
    })
    const call = session.client.callTool('book', undefined, { ...session.options, timeout: 1000, maxTime: 2000 })
    await settled()
    session.clock.advance(3_600_000)
    await session.client.readResource('a:b', session.options)
    answered.resolve({ action: 'decline' })
    expect((await call).content).toEqual(DONE.content)
  })

  it('has a deadline of its own in each round (V26-MRTR-15)', async () => {
    let calls = 0
    await using session = await asking([], {
      replies: { 'tools/call': () => (++calls === 1 ? more({ a: FORM }) : undefined) },
    })
    const call = session.client.callTool('book', undefined, { ...session.options, timeout: 1000, maxTime: 2000 })
    call.catch(() => {})
    await session.server.waitFor('tools/call', 2)
    session.clock.advance(1001)
    await expect(call).rejects.toMatchObject({ code: 'timeout' })
  })

  it.each([
    ['while a person is asked', more({ a: FORM }, 's')],
    ['while it waits to come again', more(undefined, 's')],
  ])('that is stopped %s withdraws the question and sends nothing (V26-MRTR-16)', async (_when, answer) => {
    let signal: AbortSignal | undefined
    const elicit = (_params: unknown, cause: Cause) => {
      signal = cause.signal
      return new Promise<ElicitResult>(() => {})
    }
    await using session = await asking([answer], { features: { elicitation: { url: false, elicit } } })
    const stop = new AbortController()
    const asked = Promise.withResolvers<void>()
    const call = session.client.callTool('book', undefined, { signal: stop.signal, onAsked: asked.resolve })
    const ended = call.catch((error: unknown) => error)
    await asked.promise
    await settled()
    const before = session.server.received.length
    stop.abort(new Error('Stopped.'))
    session.clock.advance(60_000)
    expect(signal?.aborted).not.toBe(false)
    expect(await ended).toMatchObject({ message: 'Stopped.' })
    expect(session.server.received).toHaveLength(before)
  })

  it('accepts keys that every object has (V26-MRTR-20)', async () => {
    const questions = JSON.parse('{"__proto__": 1, "constructor": 1, "toString": 1}', (key, value) => (key === '' ? value : FORM))
    await using session = await asking([more(questions)])
    await session.client.callTool('book', undefined, session.options)
    const { inputResponses } = session.server.got('tools/call')[1]?.params ?? {}
    expect(Object.keys(inputResponses).sort()).toEqual(['__proto__', 'constructor', 'toString'])
    expect(({} as { action?: unknown }).action).toBeUndefined()
  })

  it('continues over the next connection when its own was lost during a question (V26-MRTR-17)', async () => {
    const answered = Promise.withResolvers<ElicitResult>()
    await using session = await asking([more({ a: FORM }, 'state')], {
      features: { elicitation: { url: false, elicit: () => answered.promise } },
    })
    const call = session.client.callTool('book', { seats: 2 }, session.options)
    const lost = call.catch((error: unknown) => error)
    await session.server.waitFor('tools/call')
    await settled()
    await session.server.close()
    await session.client.closed
    answered.resolve({ action: 'accept', content: { name: 'Ada' } })
    const failure = await lost
    if (!(failure instanceof RoundLost)) throw failure
    await using next = await asking([])
    let looked = 0
    const again = () => void looked++
    await next.client.callTool('book', { seats: 2 }, { ...next.options, from: failure.round, again })
    expect(next.server.got('tools/call')[0]?.params).toMatchObject({
      name: 'book',
      arguments: { seats: 2 },
      requestState: 'state',
      inputResponses: { a: { action: 'accept', content: { name: 'Ada' } } },
    })
    expect(looked).toBe(1)
  })

  it('is not sent again when the last check forbids it (V26-MRTR-18)', async () => {
    await using session = await asking([more({ a: FORM }, 's')])
    const again = () => Promise.reject(new Error('It is another tool now.'))
    const call = session.client.callTool('book', undefined, { ...session.options, again })
    await expect(call).rejects.toThrow('It is another tool now.')
    expect(session.server.got('tools/call')).toHaveLength(1)
  })
})

describe('a question in a round', () => {
  const VISIT = { mode: 'url', message: 'Sign in', url: 'https://a.example/' }

  it('may be a form without a mode, or an address without an id; an id is ignored (V26-ELIC-2)', async () => {
    const asked: unknown[] = []
    const elicit = async (params: unknown) => {
      asked.push(params)
      return { action: 'accept' as const, content: { name: 'Ada' } }
    }
    const visit = { method: 'elicitation/create', params: VISIT }
    const named = { method: 'elicitation/create', params: { ...VISIT, elicitationId: 7 } }
    await using session = await asking([more({ form: FORM, visit, named })], { features: { elicitation: { url: true, elicit } } })
    await session.client.callTool('book', undefined, session.options)
    expect(asked).toEqual([{ mode: 'form', message: 'Name?', requestedSchema: SCHEMA }, VISIT, VISIT])
    const { inputResponses } = session.server.got('tools/call')[1]?.params ?? {}
    // An address that was opened is agreed to, and nothing more (V26-ELIC-8).
    expect(inputResponses).toMatchObject({ visit: { action: 'accept' }, named: { action: 'accept' } })
    expect(Object.keys(inputResponses.visit)).toEqual(['action'])
  })

  it('is limited to what each request declares (V26-ELIC-1, V26-SAMP-1, V26-ROOT-2)', async () => {
    const declared = async (features: ClientFeatures) => {
      await using session = await asking([], { features })
      await session.client.callTool('book', undefined, session.options)
      return session.server.got('tools/call')[0]?.params._meta['io.modelcontextprotocol/clientCapabilities']
    }
    const { features } = willing()
    expect(await declared(features)).toEqual({ elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} })
    const { elicitation } = features
    expect(await declared({ ...(elicitation && { elicitation: { ...elicitation, url: false } }) })).toEqual({
      elicitation: { form: {} },
    })
    expect(await declared({})).toEqual({})
  })

  it('is not preceded by a notice of changed folders (V26-ROOT-2)', async () => {
    await using session = await asking([])
    const before = session.server.received.length
    session.client.rootsChanged()
    await settled()
    expect(session.server.received).toHaveLength(before)
  })

  it('keeps tool uses and results, and any structured result (V26-SAMP-4)', async () => {
    const asked: unknown[] = []
    const use = { type: 'tool_use', id: 'u', name: 't', input: {}, _meta: { cache: 1 } } as const
    const sampling = {
      tools: true,
      context: false,
      createMessage: async (params: unknown) => {
        asked.push(params)
        return { role: 'assistant' as const, content: [use], model: 'm', stopReason: 'toolUse' }
      },
    }
    const messages = [
      { role: 'assistant', content: use },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'u', content: [], structuredContent: [1], _meta: { a: 2 } }] },
    ]
    const entry = { method: 'sampling/createMessage', params: { messages, maxTokens: 5 } }
    await using session = await asking([more({ entry })], { features: { sampling } })
    await session.client.callTool('book', undefined, session.options)
    expect(asked).toEqual([{ messages, maxTokens: 5 }])
    expect(session.server.got('tools/call')[1]?.params.inputResponses.entry.content).toEqual(use)
  })

  it('is not read from the older revision’s error for addresses (V26-ELIC-11)', async () => {
    let completed = 0
    const { features } = willing()
    const elicitation = features.elicitation && { ...features.elicitation, completed: () => void completed++ }
    const data = { elicitations: [{ ...VISIT, elicitationId: 'e' }] }
    await using session = await asking([], {
      features: { ...(elicitation && { elicitation }) },
      replies: {
        'tools/call': () => {
          throw { code: -32042, message: 'Go there', data }
        },
      },
    })
    const failure = await session.client.callTool('book', undefined, session.options).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: -32042 })
    expect(session.client.requiredElicitations(failure)).toEqual([])
    session.server.notify('notifications/elicitation/complete', { elicitationId: 'e' })
    await settled()
    expect(completed).toBe(0)
    expect(session.remarks).not.toEqual([])
  })
})
