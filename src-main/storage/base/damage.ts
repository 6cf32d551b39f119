/** A stored record that could not be read and was set aside. */
export interface Loss {
  readonly kind: 'message' | 'tool call' | 'turn' | 'setting or rule'
  readonly title?: string
}

/** A copy of the database that can take its place. */
export interface DatabaseCopy {
  /** File name in the folder of copies. */
  readonly name: string
  readonly at: number
}

/** The replacements that a person can choose for a database that cannot be read. The damaged one is kept. */
export type InPlaceOfDamaged = { readonly is: 'copy'; readonly name: string } | { readonly is: 'empty' }

export type SalvagedKind = 'conversations' | 'messages' | 'tool calls' | 'turns' | 'settings or rules' | 'ledger entries'

export interface Salvaged {
  readonly missing: readonly { readonly kind: SalvagedKind; readonly count: number }[]
  /** Conversations of which something is missing, by title. */
  readonly titles: readonly string[]
}

/** The replacement of a damaged database at this start. */
export interface Replaced {
  readonly kept: string
  readonly by: { readonly is: 'salvaged'; readonly found: Salvaged } | InPlaceOfDamaged
}

export interface DamageStore {
  readonly replaced?: Replaced
  /** The newest copy from before the damage, when the replacement of a damaged database lacks something. */
  readonly copy: (DatabaseCopy & { readonly path: string }) | undefined
  removeCopy(): Promise<void>
  /** Hears of earlier losses at once, and of later ones. Returns the undo. */
  onLoss(listen: (losses: readonly Loss[]) => void): () => void
  /** Hears of daily tasks that failed. Returns the undo. */
  onProblem(listen: (problem: Error) => void): () => void
}
