import { isObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { fits } from '../../src-shared/base/range.ts'
import { type ModelEntry, WINDOW_RANGE } from '../../src-shared/contract/settings.ts'

type Fetch = typeof globalThis.fetch

const MAX_REQUESTED = 24
const CONCURRENT = 4
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

/** Fields of the context window in model lists of the OpenAI format, most specific first. */
const LISTED = ['max_model_len', 'context_window', 'context_length', 'max_context_length', 'n_ctx'] as const

/**
 * The context window in a row of `GET /models`: vLLM, Groq, OpenRouter, Together, Mistral and llama.cpp each have a field of their
 * own.
 */
export function listedWindow(row: unknown): number | undefined {
  if (!isObject(row)) return undefined
  for (const name of LISTED) {
    const tokens = tokensOf(row[name])
    if (tokens !== undefined) return tokens
  }
  const meta = isObject(row.meta) ? row.meta : {}
  return tokensOf(meta.n_ctx) ?? tokensOf(meta.n_ctx_train)
}

/**
 * Adds windows and abilities from the own APIs of Ollama and LM Studio at the same origin, when the list names no windows. The window
 * of a loaded model overrides the model's own; models that cannot chat are left out. For any other server the models stay the same.
 */
export async function withServedWindows(models: readonly ModelEntry[], server: Server): Promise<readonly ModelEntry[]> {
  if (models.length === 0 || models.some(({ contextWindow }) => contextWindow !== undefined)) return models
  const found = (await ollamaModels(models, server)) ?? (await lmStudioModels(server))
  if (!found) return models
  return models.flatMap((model) => {
    const { chat = true, ...described } = found.get(model.id) ?? {}
    return chat ? [{ ...model, ...described }] : []
  })
}

type Described = Pick<ModelEntry, 'contextWindow' | 'vision' | 'tools'> & { readonly chat?: boolean }

interface Server {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

/** `GET /api/ps` lists loaded models, `POST /api/show` describes one. */
async function ollamaModels(models: readonly ModelEntry[], server: Server): Promise<Map<string, Described> | undefined> {
  const running = await answer(server, '/api/ps')
  if (!isObject(running) || !Array.isArray(running.models)) return undefined
  const loaded = new Map<string, number>()
  for (const one of running.models) {
    const tokens = isObject(one) ? tokensOf(one.context_length) : undefined
    if (isObject(one) && typeof one.model === 'string' && tokens !== undefined) loaded.set(one.model, tokens)
  }
  const found = new Map<string, Described>([...loaded].map(([id, contextWindow]) => [id, { contextWindow }]))
  const waiting = models.map(({ id }) => id).slice(0, MAX_REQUESTED)
  const next = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const shown = await answer(server, '/api/show', { model: id })
      const contextWindow = loaded.get(id) ?? shownWindow(shown)
      const can = isObject(shown) && Array.isArray(shown.capabilities) ? shown.capabilities : undefined
      found.set(id, {
        ...(contextWindow !== undefined && { contextWindow }),
        ...(can && { chat: can.includes('completion'), vision: can.includes('vision'), tools: can.includes('tools') }),
      })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, next))
  return found
}

/** The configured window (`num_ctx`), else the one of its training. */
function shownWindow(shown: unknown): number | undefined {
  if (!isObject(shown)) return undefined
  const set =
    typeof shown.parameters === 'string' ? /^[ \t]*num_ctx[ \t]+(\d{1,9})[ \t\r]*$/m.exec(shown.parameters)?.[1] : undefined
  const made = Object.entries(isObject(shown.model_info) ? shown.model_info : {}).find(([key]) => key.endsWith('.context_length'))
  return tokensOf(set === undefined ? undefined : Number(set)) ?? tokensOf(made?.[1])
}

async function lmStudioModels(server: Server): Promise<Map<string, Described> | undefined> {
  const listed = await answer(server, '/api/v0/models')
  if (!isObject(listed) || !Array.isArray(listed.data)) return undefined
  const found = new Map<string, Described>()
  for (const one of listed.data) {
    if (!isObject(one) || typeof one.id !== 'string') continue
    const contextWindow = tokensOf(one.loaded_context_length) ?? tokensOf(one.max_context_length)
    found.set(one.id, {
      ...(contextWindow !== undefined && { contextWindow }),
      ...(typeof one.type === 'string' && { chat: one.type !== 'embeddings', vision: one.type === 'vlm' }),
      ...(Array.isArray(one.capabilities) && { tools: one.capabilities.includes('tool_use') }),
    })
  }
  return found
}

/** Undefined for any other answer than JSON, since the server may be another one. */
async function answer({ baseUrl, fetch, signal }: Server, path: string, body?: object): Promise<unknown> {
  try {
    const response = await fetch(new URL(path, baseUrl), {
      signal,
      redirect: 'error',
      ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      return undefined
    }
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of response.body) {
      bytes += piece.byteLength
      if (bytes > MAX_ANSWER_BYTES) return undefined
      pieces.push(piece)
    }
    return parseJson(Buffer.concat(pieces).toString('utf8'))
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && fits(value, WINDOW_RANGE) ? value : undefined
}
