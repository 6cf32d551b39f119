import { assertNever } from '../../../src-shared/base/json.ts'
import type { BlockEdit, MessageEdit, SampledBlock, SampledMessage, SampledPart } from '../../../src-shared/contract/sampling.ts'
import type { CreateMessageParams, SamplingMessage } from '../../../src-shared/mcp/client-requests.ts'
import type { AudioContent, ContentBlock, ImageContent, SamplingContent } from '../../../src-shared/mcp/content.ts'
import { imageType, MAGIC_BYTES } from '../../images/image-header.ts'
import { boundJson, boundText, cut, type InlineBudget, knownMime, toContentView } from '../core/content-views.ts'
import type { BlobHold } from '../core/transient-blobs.ts'
import { type FitImage, inlineImage, shownImage, unseenNote } from '../models/model-images.ts'
import { NAME_LIMIT, type ToolNames, toldName } from './sampling-names.ts'

/** Bytes counted for a block's names and JSON. */
const FRAME = 160
/** Characters of base64 that hold an image's magic bytes. */
const HEADER = Math.ceil(MAGIC_BYTES / 3) * 4

export function blocksOf(content: SamplingMessage['content']): readonly SamplingContent[] {
  // `Array.isArray` does not narrow readonly arrays.
  return Array.isArray(content) ? content : [content as SamplingContent]
}

/** All blocks that a person has to review, including the parts of results. */
export function countBlocks(messages: readonly SamplingMessage[]): number {
  let count = 0
  for (const block of messages.flatMap(({ content }) => blocksOf(content))) {
    count += block.type === 'tool_result' ? 1 + block.content.length : 1
  }
  return count
}

export async function messageViews(
  messages: readonly SamplingMessage[],
  hold: BlobHold,
  budget: InlineBudget,
  names: ToolNames,
): Promise<readonly SampledMessage[]> {
  const views: SampledMessage[] = []
  let n = 0
  for (const { role, content } of messages) {
    const blocks: SampledBlock[] = []
    for (const block of blocksOf(content)) blocks.push(await blockView(block, n++, hold, budget, names))
    views.push({ role, blocks })
  }
  return views
}

/** `names` are the tools' names for the model; absent for a reply to the server. */
export async function blockView(
  block: SamplingContent,
  n: number,
  hold: BlobHold,
  budget: InlineBudget,
  names?: ToolNames,
): Promise<SampledBlock> {
  budget.take(FRAME)
  switch (block.type) {
    case 'text':
      return { n, type: 'text', ...(await boundText(block.text, hold, budget)) }
    case 'image':
    case 'audio':
      return { n, type: block.type, blob: await hold.put(Buffer.from(block.data, 'base64'), trueType(block)) }
    case 'tool_use': {
      const input = await boundJson(block.input, hold, budget)
      const name = cut(block.name, NAME_LIMIT)
      return { n, type: 'tool_use', id: cut(block.id, NAME_LIMIT), ...(names ? toldName(name, names) : { name }), input }
    }
    case 'tool_result': {
      const content: SampledPart[] = []
      for (const part of block.content) content.push(await partView(part, hold, budget))
      return { n, type: 'tool_result', toolUseId: cut(block.toolUseId, NAME_LIMIT), isError: block.isError ?? false, content }
    }
    default:
      return assertNever(block)
  }
}

async function partView(part: ContentBlock, hold: BlobHold, budget: InlineBudget): Promise<SampledPart> {
  budget.take(FRAME)
  const view = await toContentView(part.type === 'image' ? { ...part, mimeType: trueType(part) } : part, hold, budget)
  if (view.type !== 'resource_link' || part.type !== 'resource_link' || view.uri === part.uri) return view
  return { ...view, whole: await hold.put(part.uri, 'text/plain;charset=utf-8') }
}

/** An image's type by its bytes, so that the person sees the same image as the model; else the claimed type. */
function trueType({ type, data, mimeType }: ImageContent | AudioContent): string {
  const found = type === 'image' && imageType(Buffer.from(data.slice(0, HEADER), 'base64'))
  return found || knownMime(mimeType)
}

/** The blocks after the person's edits; untouched blocks stay the same objects. */
export function edited(edits: readonly BlockEdit[], blocks: readonly SamplingContent[]): readonly SamplingContent[] {
  return edits.flatMap((edit): readonly SamplingContent[] => {
    if ('text' in edit) return [{ type: 'text', text: edit.text }]
    const block = blocks[edit.keep]
    return block ? [block] : []
  })
}

export function editedMessages(edits: readonly MessageEdit[], params: CreateMessageParams): readonly SamplingMessage[] {
  const blocks = params.messages.flatMap(({ content }) => blocksOf(content))
  return edits.flatMap(({ role, blocks: left }) => {
    const content = edited(left, blocks)
    return content.length > 0 ? [{ role, content }] : []
  })
}

/** The messages with each image converted for the model, or replaced by a note. */
export async function fittedMessages(
  messages: readonly SamplingMessage[],
  fitImage: FitImage,
): Promise<readonly SamplingMessage[]> {
  const fitted: SamplingMessage[] = []
  for (const { role, content } of messages) {
    const blocks: SamplingContent[] = []
    for (const block of blocksOf(content)) {
      if (block.type === 'image') blocks.push(...(await fittedImage(block, fitImage)))
      else if (block.type === 'tool_result') blocks.push({ ...block, content: await fittedResult(block.content, fitImage) })
      else blocks.push(block)
    }
    fitted.push({ role, content: blocks })
  }
  return fitted
}

async function fittedResult(content: readonly ContentBlock[], fitImage: FitImage): Promise<readonly ContentBlock[]> {
  const fitted: ContentBlock[] = []
  for (const block of content) fitted.push(...(block.type === 'image' ? await fittedImage(block, fitImage) : [block]))
  return fitted
}

type ImageBlock = Extract<SamplingContent, { type: 'image' }>
type TextBlock = Extract<SamplingContent, { type: 'text' }>

async function fittedImage(block: ImageBlock, fitImage: FitImage): Promise<readonly (ImageBlock | TextBlock)[]> {
  const fitted = await fitImage(inlineImage(block.data))
  if (fitted.is === 'unseen') return [{ type: 'text', text: unseenNote(`image, ${trueType(block)}`, fitted) }]
  return shownImage(fitted).map((one) => (one.type === 'text' ? one : { type: 'image', data: one.data, mimeType: one.mimeType }))
}
