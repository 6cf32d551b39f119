import { isObject } from '../../../src-shared/base/json.ts'
import type { Resource } from '../../../src-shared/mcp/content.ts'
import type { Implementation, Prompt, ResourceTemplate, Tool } from '../../../src-shared/mcp/primitives.ts'
import { uriProblem } from '../../../src-shared/mcp/uri.ts'
import {
  type Border,
  bounded,
  type Fields,
  isOptionalLabel,
  isOptionalTitle,
  label,
  object,
  replaced,
  ShapeError,
  without,
} from './border.ts'
import { clean, icons, meta, resourceHints, withUsableMeta } from './content-shapes.ts'
import { LimitError } from './limits.ts'
import { unresolvedReference } from './schema-references.ts'

/** Definitions in a server's lists. Each function throws ShapeError when the entry lacks a required member. */

/** A tool as it is listed; `unusable` says why it cannot be called (TOOL-17). */
interface ListedTool {
  readonly tool: Tool
  readonly unusable?: string
}

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

export function listedTool(value: unknown, path: string, border: Border): ListedTool {
  const fields = object(value, path)
  label(fields.name, `${path}.name`, border)
  const { traits } = border
  // A tool that is bounded as a whole needs no walk of each part.
  const whole = boundProblem(fields, 'It', border) === undefined
  let tool = named(fields, border)
  tool = withSchemaTypes(tool, traits.anyStructuredContent ? ['inputSchema'] : ['inputSchema', 'outputSchema'])
  const unusable = schemaProblem(tool.inputSchema, 'inputSchema', whole, border) ?? lostReference(tool.inputSchema, border)
  if (unusable) tool = replaced(tool, 'inputSchema', { type: 'object' })
  if (
    tool.outputSchema !== undefined &&
    (!traits.structuredContent || schemaProblem(tool.outputSchema, 'outputSchema', whole, border))
  ) {
    tool = without(tool, ['outputSchema'])
  }
  tool = toolAnnotations(tool, border)
  if (tool.execution !== undefined && !(traits.toolExecution && isExecution(tool.execution))) tool = without(tool, ['execution'])
  const checked = (whole ? withUsableMeta(tool, border) : meta(tool, border)) as unknown as Tool
  return unusable === undefined ? { tool: checked } : { tool: checked, unusable }
}

/** Real servers leave out the type, which is always `object`. */
function withSchemaTypes(tool: Fields, keys: readonly string[]): Fields {
  let typed = tool
  for (const key of keys) {
    const schema = typed[key]
    if (isObject(schema) && schema.type === undefined) typed = replaced(typed, key, { ...schema, type: 'object' })
  }
  return typed
}

function schemaProblem(schema: unknown, name: string, isBounded: boolean, border: Border): string | undefined {
  if (!isObject(schema)) return `Its ${name} is not an object.`
  const anyType = name === 'outputSchema' && border.traits.anyStructuredContent
  if (schema.type !== 'object' && !anyType) return `Its ${name} does not have the type “object”.`
  return isBounded ? undefined : boundProblem(schema, `Its ${name}`, border)
}

/** A schema with external references cannot validate arguments. Older revisions allow it. */
function lostReference(schema: unknown, { traits }: Border): string | undefined {
  if (traits.session || !isObject(schema)) return undefined
  const reference = unresolvedReference(schema)
  return reference === undefined ? undefined : `Its inputSchema refers to “${reference.slice(0, 200)}”, which is not fetched.`
}

function boundProblem(value: unknown, what: string, border: Border): string | undefined {
  try {
    bounded(value, what, border.limits)
    return undefined
  } catch (error) {
    if (error instanceof LimitError) return error.message
    throw error
  }
}

function isExecution(value: unknown): boolean {
  if (!isObject(value)) return false
  const { taskSupport } = value
  return taskSupport === undefined || taskSupport === 'forbidden' || taskSupport === 'optional' || taskSupport === 'required'
}

/** Drops hints of the wrong type, so that the worst case is assumed (TOOL-13). */
function toolAnnotations(tool: Fields, border: Border): Fields {
  const hints = tool.annotations
  if (hints === undefined) return tool
  if (!border.traits.toolAnnotations || !isObject(hints)) return without(tool, ['annotations'])
  const wrong: string[] = []
  for (const key of HINTS) if (hints[key] !== undefined && typeof hints[key] !== 'boolean') wrong.push(key)
  if (!isOptionalTitle(hints.title, border)) wrong.push('title')
  return wrong.length === 0 ? tool : replaced(tool, 'annotations', without(hints, wrong))
}

export function resource(value: unknown, path: string, border: Border): Resource {
  const fields = object(value, path)
  const uri = label(fields.uri, `${path}.uri`, border)
  const problem = uriProblem(uri)
  if (problem !== undefined) throw new ShapeError(`${path}.uri`, `“${uri.slice(0, 100)}” is not an address: ${problem}`)
  label(fields.name, `${path}.name`, border)
  return clean(resourceHints(fields, border), border) as unknown as Resource
}

export function resourceTemplate(value: unknown, path: string, border: Border): ResourceTemplate {
  const fields = object(value, path)
  label(fields.uriTemplate, `${path}.uriTemplate`, border)
  label(fields.name, `${path}.name`, border)
  return clean(resourceHints(fields, border), border) as unknown as ResourceTemplate
}

export function prompt(value: unknown, path: string, border: Border): Prompt {
  const fields = object(value, path)
  label(fields.name, `${path}.name`, border)
  let result = named(fields, border)
  if (result.arguments !== undefined) {
    if (!Array.isArray(result.arguments)) throw new ShapeError(`${path}.arguments`, 'must be an array')
    const allowed = border.limits.maxFormFields
    if (result.arguments.length > allowed) {
      throw new LimitError('maxFormFields', allowed, `${path} has more than ${allowed} arguments.`)
    }
    const args = result.arguments.map((argument: unknown, at) => promptArgument(argument, `${path}.arguments[${at}]`, border))
    if (args.some((argument, at) => argument !== (fields.arguments as unknown[])[at]))
      result = replaced(result, 'arguments', args)
  }
  return meta(result, border) as unknown as Prompt
}

function promptArgument(value: unknown, path: string, border: Border): Fields {
  const fields = object(value, path)
  label(fields.name, `${path}.name`, border)
  const argument = named(fields, border)
  return argument.required === undefined || typeof argument.required === 'boolean' ? argument : without(argument, ['required'])
}

/** `serverInfo`, which needs a name and a version (LIFE-14). */
export function implementation(value: unknown, path: string, border: Border): Implementation {
  const fields = object(value, path)
  label(fields.name, `${path}.name`, border)
  label(fields.version, `${path}.version`, border)
  const { websiteUrl } = fields
  const site = typeof websiteUrl === 'string' && /^https?:\/\//i.test(websiteUrl) && isOptionalLabel(websiteUrl, border)
  return meta(named(site ? fields : without(fields, ['websiteUrl']), border), border) as unknown as Implementation
}

/** Drops title, description and icons that are invalid or newer than the revision. */
function named(fields: Fields, border: Border): Fields {
  const wrong: string[] = []
  if (!border.traits.titles || !isOptionalTitle(fields.title, border)) wrong.push('title')
  if (!isOptionalLabel(fields.description, border)) wrong.push('description')
  return icons(without(fields, wrong), border)
}
