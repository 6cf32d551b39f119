import { useEffect, useState } from 'react'
import type { ConversationHead } from '../../src-shared/contract/conversations.ts'
import type { ModelRef } from '../../src-shared/contract/settings.ts'
import { attempt } from '../state/attempt.ts'
import { createConversation, send } from '../state/conversation-actions.ts'
import { setDraft, useView } from '../state/view-store.ts'
import { setSendsLater, useSendsLater, useUploadState } from './attachments/file-uploads.ts'

interface NextMessage {
  /** Undefined for the first message, which creates the conversation. */
  readonly head: ConversationHead | undefined
  readonly model: ModelRef
  readonly text: string
  readonly hasAttachments: boolean
  readonly live: boolean
  readonly onSent: () => void
}

/** Sends the message, once its files have arrived. */
export function useSending({ head, model, text, hasAttachments, live, onSent }: NextMessage) {
  const key = head?.id ?? 'new'
  const [sending, setSending] = useState(false)
  const waitsForFiles = useSendsLater(key)
  const uploading = useUploadState(key) === 'under-way'
  const sendable = live && !sending && (uploading || text.trim() !== '' || hasAttachments)
  const submit = async (now = false) => {
    if (!sendable) return
    if (uploading) return setSendsLater(key)
    setSending(true)
    await attempt(head ? send(head.id, text, now && head.turn === 'running') : sendFirst(model, text))
    setSending(false)
    onSent()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: sends once, when the last file has arrived
  useEffect(() => {
    if (!waitsForFiles || uploading) return
    setSendsLater(undefined)
    void submit()
  }, [waitsForFiles, uploading])
  // The composer of a new conversation hands a waiting message to that of the created one.
  useEffect(() => (key === 'new' ? undefined : () => setSendsLater(undefined)), [key])
  return { sendable, waitsForFiles, submit }
}

async function sendFirst(model: ModelRef, text: string): Promise<void> {
  const id = await createConversation(model)
  setDraft('new', '')
  useView.setState({ modelOfNew: undefined })
  await send(id, text)
}
