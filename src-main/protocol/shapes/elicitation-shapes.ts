import { isObject, type JsonObject } from '../../../src-shared/base/json.ts'
import type { ElicitParams, ElicitResult, ElicitUrlParams, ElicitValue } from '../../../src-shared/mcp/client-requests.ts'
import { type Border, bounded, type Fields, label, longText, object, ShapeError } from './border.ts'
import { ErrorCode, ProtocolError } from './json-rpc.ts'
import { LimitError } from './limits.ts'

/** The params and answers of `elicitation/create`. Invalid params open no dialog (ELIC-18). */

export function elicitParams(params: Fields, border: Border, declaredUrl: boolean): ElicitParams {
  const message = longText(params.message, 'message', border)
  const mode = border.traits.urlElicitation ? params.mode : undefined
  if (mode === 'url') {
    if (!declaredUrl) throw new ShapeError('mode', 'must be form, because this client did not declare elicitation.url')
    return urlParams(params, message, border)
  }
  if (mode !== undefined && mode !== 'form') throw new ShapeError('mode', 'must be form or url')
  const requestedSchema = formSchema(params.requestedSchema, border)
  return { mode: 'form', message, requestedSchema }
}

function urlParams(params: Fields, message: string, border: Border): ElicitUrlParams {
  const url = label(params.url, 'url', border)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new ShapeError('url', 'must be an http or https address')
  if (!border.traits.elicitationIds) return { mode: 'url', message, url }
  return { mode: 'url', message, url, elicitationId: label(params.elicitationId, 'elicitationId', border) }
}

/** One flat object of simple fields (ELIC-17). */
function formSchema(value: unknown, border: Border): JsonObject {
  const schema = object(value, 'requestedSchema')
  bounded(schema, 'requestedSchema', border.limits)
  if (schema.type !== 'object') throw new ShapeError('requestedSchema.type', 'must be “object”')
  const properties = Object.entries(object(schema.properties, 'requestedSchema.properties'))
  const allowed = border.limits.maxFormFields
  if (properties.length > allowed) {
    throw new LimitError('maxFormFields', allowed, `requestedSchema has more than ${allowed} properties.`)
  }
  for (const [name, property] of properties) field(property, `requestedSchema.properties.${name.slice(0, 100)}`, border)
  const { required } = schema
  if (required !== undefined && !strings(required))
    throw new ShapeError('requestedSchema.required', 'must be an array of strings')
  return schema as JsonObject
}

function field(value: unknown, path: string, border: Border): void {
  const property = object(value, path)
  switch (property.type) {
    case 'string':
      if (property.enum !== undefined && !strings(property.enum))
        throw new ShapeError(`${path}.enum`, 'must be an array of strings')
      if (property.oneOf !== undefined && border.traits.richForms && !titled(property.oneOf)) {
        throw new ShapeError(`${path}.oneOf`, 'must be an array of const and title')
      }
      return
    case 'number':
    case 'integer':
    case 'boolean':
      return
    case 'array':
      if (border.traits.richForms && isChoice(property.items)) return
      throw new ShapeError(path, 'must not be an array')
    default:
      throw new ShapeError(`${path}.type`, 'must be string, number, integer or boolean')
  }
}

/** The items of a multi-select, since 2025-11-25. */
function isChoice(items: unknown): boolean {
  if (!isObject(items)) return false
  return (items.type === 'string' && strings(items.enum)) || titled(items.anyOf) || titled(items.oneOf)
}

function strings(value: unknown): boolean {
  return Array.isArray(value) && value.every((member) => typeof member === 'string')
}

function titled(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((choice) => isObject(choice) && typeof choice.const === 'string' && typeof choice.title === 'string')
  )
}

/** Our answer in the form of the revision or profile; only an acceptance has content (ELIC-10 to ELIC-16). */
export function elicitAnswer(result: ElicitResult, border: Border): Fields {
  if (result.action === 'decline') return { action: border.traits.refusal }
  if (result.action === 'cancel' || result.content === undefined) return { action: result.action }
  const content: readonly [string, ElicitValue][] = Object.entries(result.content)
  if (!border.traits.richForms && content.some(([, value]) => typeof value === 'object')) {
    throw new ProtocolError(ErrorCode.internal, `The answer cannot be put into ${border.traits.protocolVersion}.`)
  }
  return { action: 'accept', content: Object.fromEntries(content) }
}

/** URLs of the error -32042, which a person must visit before the request can succeed. Invalid entries are left out. */
export function requiredElicitations(error: ProtocolError, border: Border): readonly ElicitUrlParams[] {
  if (error.code !== ErrorCode.urlElicitationRequired || !border.traits.elicitationIds || !isObject(error.data)) return []
  const { elicitations } = error.data
  if (!Array.isArray(elicitations)) return []
  return elicitations.slice(0, border.limits.maxFormFields).flatMap((entry) => {
    try {
      const fields = object(entry, 'elicitation')
      return [urlParams(fields, longText(fields.message, 'message', border), border)]
    } catch {
      return []
    }
  })
}
