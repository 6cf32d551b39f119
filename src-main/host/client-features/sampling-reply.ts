import type { Clock } from '../../../src-shared/base/clock.ts'
import type { Problem } from '../../../src-shared/contract/errors.ts'
import { GROWING_LIMIT } from '../../../src-shared/contract/sampling.ts'
import type { TokenUsage } from '../../../src-shared/contract/settings.ts'
import type { CreateMessageResult } from '../../../src-shared/mcp/client-requests.ts'
import type { SamplingContent } from '../../../src-shared/mcp/content.ts'
import type { ModelDelta, ModelProvider, ModelRequest } from '../../models/model-provider.ts'
import { guardedStream, modelProblem } from '../models/model-stream.ts'
import type { ToolNames } from './sampling-names.ts'

/** Milliseconds between two events of a growing reply. */
const GROW_INTERVAL = 100

/** A model's reply to a request; `failed` when there is none. */
export type SampledReply =
  | {
      readonly is: 'done'
      readonly content: readonly SamplingContent[]
      readonly model: string
      readonly stopReason: NonNullable<CreateMessageResult['stopReason']>
      readonly usage?: TokenUsage
    }
  | { readonly is: 'failed'; readonly problem: Problem; readonly written: string }

type Done = Extract<ModelDelta, { type: 'done' }>

/** The protocol's stop reasons (SAMP-12). */
const STOP_REASONS: Readonly<Record<Done['stopReason'], string>> = {
  end: 'endTurn',
  'tool-use': 'toolUse',
  'max-tokens': 'maxTokens',
  'stop-sequence': 'stopSequence',
  refused: 'refusal',
  other: 'other',
}

/**
 * Streams one reply. `grow` receives the text at a bounded rate and length. The model's tool calls become blocks and are not run.
 * Rejects only with the signal's reason.
 */
export async function sampleReply(
  provider: ModelProvider,
  request: ModelRequest,
  options: {
    readonly names: ToolNames
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly grow: (text: string) => unknown
  },
): Promise<SampledReply> {
  const { clock, signal, names } = options
  const content: SamplingContent[] = []
  const growing = paced(clock, options.grow)
  let written = ''
  try {
    for await (const delta of guardedStream(provider, request, signal, clock)) {
      if (delta.type === 'text') {
        written += delta.text
        growing.push(delta.text)
        const last = content.at(-1)
        if (last?.type === 'text') content[content.length - 1] = { type: 'text', text: last.text + delta.text }
        else content.push({ type: 'text', text: delta.text })
      } else if (delta.type === 'tool-call') {
        const { id, name, arguments: input, broken } = delta.call
        if (!input) {
          const what = `The model used “${names.own(name)}” with arguments that are not a JSON object.`
          return { is: 'failed', problem: { code: 'broken-arguments', what, said: (broken ?? '').slice(0, 600) }, written }
        }
        content.push({ type: 'tool_use', id, name: names.own(name), input })
      } else if (delta.type === 'done') {
        return {
          is: 'done',
          content: content.length > 0 ? content : [{ type: 'text', text: '' }],
          model: delta.model,
          stopReason: STOP_REASONS[delta.stopReason],
          ...(delta.usage && { usage: delta.usage }),
        }
      }
    }
    return { is: 'failed', problem: { code: 'broken-stream', what: 'The reply was cut off.' }, written }
  } catch (error) {
    signal.throwIfAborted()
    return { is: 'failed', problem: modelProblem(error, clock.now()), written }
  } finally {
    growing.stop()
  }
}

function paced(clock: Clock, grow: (text: string) => unknown): { push: (text: string) => void; stop: () => void } {
  let waiting = ''
  let left = GROWING_LIMIT
  let cancel: (() => void) | undefined
  const flush = () => {
    cancel = undefined
    const text = waiting.slice(0, left)
    waiting = ''
    left -= text.length
    if (text !== '') grow(text)
  }
  return {
    push(text) {
      waiting += text
      if (left > 0) cancel ??= clock.after(GROW_INTERVAL, flush)
    },
    stop() {
      cancel?.()
    },
  }
}
