import { hostOf } from '../../../src-shared/base/hosts.ts'
import { ATTACHMENT_LIMIT, FILE_CHUNK, FILE_LIMIT, FILES_LIMIT, isFile } from '../../../src-shared/contract/attachments.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import { ask } from '../../state/ask.ts'
import { failureText } from '../../state/attempt.ts'
import { conversationFor } from '../../state/conversation-actions.ts'
import { readBase64, UnreadableFile } from '../../state/read-base64.ts'
import { announce } from '../../state/view-store.ts'
import {
  type FilesPlace,
  type FilesTarget,
  type FileUpload,
  forgetRefusals,
  isSame,
  moveNewUploads,
  setUploads,
  uploadsNow,
} from './file-uploads.ts'

let lastKey = 0
/** Files are sent one at a time, in order. */
let queue = Promise.resolve()

/** Sends files to the host, which attaches them. Files over a limit are refused before the upload. */
export function attachFiles({ place, model, waiting }: FilesTarget, files: readonly File[]): void {
  forgetRefusals()
  const underWay = uploadsNow().filter((one) => isSame(one.place, place))
  const room = Math.max(0, ATTACHMENT_LIMIT - waiting.length - underWay.length)
  const sizes = [...waiting.filter(isFile).map(({ size }) => size), ...underWay.map((one) => one.bytes)]
  let bytes = sizes.reduce((sum, size) => sum + size, 0)
  for (const file of files.slice(0, room)) {
    const problem = tooLarge(file, bytes, place)
    const giveUp = new AbortController()
    const upload = add(place, file.name, { bytes: file.size, problem, onCancel: () => giveUp.abort() })
    if (problem !== undefined) continue
    bytes += file.size
    queue = queue.then(() => deliver(upload, model, giveUp.signal, (to, change) => send(file, to, giveUp.signal, change)))
  }
  const over = files.slice(room)
  if (over.length > 0) {
    const which = over.length === 1 ? `“${over[0]?.name}” is` : `${over.length} files are`
    add(place, '', { bytes: 0, problem: `${which} too many: at most ${ATTACHMENT_LIMIT} ${limitWords(place).what}.` })
  }
}

/** Has the host ask for a web page and attach its text. It is listed with the files on their way, where it can be cancelled. */
export function attachPage(place: ConversationId | 'new', model: ModelRef, url: string): void {
  forgetRefusals()
  const giveUp = new AbortController()
  const { signal } = giveUp
  const upload = add(place, hostOf(url), { bytes: 0, share: 1, problem: undefined, onCancel: () => giveUp.abort() })
  const read = async (to: Target) => {
    if (typeof to !== 'string') throw new Error('A page goes with a message.')
    return (await ask('conversation.attachPage', { id: to, url }, signal)).attachment.title
  }
  queue = queue.then(() => deliver(upload, model, signal, read))
}

interface UploadState {
  readonly bytes: number
  readonly share?: number
  readonly problem: string | undefined
  readonly onCancel?: () => void
}

function add(place: FilesPlace, name: string, { bytes, share = 0, problem, onCancel }: UploadState): FileUpload {
  lastKey += 1
  const key = lastKey
  const cancel = () => {
    onCancel?.()
    setUploads(uploadsNow().filter((one) => one.key !== key))
  }
  const upload: FileUpload = { key, place, name, bytes, share, cancel, ...(problem === undefined ? {} : { problem }) }
  setUploads([...uploadsNow(), upload])
  return upload
}

function tooLarge({ name, size }: File, bytes: number, place: FilesPlace): string | undefined {
  if (size > FILE_LIMIT) return `“${name}” is larger than ${megabytes(FILE_LIMIT)}. Attach a part of it.`
  const { of, todo } = limitWords(place)
  if (bytes + size > FILES_LIMIT) return `“${name}” is too much: at most ${megabytes(FILES_LIMIT)} ${of}. ${todo}`
  return undefined
}

function limitWords(place: FilesPlace) {
  return typeof place === 'string'
    ? { what: 'attachments go with one message', of: 'of files go with one message', todo: 'Send your message first.' }
    : { what: 'files fit a project', of: 'fit a project', todo: 'Remove one first.' }
}

const megabytes = (bytes: number) => `${bytes / (1024 * 1024)} MB`

type Change = (to: Partial<FileUpload>) => void
type Target = Exclude<FilesPlace, 'new'>

/** Brings one to its target. `attach` resolves with the title under which it is attached. */
async function deliver(
  { key, name, cancel }: FileUpload,
  model: ModelRef,
  signal: AbortSignal,
  attach: (place: Target, change: Change) => Promise<string>,
): Promise<void> {
  if (signal.aborted) return
  const change: Change = (to) => setUploads(uploadsNow().map((one) => (one.key === key ? { ...one, ...to } : one)))
  try {
    const place = await placeOf(key, model)
    if (signal.aborted) return
    const title = await attach(place, change)
    cancel()
    announce(`Attached ${title}`)
  } catch (error) {
    const unreadable = `“${name}” could not be read. It was moved, or is a folder: attach the files in it.`
    if (!signal.aborted) change({ problem: error instanceof UnreadableFile ? unreadable : failureText(error) })
  }
}

async function send(file: File, place: Target, signal: AbortSignal, change: Change): Promise<string> {
  const { name } = file
  let upload: string | undefined
  for (let from = 0; ; from += FILE_CHUNK) {
    const last = from + FILE_CHUNK >= file.size
    const piece = await readBase64(file.slice(from, from + FILE_CHUNK))
    const given = { name, piece, last, ...(upload === undefined ? {} : { upload }) }
    const answer =
      typeof place === 'string'
        ? await ask('conversation.attachFile', { id: place, ...given }, signal)
        : await ask('project.attachFile', { id: place.project, ...given }, signal)
    if (answer.is === 'attached') return name
    upload = answer.upload
    change({ share: Math.min(1, (from + FILE_CHUNK) / file.size) })
  }
}

/** The target of a file. Files of a new conversation go to the one that the first of them makes. */
async function placeOf(key: number, model: ModelRef): Promise<Target> {
  const place = uploadsNow().find((one) => one.key === key)?.place ?? 'new'
  if (place !== 'new') return place
  const id = await conversationFor(undefined, model)
  moveNewUploads(id)
  return id
}
