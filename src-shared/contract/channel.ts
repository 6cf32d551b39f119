import { z } from 'zod'
import type { ShortcutId } from '../base/shortcuts.ts'
import type { SerializedError } from './errors.ts'
import type { HostEvent, HostSnapshot } from './events.ts'
import type { InteractionId } from './ids.ts'
import { count, type Given, text } from './schema-parts.ts'
import { type Topic, type TopicEvent, type TopicValue, URI_LIMIT } from './topics.ts'

/** Incremented when a host and a renderer of different builds would misunderstand each other. */
export const CONTRACT = 1

/** Frames from a window; a request's params are checked by its own schema. */
export type RendererFrame = Given<typeof rendererFrame>
export const rendererFrame = () =>
  z.discriminatedUnion('t', [
    z.strictObject({ t: z.literal('hello'), contract: z.number() }),
    z.strictObject({ t: z.literal('request'), id: count(), name: text(100), params: z.unknown() }),
    z.strictObject({ t: z.literal('cancel'), id: count() }),
    z.strictObject({ t: z.literal('open'), topic: topic() }),
    z.strictObject({ t: z.literal('close'), topic: topic() }),
  ])

const topic = () =>
  text(300 + URI_LIMIT)
    .regex(/^(?:conversation|server|resource|app)\/./s)
    .transform((value) => value as Topic)

/** A file that the system opened with the app; the page reads it from `url`. */
export interface OpenedFile {
  readonly name: string
  readonly url: string
}

/**
 * A desktop shell's order to its window, from a menu, the tray, a link or a file. It only shows or prefills something: it never adds,
 * starts or sends anything.
 */
export type WindowOrder =
  | { readonly is: 'go'; readonly section: 'conversations' | 'servers' | 'inbox' | 'settings' | 'help'; readonly id?: string }
  /** Shown in its conversation, or over the current screen. */
  | { readonly is: 'question'; readonly id: InteractionId }
  /** A shortcut's action, from a menu. */
  | { readonly is: 'shortcut'; readonly id: Exclude<ShortcutId, 'stop'> }
  /** Opens the import review with a text from outside. */
  | { readonly is: 'review'; readonly text: string }
  | { readonly is: 'files'; readonly files: readonly OpenedFile[] }

export type HostFrame =
  /** The whole state. Topics must be opened again. */
  | {
      readonly t: 'welcome'
      readonly contract: number
      readonly epoch: string
      readonly seq: number
      readonly snapshot: HostSnapshot
    }
  /** `from` is the sequence number of the first event; after a gap, the renderer says hello again. */
  | { readonly t: 'events'; readonly from: number; readonly events: readonly HostEvent[] }
  | { readonly t: 'topic'; readonly topic: Topic; readonly seq: number; readonly value: TopicValue }
  | { readonly t: 'topic-events'; readonly topic: Topic; readonly from: number; readonly events: readonly TopicEvent[] }
  /** It does not exist; with `why`, it may exist but could not be opened. */
  | { readonly t: 'topic-gone'; readonly topic: Topic; readonly why?: string }
  | { readonly t: 'result'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly t: 'result'; readonly id: number; readonly ok: false; readonly error: SerializedError }
  /** Desktop shell only. */
  | { readonly t: 'order'; readonly order: WindowOrder }
  /** The renderer fell too far behind and says hello again, or has another contract and reloads. */
  | { readonly t: 'again'; readonly why: 'behind' | 'contract' }

/** A pair of frame streams between the host and one renderer. */
interface Channel<Out, In> {
  send(frame: Out): void
  /** Returns the undo. */
  onFrame(listen: (frame: In) => void): () => void
}

export type HostChannel = Channel<HostFrame, RendererFrame> & {
  /** Bytes that the other side has not taken yet. */
  backlog(): number
}
export type RendererChannel = Channel<RendererFrame, HostFrame>
