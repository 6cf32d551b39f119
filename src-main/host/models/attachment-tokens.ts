import type { AttachmentId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { BlobStore } from '../../storage/base/storage.ts'
import { attachedContent, fileContent, type ModelReader, type ToldFile, type ToldResource } from './model-content.ts'
import { imageLimits } from './model-families.ts'
import { measureWithin } from './model-images.ts'
import type { ModelTraits } from './providers.ts'
import { messageTokens } from './token-estimate.ts'

type Traits = Pick<ModelTraits, 'kind' | 'vision'>

/** A reader for estimates: images are measured and not drawn. */
export function measuringReader(
  blobs: BlobStore,
  { model }: ModelRef,
  { kind, vision }: Traits,
  documents?: ReadonlySet<AttachmentId>,
): ModelReader {
  const fitImage = vision ? measureWithin(imageLimits(kind, model)) : undefined
  return { blobs, fitImage, documents, shortened: new Set<string>() }
}

/** Tokens of an attachment as a model gets it, including the text around it. Every screen shows this count. */
export async function attachmentTokens(
  attachment: ToldFile | ToldResource,
  reader: ModelReader,
  { kind }: Traits,
): Promise<number> {
  const content = 'file' in attachment ? await fileContent(attachment, reader) : await attachedContent(attachment, reader)
  return messageTokens({ role: 'user', content }, kind)
}
