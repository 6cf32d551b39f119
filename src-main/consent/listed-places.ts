import { isObject } from '../../src-shared/base/json.ts'
import { objectIn } from '../../src-shared/base/parse-json.ts'
import type { PlaceKind } from '../../src-shared/contract/consent.ts'
import { type KnownPlace, knownPlaces } from './known/known-servers.ts'
import { lowered } from './touches.ts'

/** A place in the result of a known server's own list. */
export interface ListedPlace {
  readonly kind: PlaceKind
  readonly id: string
  /** As people write it after `#`, in lower case. */
  readonly name?: string
}

export function listedPlaces(published: string | undefined, tool: string, texts: readonly string[]): readonly ListedPlace[] {
  return knownPlaces(published).flatMap((place) => {
    if (place.listedBy !== tool) return []
    return texts.flatMap((text) => {
      const list = objectIn(text)?.[place.list]
      return (Array.isArray(list) ? list : []).flatMap((entry): ListedPlace[] => {
        if (!isObject(entry) || !isOfKind(entry, place)) return []
        const { id } = entry
        const name = place.called === undefined ? undefined : entry[place.called]
        const isName = typeof name === 'string' && NAME.test(name)
        return typeof id === 'string' && place.id.test(id)
          ? [{ kind: place.kind, id, ...(isName && { name: lowered(name) }) }]
          : []
      })
    })
  })
}

const NAME = /^[\p{L}\p{N}_.-]{1,80}$/u

/** False for what another flag says more of: a direct message, a channel that is shared with other companies. */
const isOfKind = (entry: Readonly<Record<string, unknown>>, { flags = [] }: KnownPlace) =>
  Object.entries(entry).every(([name, value]) => !name.startsWith('is_') || value === false || flags.includes(name))
