import { useSyncExternalStore } from 'react'
import { Emitter } from '../../../src-shared/base/emitter.ts'
import type { Attachment } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId, ProjectId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'

/** The target of files: a conversation, a new one that the first file makes, or a project. */
export type FilesPlace = ConversationId | 'new' | { readonly project: ProjectId }

/** A file on its way to the host, or a refused one. An accepted one becomes an attachment. */
export interface FileUpload {
  readonly key: number
  readonly place: FilesPlace
  readonly name: string
  readonly bytes: number
  /** The uploaded share, from 0 to 1. */
  readonly share: number
  /** The reason for its refusal. */
  readonly problem?: string
  /** Cancels the upload, or dismisses its problem. */
  readonly cancel: () => void
}

/** The target of files, and what limits them there. */
export interface FilesTarget {
  readonly place: FilesPlace
  readonly model: ModelRef
  /** Attachments that wait there already. */
  readonly waiting: readonly Attachment[]
}

let uploads: readonly FileUpload[] = []
/** The place whose message is sent once its files have arrived. It is kept here because the first file may replace the composer. */
let sendsLater: FilesPlace | undefined
const changed = new Emitter<void>()

export const uploadsNow = () => uploads

export function setUploads(next: readonly FileUpload[]): void {
  uploads = next
  // After a refused file, the person decides again about sending.
  if (next.some(({ place, problem }) => problem !== undefined && isSendingLater(place))) sendsLater = undefined
  changed.fire()
}

/** Moves uploads and the waiting send from the new composer to the conversation that was created. */
export function moveNewUploads(place: ConversationId): void {
  if (sendsLater === 'new') sendsLater = place
  setUploads(uploads.map((one) => (one.place === 'new' ? { ...one, place } : one)))
}

export function setSendsLater(place: FilesPlace | undefined): void {
  sendsLater = place
  changed.fire()
}

export const isSendingLater = (place: FilesPlace) => sendsLater !== undefined && isSame(sendsLater, place)

export function useSendsLater(place: FilesPlace): boolean {
  return useSyncExternalStore(
    (listen) => changed.on(listen),
    () => isSendingLater(place),
  )
}

export function useFileUploads(place: FilesPlace): readonly FileUpload[] {
  const all = useSyncExternalStore((listen) => changed.on(listen), uploadsNow)
  return all.filter((one) => isSame(one.place, place))
}

export function isSame(one: FilesPlace, other: FilesPlace): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.project === other.project
}

/** `under-way` while files are uploading, `refused` after one was not accepted. */
export function useUploadState(place: FilesPlace): 'under-way' | 'refused' | undefined {
  const own = useFileUploads(place)
  if (own.some(({ problem }) => problem === undefined)) return 'under-way'
  return own.length > 0 ? 'refused' : undefined
}

/** Dismisses the notes about files that were refused. */
export function forgetRefusals(): void {
  setUploads(uploads.filter(({ problem }) => problem === undefined))
}
