import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TaskNews } from '../../src-main/client/task-run.ts'
import type { ClientFeatures } from '../../src-main/protocol/peer/client-features.ts'
import type { CreateMessageParams, ElicitParams } from '../../src-shared/mcp/client-requests.ts'
import type { Progress } from '../../src-shared/mcp/primitives.ts'
import { type Connected, connect, EVERYTHING, startEverything } from '../support/everything.ts'
import { until } from '../support/until.ts'

describe.each(EVERYTHING)('server-everything over %s', (over) => {
  let server: Awaited<ReturnType<typeof startEverything>>
  let connected: Connected
  const sampled: CreateMessageParams[] = []
  const elicited: ElicitParams[] = []
  const remarks: string[] = []
  const features: ClientFeatures = {
    roots: { list: async () => ({ roots: [{ uri: 'file:///srv/notes', name: 'notes' }] }) },
    sampling: {
      tools: true,
      context: false,
      async createMessage(params) {
        sampled.push(params)
        return {
          role: 'assistant',
          content: { type: 'text', text: 'a sampled answer' },
          model: 'test-model',
          stopReason: 'endTurn',
        }
      },
    },
    elicitation: {
      url: true,
      async elicit(params) {
        elicited.push(params)
        return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada', integer: 7 } }
      },
    },
  }

  beforeAll(async () => {
    server = await startEverything(over)
    connected = await connect(server.transport(), { features, onRemark: (text) => remarks.push(text) })
    await until(() => connected.client.catalog.tool('get-roots-list'), 'the tools that come after the handshake')
  })
  afterAll(async () => {
    await connected?.end()
    await server?.stop()
  })

  const call = (
    name: string,
    args: Record<string, never> | Record<string, unknown> = {},
    onProgress?: (progress: Progress) => void,
  ) => connected.client.callTool(name, args as never, { signal: connected.signal, ...(onProgress && { onProgress }) })
  const text = (result: Awaited<ReturnType<typeof call>>) =>
    result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')

  it('agrees on the newest revision that both know (LIFE-04)', () => {
    expect(connected.client.hello.protocolVersion).toBe('2025-11-25')
    expect(connected.client.hello.serverInfo?.name).toMatch(/everything/)
  })

  it('lists tools, resources, templates and prompts (TOOL-01, RES-02, RES-06)', () => {
    const { tools, resources, templates, prompts, problems } = connected.client.catalog.value
    expect(tools.map(({ tool }) => tool.name)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'trigger-sampling-request']))
    expect(resources.length).toBeGreaterThan(3)
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain('demo://resource/dynamic/text/{resourceId}')
    expect(prompts.map(({ name }) => name)).toContain('args-prompt')
    expect(problems).toEqual([])
  })

  it('calls a tool and gets its text back (TOOL-15)', async () => {
    expect(text(await call('echo', { message: 'grüße 👋\n' }))).toContain('grüße 👋')
    expect(text(await call('get-sum', { a: 2, b: 3 }))).toContain('5')
  })

  it('reads structured content that fits its schema (TOOL-23, TOOL-24)', async () => {
    const result = await call('get-structured-content', { location: 'Chicago' })
    expect(result.structuredContent).toMatchObject({ temperature: expect.any(Number), conditions: expect.any(String) })
    expect(result.warnings).toEqual([])
  })

  it('reads images, annotations, links and embedded resources (SCHEMA-20)', async () => {
    expect((await call('get-tiny-image')).content.map(({ type }) => type)).toContain('image')
    const [annotated] = (await call('get-annotated-message', { messageType: 'error' })).content
    expect(annotated).toMatchObject({ annotations: { priority: 1 } })
    expect((await call('get-resource-links', { count: 2 })).content.filter(({ type }) => type === 'resource_link')).toHaveLength(
      2,
    )
    expect(
      (await call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 })).content.map(({ type }) => type),
    ).toContain('resource')
  })

  it('tells a failed call apart from a failed request (TOOL-21, TOOL-22)', async () => {
    const result = await call('get-sum', { a: 'not a number' }).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if ('value' in result) expect(result.value.isError).toBe(true)
    else expect(result.error).toMatchObject({ code: -32602 })
  })

  it('hears every progress notification of a long call, rising (PROG-01, PROG-05)', async () => {
    const heard: number[] = []
    await call('trigger-long-running-operation', { duration: 0.4, steps: 4 }, ({ progress }) => heard.push(progress))
    expect(heard).toEqual([1, 2, 3, 4])
  })

  it('cancels a call that runs (CANC-01)', async () => {
    const controller = new AbortController()
    const running = connected.client.callTool('trigger-long-running-operation', { duration: 20, steps: 200 } as never, {
      signal: controller.signal,
      onProgress: () => controller.abort(new DOMException('enough', 'AbortError')),
    })
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect(text(await call('echo', { message: 'still here' }))).toContain('still here')
  })

  it('answers sampling in the middle of a call (SAMP-31, MSG-22)', async () => {
    const result = await call('trigger-sampling-request', { prompt: 'the capital of France', maxTokens: 20 })
    expect(sampled.at(-1)).toMatchObject({ maxTokens: 20 })
    expect(JSON.stringify(sampled.at(-1)?.messages)).toContain('the capital of France')
    expect(text(result)).toContain('a sampled answer')
  })

  it('answers an elicitation with a form in the middle of a call (ELIC-10, ELIC-32)', async () => {
    const result = await call('trigger-elicitation-request')
    expect(elicited.at(-1)).toMatchObject({ requestedSchema: { type: 'object', required: ['name'] } })
    expect(text(result)).toContain('Ada')
  })

  it('answers an elicitation by address (V11-01)', async () => {
    await call('trigger-url-elicitation', { url: 'https://example.com/sign?x=1' })
    expect(elicited.at(-1)).toMatchObject({ mode: 'url', url: 'https://example.com/sign?x=1' })
  })

  it('shares the roots that it was given (ROOT-04)', async () => {
    expect(text(await call('get-roots-list'))).toContain('file:///srv/notes')
  })

  it('reads resources of any scheme, text and binary (RES-03, RES-05)', async () => {
    const options = { signal: connected.signal }
    const [first] = connected.client.catalog.value.resources
    expect((await connected.client.readResource(first?.uri ?? '', options)).contents[0]).toHaveProperty('text')
    expect((await connected.client.readResource('demo://resource/dynamic/blob/3', options)).contents[0]).toHaveProperty('blob')
  })

  it('hears updates of what it subscribed to (RES-08, RES-10)', async () => {
    const uri = connected.client.catalog.value.resources[0]?.uri ?? ''
    const updates: string[] = []
    const stop = connected.client.onResourceUpdated.on((update) => updates.push(update.uri))
    await connected.client.subscribe(uri, { signal: connected.signal })
    await call('toggle-subscriber-updates')
    await until(() => updates.includes(uri), 'an update of the resource')
    await call('toggle-subscriber-updates')
    await connected.client.unsubscribe(uri, { signal: connected.signal })
    stop()
  })

  it('gets prompts with arguments, and completes them (PROMPT-05, COMP-03)', async () => {
    const options = { signal: connected.signal }
    const prompt = await connected.client.getPrompt('args-prompt', { city: 'Paris' }, options)
    expect(JSON.stringify(prompt.messages)).toContain('Paris')
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    const { values } = await connected.client.complete(ref, { name: 'department', value: 'E' }, undefined, options)
    expect(values).toContain('Engineering')
  })

  it('completes a later argument by the earlier ones (COMP-05)', async () => {
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    const context = { arguments: { department: 'Engineering' } }
    const { values } = await connected.client.complete(ref, { name: 'name', value: '' }, context, { signal: connected.signal })
    expect(values.length).toBeGreaterThan(0)
  })

  it('sets the log level and hears log messages (LOG-01, LOG-03)', async () => {
    const heard: string[] = []
    const stop = connected.client.onLog.on(({ level }) => heard.push(level))
    await connected.client.setLogLevel('debug', { signal: connected.signal })
    await call('toggle-simulated-logging')
    await until(() => heard.length > 0, 'a log message')
    await call('toggle-simulated-logging')
    stop()
  })

  it('answers pings of ours (PING-03)', async () => {
    await connected.client.ping({ signal: connected.signal })
  })

  it('runs a tool that it runs only as a task, answers its question and gets its result (TASK-2, TASK-9)', async () => {
    expect(connected.client.catalog.tool('simulate-research-query')?.unusable).toBeUndefined()
    const states: string[] = []
    const before = elicited.length
    const args = { topic: 'python', ambiguous: true } as never
    const onTask = ({ status }: TaskNews) => void states.push(status)
    const result = await connected.client.callTool('simulate-research-query', args, { signal: connected.signal, onTask })
    expect(new Set(states)).toEqual(new Set(['working', 'input_required', 'completed']))
    expect(elicited.slice(before)).toHaveLength(1)
    expect(text(result)).toContain('python')
  })
})
