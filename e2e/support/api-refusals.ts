import { Ajv2020 } from 'ajv/dist/2020.js'
import { isObject } from '../../src-shared/base/json.ts'

/**
 * The error with which the real API refuses a request with HTTP 400, as in public reports; undefined for an accepted request. One tool
 * or one block of history is enough for a refusal.
 */
export function refusalOf(
  api: 'anthropic' | 'responses' | 'chat',
  body: Record<string, unknown>,
  text: string,
): string | undefined {
  if (/\\u[dD][89a-fA-F]/.test(text)) return 'The request body is not valid JSON: no low surrogate in string'
  const tools = Array.isArray(body.tools) ? body.tools : []
  if (api === 'anthropic') return anthropicTools(tools) ?? anthropicMessages(body.messages as readonly AnthropicMessage[])
  return openAiTools(api === 'chat' ? tools.map((tool) => tool.function) : tools) ?? openAiHistory(body)
}

interface Tool {
  readonly name: string
  readonly description?: string
  readonly input_schema?: unknown
  readonly parameters?: unknown
  readonly strict?: boolean | null
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
/** Checks against the meta-schema only, which does not resolve references. */
const isSchema2020 = (schema: unknown) => isObject(schema) && ajv.validateSchema(schema) === true

function anthropicTools(tools: readonly Tool[]): string | undefined {
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'tools: Tool names must be unique.'
  for (const [at, { name, input_schema: schema }] of tools.entries()) {
    const where = `tools.${at}.custom`
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return `${where}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (!isObject(schema) || schema.type !== 'object') return `${where}.input_schema.type: Input should be 'object'`
    if (['oneOf', 'allOf', 'anyOf'].some((keyword) => schema[keyword] !== undefined)) {
      return `${where}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
    }
    if (Object.keys(schema.properties ?? {}).some((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))) {
      return `${where}.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`
    }
    if (!isSchema2020(schema)) return `${where}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`
  }
  return undefined
}

interface AnthropicMessage {
  readonly role: string
  readonly content: readonly {
    readonly type: string
    readonly id?: string
    readonly tool_use_id?: string
    readonly text?: string
    readonly content?: readonly { readonly type: string; readonly text?: string }[]
    readonly cache_control?: unknown
  }[]
}

function anthropicMessages(messages: readonly AnthropicMessage[]): string | undefined {
  const used = new Set<string>()
  for (const [at, { content }] of messages.entries()) {
    const texts = content.flatMap((block) => [block, ...(Array.isArray(block.content) ? block.content : [])])
    if (texts.some(({ type, text }) => type === 'text' && text?.trim() === '')) {
      return `messages.${at}: text content blocks must contain non-whitespace text`
    }
    for (const { id } of content.filter(({ type }) => type === 'tool_use')) {
      if (!/^[a-zA-Z0-9_-]+$/.test(id ?? ''))
        return `messages.${at}.content.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
      if (used.has(id ?? '')) return `messages.${at}: \`tool_use\` ids must be unique`
      used.add(id ?? '')
      const results = messages[at + 1]?.content ?? []
      if (!results.some((block) => block.tool_use_id === id)) {
        return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}`
      }
    }
  }
  return undefined
}

function openAiTools(tools: readonly Tool[]): string | undefined {
  if (tools.length > 128) {
    return `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${tools.length} instead.`
  }
  for (const [at, { name, description = '', parameters, strict }] of tools.entries()) {
    if (strict) return `Invalid schema for function '${name}': strict schemas are not looked at here`
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return `Invalid 'tools[${at}].function.name': string does not match pattern`
    if (description.length > 1024) {
      return `Invalid 'tools[${at}].function.description': string too long. Expected a string with maximum length 1024, but got a string with length ${description.length} instead.`
    }
    const problem = openAiSchema(parameters)
    if (problem) return `Invalid schema for function '${name}': ${problem}`
  }
  return undefined
}

function openAiSchema(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== 'object' || TOP.some((keyword) => schema[keyword] !== undefined)) {
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
  }
  if (!isObject(schema.properties)) return 'In context=(), object schema missing properties.'
  if (!isSchema2020(schema)) return 'it is not valid under any of the given schemas.'
  return missingItems(schema, '')
}

const TOP = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

function missingItems(schema: unknown, context: string): string | undefined {
  if (Array.isArray(schema)) return first(schema, (one, at) => missingItems(one, `${context}, '${at}'`))
  if (!isObject(schema)) return undefined
  const types = [schema.type].flat()
  if (types.includes('array') && !isObject(schema.items)) return `In context=(${context}), array schema missing items.`
  for (const keyword of ['properties', 'patternProperties']) {
    const named = isObject(schema[keyword]) ? Object.entries(schema[keyword]) : []
    const problem = first(named, ([name, one]) => missingItems(one, `${context}, '${keyword}', '${name}'`))
    if (problem) return problem
  }
  return first(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'], (keyword) =>
    missingItems(schema[keyword], `${context}, '${keyword}'`),
  )
}

function first<T>(values: readonly T[], problem: (value: T, at: number) => string | undefined): string | undefined {
  for (const [at, value] of values.entries()) {
    const found = problem(value, at)
    if (found) return found
  }
  return undefined
}

function openAiHistory(body: Record<string, unknown>): string | undefined {
  const items = [body.input ?? body.messages].flat() as readonly Record<string, unknown>[]
  const calls = items.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name }]
      : ((item.tool_calls ?? []) as { id: string; function: { name: string } }[]).map(({ id, function: { name } }) => ({
          id,
          name,
        })),
  )
  for (const { id, name } of calls) {
    if (typeof id !== 'string' || id.length > 64)
      return "Invalid 'call_id': string too long. Expected a string with maximum length 64."
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) return "Invalid 'name': string does not match pattern '^[a-zA-Z0-9_-]+$'."
  }
  return undefined
}
