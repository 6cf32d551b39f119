import { isObject } from '../../src-shared/base/json.ts'
import { parseJson } from '../../src-shared/base/parse-json.ts'
import { fits } from '../../src-shared/base/range.ts'
import { type ModelEntry, WINDOW_RANGE } from '../../src-shared/contract/settings.ts'

type Fetch = typeof globalThis.fetch

/** Models that are asked about one by one. */
const ASKED = 24
/** Questions under way at a time. */
const AT_ONCE = 4
/** Bytes of an answer that are read. */
const ANSWER_LIMIT = 4 * 1024 * 1024

/** Where servers of the OpenAI format say in their list of models how much one takes in, most specific first. */
const LISTED = ['max_model_len', 'context_window', 'context_length', 'max_context_length', 'n_ctx'] as const

/**
 * The window that a row of `GET /models` names: vLLM, Groq, OpenRouter, Together, Mistral and llama.cpp do, each under its own name.
 * undefined when it names none.
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
 * Windows and abilities of models whose list names none, by the own interfaces of Ollama and LM Studio below the same origin. What is
 * loaded now counts before what the model was made for; models that cannot chat are left out. A server that is neither answers nothing, and the models come back as they were.
 */
export async function withServedWindows(
  models: readonly ModelEntry[],
  server: { readonly baseUrl: string; readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<readonly ModelEntry[]> {
  if (models.length === 0 || models.some(({ contextWindow }) => contextWindow !== undefined)) return models
  const found = (await ollamaModels(models, server)) ?? (await lmStudioModels(server))
  if (!found) return models
  return models.flatMap((model) => {
    const { chat = true, ...told } = found.get(model.id) ?? {}
    return chat ? [{ ...model, ...told }] : []
  })
}

/** A model as such a server describes it. */
type Told = Pick<ModelEntry, 'contextWindow' | 'vision' | 'tools'> & { readonly chat?: boolean }

interface Server {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

/** `GET /api/ps` tells what is loaded, `POST /api/show` what a model was made for, is set to and can do. */
async function ollamaModels(models: readonly ModelEntry[], server: Server): Promise<Map<string, Told> | undefined> {
  const running = await answer(server, '/api/ps')
  if (!isObject(running) || !Array.isArray(running.models)) return undefined
  const loaded = new Map<string, number>()
  for (const one of running.models) {
    const tokens = isObject(one) ? tokensOf(one.context_length) : undefined
    if (isObject(one) && typeof one.model === 'string' && tokens !== undefined) loaded.set(one.model, tokens)
  }
  const found = new Map<string, Told>([...loaded].map(([id, contextWindow]) => [id, { contextWindow }]))
  const waiting = models.map(({ id }) => id).slice(0, ASKED)
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
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return found
}

/** The configured window of a model (`num_ctx`), else the one that it was trained for. */
function shownWindow(shown: unknown): number | undefined {
  if (!isObject(shown)) return undefined
  const set =
    typeof shown.parameters === 'string' ? /^[ \t]*num_ctx[ \t]+(\d{1,9})[ \t\r]*$/m.exec(shown.parameters)?.[1] : undefined
  const made = Object.entries(isObject(shown.model_info) ? shown.model_info : {}).find(([key]) => key.endsWith('.context_length'))
  return tokensOf(set === undefined ? undefined : Number(set)) ?? tokensOf(made?.[1])
}

async function lmStudioModels(server: Server): Promise<Map<string, Told> | undefined> {
  const listed = await answer(server, '/api/v0/models')
  if (!isObject(listed) || !Array.isArray(listed.data)) return undefined
  const found = new Map<string, Told>()
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

/** undefined for whatever is no JSON answer: these are questions to a server that may be another one. */
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
      if (bytes > ANSWER_LIMIT) return undefined
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
