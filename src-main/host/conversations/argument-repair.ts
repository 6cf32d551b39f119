import { isObject, type JsonObject, type JsonValue } from '../../../src-shared/base/json.ts'
import { jsonIn } from '../../../src-shared/base/parse-json.ts'
import type { JsonSchemaObject } from '../../../src-shared/mcp/primitives.ts'

/**
 * Repairs two mistakes of models: a value written as a string, if the schema allows no string and the text parses to a type that it
 * allows; and a missing required property that has a default. Undefined when there is nothing to repair.
 */
export function repairedArguments(schema: JsonSchemaObject, args: JsonObject): JsonObject | undefined {
  const parsed: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(args)) {
    const types = allowedTypes(schema.properties?.[name])
    if (typeof value !== 'string' || types.length === 0 || types.includes('string')) continue
    const found = jsonIn(value)
    if (found === undefined || !types.some((type) => isOfType(found, type))) continue
    parsed.push([name, found])
  }
  const added = withDefaults(schema, args)
  return added || parsed.length > 0 ? { ...(added ?? args), ...Object.fromEntries(parsed) } : undefined
}

function withDefaults({ required, properties }: JsonSchemaObject, args: JsonObject): JsonObject | undefined {
  const missing = (Array.isArray(required) ? required : []).flatMap((name: unknown) => {
    if (typeof name !== 'string' || Object.hasOwn(args, name) || !properties || !Object.hasOwn(properties, name)) return []
    const property: unknown = properties[name]
    return isObject(property) && 'default' in property ? [[name, property.default as JsonValue] as const] : []
  })
  return missing.length > 0 ? { ...args, ...Object.fromEntries(missing) } : undefined
}

function allowedTypes(property: unknown): readonly string[] {
  if (!isObject(property)) return []
  if (typeof property.type === 'string') return [property.type]
  return Array.isArray(property.type) ? property.type.filter((type) => typeof type === 'string') : []
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isSafeInteger(value)
    default:
      return typeof value === type
  }
}
