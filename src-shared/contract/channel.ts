import { z } from 'zod'
import type { ShortcutId } from '../base/shortcuts.ts'
import type { SerializedError } from './errors.ts'
import type { HostEvent, HostSnapshot } from './events.ts'
import type { InteractionId } from './ids.ts'
import { count, type Given, text } from './schema-parts.ts'
import { type Topic, type TopicEvent, type TopicValue, URI_LIMIT } from './topics.ts'

/** Rises when host and renderer of different builds would misunderstand each other. */
export const CONTRACT = 1

/** Frames of a window; a request's params are checked by its own schema. */
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
    .regex(/^(?:conversation|server|resource)\/./s)
    .transform((value) => value as Topic)

/** A file that the system handed to the app; the page reads it by its link. */
export interface OpenedFile {
  readonly name: string
  readonly url: string
}

/**
 * A desktop shell's order to its window, from a menu, the tray, a link or a file. It shows and prepares, and never adds, starts
 * or sends anything.
 */
export type WindowOrder =
  | { readonly is: 'go'; readonly section: 'conversations' | 'servers' | 'inbox' | 'settings' | 'help'; readonly id?: string }
  /** Wherever it is asked: in its conversation, or over what is on screen. */
  | { readonly is: 'question'; readonly id: InteractionId }
  /** The action of a shortcut, chosen in a menu. */
  | { readonly is: 'shortcut'; readonly id: Exclude<ShortcutId, 'stop'> }
  /** A text from outside that may name servers: opens the review of an import with it. */
  | { readonly is: 'review'; readonly text: string }
  | { readonly is: 'files'; readonly files: readonly OpenedFile[] }

export type HostFrame =
  /** The whole picture; opened topics are forgotten and must be opened again. */
  | {
      readonly t: 'welcome'
      readonly contract: number
      readonly epoch: string
      readonly seq: number
      readonly snapshot: HostSnapshot
    }
  /** `from` is the sequence number of the first event; a hole means: say hello again. */
  | { readonly t: 'events'; readonly from: number; readonly events: readonly HostEvent[] }
  | { readonly t: 'topic'; readonly topic: Topic; readonly seq: number; readonly value: TopicValue }
  | { readonly t: 'topic-events'; readonly topic: Topic; readonly from: number; readonly events: readonly TopicEvent[] }
  /** It does not exist, or no longer; `why` it could not be opened though it may. */
  | { readonly t: 'topic-gone'; readonly topic: Topic; readonly why?: string }
  | { readonly t: 'result'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly t: 'result'; readonly id: number; readonly ok: false; readonly error: SerializedError }
  /** Of the desktop shell alone: something outside of the page wants it to show this. */
  | { readonly t: 'order'; readonly order: WindowOrder }
  /** The renderer fell too far behind, or speaks another contract: say hello again, or reload. */
  | { readonly t: 'again'; readonly why: 'behind' | 'contract' }

/** A pair of frame streams between the host and one renderer. */
interface Channel<Out, In> {
  send(frame: Out): void
  /** Returns the undo. */
  onFrame(listen: (frame: In) => void): () => void
}

export type HostChannel = Channel<HostFrame, RendererFrame> & {
  /** Bytes handed over and not yet taken by the other side. */
  backlog(): number
}
export type RendererChannel = Channel<RendererFrame, HostFrame>
