import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProvider } from './create-provider.ts'

/** A server that answers with what lies under "METHOD path" or, for a POST, under "METHOD path model". */
async function serve(answers: Record<string, unknown>) {
  const asked: string[] = []
  const server = createServer(async (message, response) => {
    let text = ''
    for await (const chunk of message) text += chunk
    const { model } = text ? JSON.parse(text) : { model: undefined }
    const key = [message.method, message.url, model].filter(Boolean).join(' ')
    asked.push(key)
    const found = answers[key]
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(typeof found === 'string' ? found : JSON.stringify(found ?? { error: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const provider = createProvider('openai-compatible', { name: 'Local', baseUrl, retries: 0 })
  return { asked, list: (signal = new AbortController().signal) => provider.listModels(signal) }
}

const listed = (...rows: object[]) => ({ object: 'list', data: rows.map((row) => ({ object: 'model', ...row })) })

describe('the window of a model', () => {
  it('comes with the list, without another request', async () => {
    const { asked, list } = await serve({ 'GET /v1/models': listed({ id: 'a', max_model_len: 8192 }, { id: 'b' }) })
    expect(await list()).toEqual([
      { id: 'a', name: 'a', contextWindow: 8192 },
      { id: 'b', name: 'b' },
    ])
    expect(asked).toEqual(['GET /v1/models'])
  })

  it('is the loaded one of Ollama, else the configured one, else the model’s own', async () => {
    const { list } = await serve({
      'GET /v1/models': listed({ id: 'loaded' }, { id: 'made' }, { id: 'set' }, { id: 'silent' }),
      'GET /api/ps': { models: [{ model: 'loaded', context_length: 4096 }] },
      'POST /api/show loaded': { model_info: { 'llama.context_length': 131_072 } },
      'POST /api/show made': { model_info: { 'general.architecture': 'llama', 'llama.context_length': 131_072 } },
      'POST /api/show set': {
        parameters: 'stop "x"\nnum_ctx                        8192',
        model_info: { 'q.context_length': 32_768 },
      },
      'POST /api/show silent': 'not JSON',
    })
    const windows = Object.fromEntries((await list()).map(({ id, contextWindow }) => [id, contextWindow]))
    expect(windows).toEqual({ loaded: 4096, made: 131_072, set: 8192, silent: undefined })
  })

  it('is the loaded one of LM Studio, else its maximum', async () => {
    const { asked, list } = await serve({
      'GET /v1/models': listed({ id: 'a' }, { id: 'b' }),
      'GET /api/v0/models': {
        data: [
          { id: 'a', max_context_length: 32_768, loaded_context_length: 4096 },
          { id: 'b', max_context_length: 32_768 },
        ],
      },
    })
    expect((await list()).map(({ contextWindow }) => contextWindow)).toEqual([4096, 32_768])
    expect(asked).not.toContain('POST /api/show a')
  })

  it('stays unknown where no API tells it', async () => {
    const { list } = await serve({ 'GET /v1/models': listed({ id: 'a' }) })
    expect(await list()).toEqual([{ id: 'a', name: 'a' }])
  })
})
