import type { ConversationId } from '../../src-shared/contract/ids.ts'
import type { ChatHost } from './chat-host.ts'

/** The conversation from the file of its export, beside it in the same host. */
export async function importedCopy({ host }: ChatHost, id: ConversationId): Promise<ConversationId> {
  const { url } = await host.conversationFiles.export([id], 'json')
  const piece = Buffer.from(await host.storage.blobs.read(url)).toString('utf8')
  const taken = await host.conversationFiles.import({ piece, last: true })
  const [brought] = taken.is === 'imported' ? taken.ids : []
  if (!brought) throw new Error('It was not imported.')
  return brought
}
