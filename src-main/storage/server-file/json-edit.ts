import type { JsonValue } from '../../../src-shared/base/json.ts'
import { findProperty, type ObjectNode, type PropertyNode } from './json-text.ts'

const INLINE_WIDTH = 100

interface Layout {
  readonly newline: string
  readonly indent: string
}

/** Sets one property: in place when it exists, else at `index` or the end. All other bytes stay. */
export function setProperty(text: string, object: ObjectNode, key: string, value: JsonValue, index?: number): string {
  const layout = layoutOf(text)
  const existing = findProperty(object, key)
  if (existing) {
    const { start, end } = existing.value
    return splice(text, start, end, formatJson(value, layout, lineIndent(text, existing.start)))
  }
  const first = object.properties[0]
  if (!first) {
    const outer = lineIndent(text, object.start)
    const inner = outer + layout.indent
    const property = formatProperty(key, value, layout, inner)
    return splice(text, object.start, object.end, `{${layout.newline}${inner}${property}${layout.newline}${outer}}`)
  }
  const gap = text.slice(object.start + 1, first.start)
  const property = formatProperty(key, value, layout, lineIndent(text, first.start))
  const next = index === undefined ? undefined : object.properties[index]
  if (next) return splice(text, next.start, next.start, `${property},${gap || ' '}`)
  const end = object.properties.at(-1)?.value.end ?? first.value.end
  return splice(text, end, end, `,${gap || ' '}${property}`)
}

export function removeProperty(text: string, object: ObjectNode, property: PropertyNode): string {
  const at = object.properties.indexOf(property)
  const before = object.properties[at - 1]
  const after = object.properties[at + 1]
  if (before) return splice(text, before.value.end, property.value.end, '')
  if (after) return splice(text, property.start, after.start, '')
  return splice(text, object.start, object.end, '{}')
}

function formatProperty(key: string, value: JsonValue, layout: Layout, indent: string): string {
  return `${JSON.stringify(key)}: ${formatJson(value, layout, indent)}`
}

/** Objects on several lines, short lists of plain values on one, as people write these files. */
function formatJson(value: JsonValue, layout: Layout, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indent + layout.indent
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((item) => formatJson(item, layout, inner))]
    : ['{', '}', Object.entries(value).map(([key, item]) => formatProperty(key, item, layout, inner))]
  if (parts.length === 0) return open + close
  const plain = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
  const line = `[${parts.join(', ')}]`
  if (plain && line.length <= INLINE_WIDTH) return line
  return `${open}${layout.newline}${inner}${parts.join(`,${layout.newline}${inner}`)}${layout.newline}${indent}${close}`
}

function layoutOf(text: string): Layout {
  const match = /\{\s*?(\r?\n)([ \t]+)"/.exec(text)
  return { newline: match?.[1] ?? '\n', indent: match?.[2] ?? '  ' }
}

function lineIndent(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? ''
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
