import { isObject } from '../../../src-shared/base/json.ts'

/** Keywords whose value is data, never a schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])

/**
 * A reference that leads out of the schema or nowhere. Nothing is fetched, so values behind it could not be checked (V26-SCHEMA-2).
 * The schema must be bounded. One with an `$id` may refer to itself, which the validator decides.
 */
export function unresolvedReference(schema: object): string | undefined {
  const references: string[] = []
  const anchors = new Set<string>()
  if (!collect(schema, references, anchors)) return undefined
  return references.find((reference) => {
    if (reference === '#') return false
    if (reference.startsWith('#/')) return !isPointer(schema, reference)
    return !(reference.startsWith('#') && anchors.has(reference.slice(1)))
  })
}

/** False when a part has an `$id`. */
function collect(schema: unknown, references: string[], anchors: Set<string>): boolean {
  if (Array.isArray(schema)) return schema.every((one) => collect(one, references, anchors))
  if (!isObject(schema)) return true
  if (typeof schema.$id === 'string') return false
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref' || keyword === '$dynamicRef') {
      if (typeof value === 'string') references.push(value)
    } else if (keyword === '$anchor' || keyword === '$dynamicAnchor') {
      if (typeof value === 'string') anchors.add(value)
    } else if (NAMED.has(keyword) && isObject(value)) {
      if (!Object.values(value).every((one) => collect(one, references, anchors))) return false
    } else if (!DATA.has(keyword) && !collect(value, references, anchors)) return false
  }
  return true
}

/** True if a JSON pointer in a fragment resolves (RFC 6901). */
function isPointer(schema: object, reference: string): boolean {
  let at: unknown = schema
  for (const step of reference.slice(2).split('/')) {
    let name: string
    try {
      name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    } catch {
      return false
    }
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Record<string, unknown>)[name]
  }
  return true
}
