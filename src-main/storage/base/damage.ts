/** One thing that was kept and could not be read: it was set aside. */
export interface Loss {
  readonly kind: 'message' | 'tool call' | 'turn' | 'setting or rule'
  /** Of the conversation that it belonged to. */
  readonly title?: string
}

/** A copy of the database that can take its place. */
export interface DatabaseCopy {
  /** Of its file in the folder of copies. */
  readonly name: string
  readonly at: number
}

/** The choices at a start with a database that cannot be read; the damaged one is kept. */
export type InPlaceOfDamaged = { readonly is: 'copy'; readonly name: string } | { readonly is: 'empty' }

export type SalvagedKind = 'conversations' | 'messages' | 'tool calls' | 'turns' | 'settings or rules' | 'ledger entries'

/** The unreadable part of a damaged database. */
export interface Salvaged {
  readonly missing: readonly { readonly kind: SalvagedKind; readonly count: number }[]
  /** Conversations of which something is missing, by title. */
  readonly titles: readonly string[]
}

/** The replacement of a damaged database at this start. */
export interface Replaced {
  /** The folder that holds the damaged one. */
  readonly kept: string
  readonly by: { readonly is: 'salvaged'; readonly found: Salvaged } | InPlaceOfDamaged
}

/** The kept data that could not be read. */
export interface DamageStore {
  readonly replaced?: Replaced
  /** The copy of before, where something is missing in what was put in place of a damaged database, at this start or an earlier one. */
  readonly copy: (DatabaseCopy & { readonly path: string }) | undefined
  removeCopy(): Promise<void>
  /** Hears of what was found so far, and of what is found later. Returns the undo. */
  onLoss(listen: (losses: readonly Loss[]) => void): () => void
  /** Hears what could not be done that is done each day. Returns the undo. */
  onProblem(listen: (problem: Error) => void): () => void
}
