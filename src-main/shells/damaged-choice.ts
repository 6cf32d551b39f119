import type { InPlaceOfDamaged } from '../storage/base/damage.ts'
import type { StorageError } from '../storage/base/storage.ts'

/** The question to a person when the database is unreadable. */
export interface DamagedChoice {
  readonly title: string
  readonly detail: string
  readonly start: string
  readonly choice: InPlaceOfDamaged
}

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

/** Undefined for every other error. */
export function damagedChoice({ message, damaged }: StorageError): DamagedChoice | undefined {
  if (!damaged) return undefined
  const kept = 'The damaged database is kept in the folder “earlier” of the data folder.'
  const { copy } = damaged
  const title = 'Parley’s database is damaged'
  if (copy) {
    const day = DAY.format(copy.at)
    const detail = `${message}\n\nThere is a copy of ${day}. Later changes are missing. ${kept}`
    return { title, detail, start: `Start with the copy of ${day}`, choice: { is: 'copy', name: copy.name } }
  }
  return { title, detail: `${message}\n\nThere is no copy. ${kept}`, start: 'Start with an empty one', choice: { is: 'empty' } }
}
