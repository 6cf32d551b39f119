import { useSyncExternalStore } from 'react'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'

/** A file on its way to the host, or one that was not taken. What was taken is an attachment. */
export interface FileUpload {
  readonly key: number
  readonly conversation: ConversationId | 'new'
  readonly name: string
  readonly bytes: number
  /** How much of it the host has, 0 to 1. */
  readonly share: number
  /** Why it was not taken. */
  readonly problem?: string
  /** Gives it up, or takes note of its problem. */
  readonly cancel: () => void
}

/** Where files are attached. */
export interface FilesTarget {
  /** undefined before the first message: the first file makes the conversation. */
  readonly conversation: ConversationId | undefined
  readonly model: ModelRef
  /** What waits there already. */
  readonly waiting: readonly Attachment[]
}

let uploads: readonly FileUpload[] = []
const changed = new Emitter<void>()

export const uploadsNow = () => uploads

export function setUploads(next: readonly FileUpload[]): void {
  uploads = next
  changed.fire()
}

export function useFileUploads(conversation: ConversationId | undefined): readonly FileUpload[] {
  const all = useSyncExternalStore((listen) => changed.on(listen), uploadsNow)
  return all.filter((one) => one.conversation === (conversation ?? 'new'))
}

/** A message waits for the files that are on their way to it. */
export function useUploading(conversation: ConversationId | undefined): boolean {
  return useFileUploads(conversation).some(({ problem }) => problem === undefined)
}

/** What was said about files that were not taken is read. */
export function forgetRefusals(): void {
  setUploads(uploads.filter(({ problem }) => problem === undefined))
}
