import { isObject } from '../../../src-shared/base/json.ts'
import type { ContentBlock, ResourceContents, UnknownContent } from '../../../src-shared/mcp/content.ts'
import { base64Size } from './base64.ts'
import {
  type Border,
  bounded,
  type Fields,
  isOptionalLabel,
  isOptionalTitle,
  label,
  list,
  longText,
  object,
  replaced,
  ShapeError,
  warn,
  without,
} from './border.ts'
import { LimitError } from './limits.ts'

const MIME = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+(?:\s*;.*)?$/i
const ICON_ADDRESS = /^(?:https:\/\/|data:image\/)/i

/** A content block. An unknown or invalid one is replaced by a reason, so that the rest of the result counts (SCHEMA-21). */
export function contentBlock(value: unknown, path: string, border: Border): ContentBlock {
  try {
    return knownBlock(object(value, path), path, border)
  } catch (error) {
    if (!(error instanceof ShapeError || error instanceof LimitError)) throw error
    const kind = isObject(value) && typeof value.type === 'string' ? value.type.slice(0, 100) : 'none'
    warn(border, `A block of content was set aside: ${error.message}`)
    return setAside(value, kind, error.message, border)
  }
}

export function contentBlocks(value: unknown, path: string, border: Border): readonly ContentBlock[] {
  const given = list(value, path, border)
  let changed: ContentBlock[] | undefined
  for (const [at, raw] of given.entries()) {
    const block = contentBlock(raw, `${path}[${at}]`, border)
    if (block !== raw) changed ??= given.slice(0, at) as ContentBlock[] // checked one by one before
    changed?.push(block)
  }
  return changed ?? (given as readonly ContentBlock[])
}

function setAside(value: unknown, kind: string, reason: string, border: Border): UnknownContent {
  let raw: unknown = value
  try {
    bounded(value, 'content', border.limits)
  } catch {
    raw = null
  }
  return { type: 'unknown', kind, reason, raw }
}

function knownBlock(block: Fields, path: string, border: Border): ContentBlock {
  const { traits } = border
  switch (block.type) {
    case 'text':
      longText(block.text, `${path}.text`, border)
      break
    case 'audio':
      if (!traits.audio) return tooNew(block, border)
      media(block, path, border)
      break
    case 'image':
      media(block, path, border)
      break
    case 'resource': {
      const resource = resourceContents(block.resource, `${path}.resource`, border)
      if (resource.mimeType === undefined) warn(border, `${path}.resource has no MIME type.`)
      return clean(resource === block.resource ? block : replaced(block, 'resource', resource), border) as unknown as ContentBlock
    }
    case 'resource_link':
      if (!traits.resourceLinks) return tooNew(block, border)
      label(block.uri, `${path}.uri`, border)
      label(block.name, `${path}.name`, border)
      return clean(resourceHints(block, border), border) as unknown as ContentBlock
    default:
      if (typeof block.type !== 'string') throw new ShapeError(`${path}.type`, 'must be a string')
      warn(border, `A block of content has the unknown type “${block.type.slice(0, 100)}”.`)
      return setAside(block, block.type.slice(0, 100), 'This host does not know this type of content.', border)
  }
  // Every member of the type was checked above.
  return clean(block, border) as unknown as ContentBlock
}

function tooNew(block: Fields, border: Border): UnknownContent {
  const kind = String(block.type)
  warn(border, `A block of content has the type “${kind}”, which ${border.traits.protocolVersion} does not have.`)
  return setAside(block, kind, `Revision ${border.traits.protocolVersion} does not have this type of content.`, border)
}

/** `data` and `mimeType` of an image or audio: strict base64 within the limit (SCHEMA-17, SCHEMA-18). */
export function media(block: Fields, path: string, border: Border): void {
  const mimeType = label(block.mimeType, `${path}.mimeType`, border)
  if (!MIME.test(mimeType)) throw new ShapeError(`${path}.mimeType`, 'must be a MIME type')
  binary(block.data, `${path}.data`, border)
}

