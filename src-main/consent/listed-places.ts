import { isObject } from '../../src-shared/base/json.ts'
import { objectIn } from '../../src-shared/base/parse-json.ts'
import type { PlaceKind } from '../../src-shared/contract/consent.ts'
import { type KnownPlace, knownPlaces } from './known/known-servers.ts'

/** The identifiers of places in the result of a known server's own list, by kind. */
export function listedPlaces(published: string | undefined, tool: string, texts: readonly string[]): [PlaceKind, string][] {
  return knownPlaces(published).flatMap((place) => {
    if (place.listedBy !== tool) return []
    return texts.flatMap((text) => {
      const list = objectIn(text)?.[place.list]
      return (Array.isArray(list) ? list : []).flatMap((entry): [PlaceKind, string][] => {
        const id = isObject(entry) && isOfKind(entry, place) ? entry.id : undefined
        return typeof id === 'string' && place.id.test(id) ? [[place.kind, id]] : []
      })
    })
  })
}

/** False for what another flag says more of: a direct message, a channel that is shared with other companies. */
const isOfKind = (entry: Readonly<Record<string, unknown>>, { flags = [] }: KnownPlace) =>
  Object.entries(entry).every(([name, value]) => !name.startsWith('is_') || value === false || flags.includes(name))
