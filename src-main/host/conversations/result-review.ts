import type { ContentView } from '../../../src-shared/contract/blobs.ts'
import type { ToolCall, ToolCallResult } from '../../../src-shared/contract/conversations.ts'
import type { About } from '../../../src-shared/contract/interactions.ts'
import type { BlockEdit } from '../../../src-shared/contract/sampling.ts'
import { editProblem } from '../core/block-edits.ts'
import { boundText, InlineBudget } from '../core/content-views.ts'
import type { HostCore } from '../core/host-core.ts'
import { InteractionExpired } from '../core/interactions.ts'
import { hasCopy, isForModel } from '../models/model-content.ts'

/** Inline bytes of changed texts; the record has the server's result as well. */
const CHANGED_TEXTS = 8 * 1024

/** Asks the person about a result. Gives it, the result as they changed it, or undefined when the model does not get it. */
export async function reviewedResult(
  { interactions, storage: { blobs } }: Pick<HostCore, 'interactions' | 'storage'>,
  { tool }: Pick<ToolCall, 'tool'>,
  received: ToolCallResult,
  about: About,
  signal: AbortSignal,
): Promise<ToolCallResult | undefined> {
  const { structured, isError } = received
  const told: ContentView[] = received.content.filter(isForModel)
  // A repeated one would be shown twice, and a cut in one of the two would be none.
  const apart = structured && !(await hasCopy(received, blobs)) ? structured : undefined
  const last: ContentView[] = apart ? [{ type: 'text', text: apart.json, ...(apart.whole && { whole: apart.whole }) }] : []
  const blocks = [...told, ...last].map((block, n) => ({ n, ...block }))
  await interactions.room(about, signal)
  try {
    const answer = await interactions.ask('tool-result', about, { tool, isError, blocks }, signal, {
      check: (given) => (given.decision === 'send' ? sendProblem(given.blocks, blocks.length) : undefined),
    })
    if (answer.decision === 'decline') return undefined
    if (answer.blocks.length === blocks.length && answer.blocks.every((edit, n) => isKept(edit, n))) return received
    const budget = new InlineBudget(CHANGED_TEXTS)
    const content: ContentView[] = received.content.filter((block) => !isForModel(block))
    for (const edit of answer.blocks) {
      if ('text' in edit) content.push({ type: 'text', ...(await boundText(edit.text, blobs, budget)) })
      else content.push(...told.slice(edit.keep, edit.keep + 1))
    }
    const keepsApart = apart && answer.blocks.some((edit) => isKept(edit, told.length))
    return { isError, warnings: received.warnings, content, ...(keepsApart && { structured: apart }) }
  } catch (error) {
    if (error instanceof InteractionExpired) return undefined
    throw error
  }
}

const isKept = (edit: BlockEdit, n: number) => 'keep' in edit && edit.keep === n

function sendProblem(edits: readonly BlockEdit[], blocks: number): string | undefined {
  return edits.length === 0 && blocks > 0 ? 'Nothing is left to send. Withhold it instead.' : editProblem(edits, blocks)
}
