import { type Clock, systemClock } from '../../../src-shared/base/clock.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId } from '../../../src-shared/contract/ids.ts'
import { ask } from '../../state/ask.ts'
import { useHost } from '../../state/host-store.ts'
import { showFailure, useView, type View } from '../../state/view-store.ts'

/** Milliseconds without a change before a draft goes to the host. */
const PAUSE = 400
/** Milliseconds before a failed save is tried again. */
const RETRY = 5_000

type Key = ConversationId | 'new'
type Drafts = View['drafts']

interface KeptDraftsParts {
  readonly keep: (id: Key, text: string) => Promise<unknown>
  /** Shows why the disk refuses drafts; undefined once it takes them again. */
  readonly tell: (refusal: string | undefined) => void
  readonly clock?: Clock
}

/** Saves drafts in the host after a pause in typing, and at once when one is sent. A failed save is tried again. */
export class KeptDrafts {
  readonly #parts: KeptDraftsParts
  readonly #clock: Clock
  #drafts: Drafts
  readonly #changed = new Set<Key>()
  #refused = false
  #cancel: (() => void) | undefined

  constructor(drafts: Drafts, parts: KeptDraftsParts) {
    this.#drafts = drafts
    this.#parts = parts
    this.#clock = parts.clock ?? systemClock
  }

  changed(drafts: Drafts): void {
    const before = this.#drafts
    this.#drafts = drafts
    // Each key is a conversation id or `new`.
    const keys = Object.keys({ ...before, ...drafts }) as Key[]
    const different = keys.filter((key) => (before[key] ?? '') !== (drafts[key] ?? ''))
    for (const key of different) this.#changed.add(key)
    this.#cancel?.()
    if (different.some((key) => (drafts[key] ?? '') === '')) this.flush()
    else this.#cancel = this.#clock.after(PAUSE, () => this.flush())
  }

  /** Takes drafts that the host has already. */
  kept(drafts: Drafts): void {
    this.#drafts = { ...this.#drafts, ...drafts }
  }

  flush(): void {
    this.#cancel?.()
    const keys = [...this.#changed]
    this.#changed.clear()
    for (const key of keys) void this.#keep(key)
  }

  async #keep(key: Key): Promise<void> {
    const { keep, tell } = this.#parts
    try {
      await keep(key, this.#drafts[key] ?? '')
      if (this.#refused) tell(undefined)
      this.#refused = false
    } catch (error) {
      this.#changed.add(key)
      // A lost connection shows elsewhere; its return flushes the drafts.
      if (!(error instanceof HostError && error.code === 'storage')) return
      if (!this.#refused) tell(error.message)
      this.#refused = true
      this.#cancel?.()
      this.#cancel = this.#clock.after(RETRY, () => this.flush())
    }
  }
}

let keeper: KeptDrafts | undefined
let restored = false

/** Restores the drafts of the last session and saves them from now on; further calls do nothing once that worked. */
export async function keepDrafts(): Promise<void> {
  keeper ??= follow()
  if (restored) return
  restored = true
  try {
    const { drafts } = await ask('draft.all', {})
    keeper.kept(drafts)
    // This page's draft is newer.
    useView.setState(({ drafts: own }) => {
      const written = Object.entries(own).filter(([, text]) => text !== '')
      return { drafts: { ...own, ...drafts, ...Object.fromEntries(written) } }
    })
  } catch {
    restored = false
  }
}

/** Saves the last changes without waiting for a pause. */
export function flushDrafts(): void {
  keeper?.flush()
}

function follow(): KeptDrafts {
  const kept = new KeptDrafts(useView.getState().drafts, {
    keep: (id, text) => ask('draft.keep', { id, text }),
    tell: (refusal) => showFailure(refusal && `Your unsent text is not saved yet. ${refusal}`),
  })
  useView.subscribe((view, before) => {
    if (view.drafts !== before.drafts) kept.changed(view.drafts)
  })
  useHost.subscribe((mirror, before) => {
    if (mirror.link === 'live' && before.link !== 'live') kept.flush()
  })
  document.addEventListener('visibilitychange', flushDrafts)
  return kept
}