function binary(value: unknown, path: string, border: Border): void {
  if (typeof value !== 'string') throw new ShapeError(path, 'must be a base64 string')
  const allowed = border.limits.maxBlobBytes
  if ((value.length / 4) * 3 > allowed + 3)
    throw new LimitError('maxBlobBytes', allowed, `${path} is larger than ${allowed} bytes.`)
  const size = base64Size(value)
  if (size === undefined) throw new ShapeError(path, 'is not valid base64')
  if (size > allowed) throw new LimitError('maxBlobBytes', allowed, `${path} is larger than ${allowed} bytes.`)
}

/** Text or blob, never both or neither (SCHEMA-19). */
export function resourceContents(value: unknown, path: string, border: Border): ResourceContents {
  const fields = object(value, path)
  label(fields.uri, `${path}.uri`, border)
  const hasText = fields.text !== undefined
  if (hasText === (fields.blob !== undefined)) throw new ShapeError(path, 'must hold either text or blob')
  if (hasText) longText(fields.text, `${path}.text`, border)
  else binary(fields.blob, `${path}.blob`, border)
  const cleaned = isOptionalLabel(fields.mimeType, border) ? fields : without(fields, ['mimeType'])
  return meta(cleaned, border) as unknown as ResourceContents
}

/** Drops invalid hints of a resource. */
export function resourceHints(fields: Fields, border: Border): Fields {
  const wrong = ['description', 'mimeType'].filter((key) => !isOptionalLabel(fields[key], border))
  if (fields.size !== undefined && !(Number.isSafeInteger(fields.size) && Number(fields.size) >= 0)) wrong.push('size')
  if (!border.traits.titles || !isOptionalTitle(fields.title, border)) wrong.push('title')
  return icons(without(fields, wrong), border)
}

/** Drops invalid hints of a block or definition, and bounds the rest (SCHEMA-13, SCHEMA-14). */
export function clean(fields: Fields, border: Border): Fields {
  return meta(annotations(fields, border), border)
}

export function meta(fields: Fields, border: Border): Fields {
  bounded(fields, 'It', border.limits)
  return withUsableMeta(fields, border)
}

/** Data types have `_meta` since 2025-06-18; its values are kept unread (SCHEMA-04, SCHEMA-05). */
export function withUsableMeta(fields: Fields, border: Border): Fields {
  if (fields._meta === undefined || (border.traits.titles && isObject(fields._meta))) return fields
  return without(fields, ['_meta'])
}

function annotations(fields: Fields, border: Border): Fields {
  const hints = fields.annotations
  if (hints === undefined) return fields
  if (!isObject(hints)) return without(fields, ['annotations'])
  const { audience, priority, lastModified } = hints
  const wrong: string[] = []
  if (audience !== undefined && !(Array.isArray(audience) && audience.every((role) => role === 'user' || role === 'assistant'))) {
    wrong.push('audience')
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) wrong.push('priority')
  if (lastModified !== undefined) {
    const readable = typeof lastModified === 'string' && !Number.isNaN(Date.parse(lastModified))
    if (!border.traits.titles || !readable) wrong.push('lastModified')
  }
  return wrong.length === 0 ? fields : replaced(fields, 'annotations', without(hints, wrong))
}

/** Icons exist since 2025-11-25; only addresses that cannot run code are kept. */
export function icons(fields: Fields, border: Border): Fields {
  if (fields.icons === undefined) return fields
  if (!border.traits.icons || !Array.isArray(fields.icons)) return without(fields, ['icons'])
  const usable = fields.icons.slice(0, 20).filter((icon) => isObject(icon) && isIcon(icon, border))
  return usable.length === fields.icons.length ? fields : replaced(fields, 'icons', usable)
}

function isIcon(icon: Fields, border: Border): boolean {
  const { src, mimeType, sizes, theme } = icon
  return (
    typeof src === 'string' &&
    src.length <= border.limits.maxLabelLength &&
    ICON_ADDRESS.test(src) &&
    isOptionalLabel(mimeType, border) &&
    (sizes === undefined || (Array.isArray(sizes) && sizes.every((size) => typeof size === 'string'))) &&
    (theme === undefined || theme === 'light' || theme === 'dark')
  )
}
