import type { Host } from '../../src-main/host/host.ts'
import { FILE_CHUNK, type FileAttachment } from '../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../src-shared/contract/ids.ts'

/** Attaches a file as a window does: in pieces. */
export async function giveFile(host: Host, id: ConversationId, name: string, bytes: Uint8Array): Promise<FileAttachment> {
  let upload: string | undefined
  for (let from = 0; ; from += FILE_CHUNK) {
    const last = from + FILE_CHUNK >= bytes.length
    const piece = Buffer.from(bytes.subarray(from, from + FILE_CHUNK)).toString('base64')
    const given = { name, piece, last, ...(upload !== undefined && { upload }) }
    const answer = await host.conversations.open(id, (one) => host.personFiles.attach(one, given))
    if (answer.is === 'attached') return answer.attachment
    upload = answer.upload
  }
}
