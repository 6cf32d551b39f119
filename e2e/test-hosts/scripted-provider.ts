import type { ModelDelta, ModelMessage, ModelProvider, ModelRequest } from '../../src-main/models/model-provider.ts'
import type { JsonObject } from '../../src-shared/base/json.ts'
import type { ModelEntry } from '../../src-shared/contract/settings.ts'

/** One step of a reply; a string is a piece of text. */
export type Step =
  | string
  | { readonly thinking: string }
  | { readonly call: string; readonly args?: JsonObject; readonly id?: string }
  /** A call whose arguments are no JSON object. */
  | { readonly call: string; readonly broken: string }
  | { readonly fail: Error }
  /** Waits until the promise settles or the turn is stopped. */
  | { readonly wait: Promise<unknown> }
  /** Ends the stream without `done`. */
  | { readonly breakOff: true }
  | {
      readonly done: {
        readonly stopReason?: 'end' | 'tool-use' | 'max-tokens' | 'refused'
        readonly usage?: { readonly input: number; readonly output: number }
        readonly providerState?: JsonObject
      }
    }

export type ScriptedReply = readonly Step[] | ((request: ModelRequest) => readonly Step[])

/** A model that replies with a test's script, then "Done.", and records its requests. */
export class ScriptedProvider implements ModelProvider {
  readonly requests: ModelRequest[] = []
  models: readonly ModelEntry[] = [{ id: 'scripted', name: 'Scripted', vision: true }]
  readonly #replies: ScriptedReply[]
  #calls = 0

  constructor(...replies: ScriptedReply[]) {
    this.#replies = replies
  }

  push(...replies: ScriptedReply[]): void {
    this.#replies.push(...replies)
  }

  async listModels(): Promise<readonly ModelEntry[]> {
    return this.models
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.requests.push(structuredClone(request))
    const reply = this.#replies.shift() ?? ['Done.']
    let calls = 0
    for (const step of typeof reply === 'function' ? reply(request) : reply) {
      signal.throwIfAborted()
      if (typeof step === 'string') yield { type: 'text', text: step }
      else if ('thinking' in step) yield { type: 'thinking', text: step.thinking }
      else if ('fail' in step) throw step.fail
      else if ('wait' in step) await Promise.race([step.wait, aborted(signal)])
      else if ('breakOff' in step) return
      else if ('call' in step) {
        calls += 1
        this.#calls += 1
        const id = ('id' in step && step.id) || `call-${this.#calls}`
        yield { type: 'tool-call-started', id, name: step.call }
        const said = 'broken' in step ? { broken: step.broken } : { arguments: step.args ?? {} }
        yield { type: 'tool-call', call: { id, name: step.call, ...said } }
      } else {
        yield { type: 'done', stopReason: 'end', model: 'scripted', ...step.done }
        return
      }
    }
    yield { type: 'done', stopReason: calls > 0 ? 'tool-use' : 'end', model: 'scripted' }
  }

  /** The request of a round, from 0. */
  request(at: number): ModelRequest {
    const request = this.requests.at(at)
    if (!request) throw new Error(`The model was asked ${this.requests.length} times only.`)
    return request
  }

  /** The last request's text about a tool call. */
  told(callId: string): string {
    const said = this.request(-1).messages.find((message) => message.role === 'tool' && message.callId === callId)
    return said ? textOf(said) : ''
  }
}

export function textOf(message: ModelMessage): string {
  if (message.role === 'assistant') return message.text
  return message.content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n')
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
