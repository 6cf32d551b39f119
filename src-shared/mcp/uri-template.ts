/** URI templates, RFC 6570 level 4: what a resource template is written in. */

export type TemplateValue = string | readonly string[] | Readonly<Record<string, string>>
export type TemplateValues = Readonly<Record<string, TemplateValue | undefined>>

/** The template is not one. `at` is the place of the expression, in UTF-16 units. */
export class UriTemplateError extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.name = 'UriTemplateError'
    this.at = at
  }
}

interface Variable {
  readonly name: string
  readonly explode: boolean
  /** Code points that are kept of a text. */
  readonly prefix?: number
}

interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

/** Alternately literal text and expressions. */
export interface UriTemplate {
  readonly parts: readonly (string | Expression)[]
}

/** One row of the table in RFC 6570 appendix A. */
interface Operator {
  readonly first: string
  readonly separator: string
  readonly named: boolean
  /** What follows the name of an empty value. */
  readonly ifEmpty: string
  readonly reserved: boolean
}

const SIMPLE: Operator = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false }
const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
}

const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9][0-9]{0,3}))?$/
/** Nobody fills in more; a template with more variables is a trick. */
const MAX_VARIABLES = 200

/** Throws UriTemplateError. */
export function parseUriTemplate(template: string): UriTemplate {
  const parts: (string | Expression)[] = []
  let count = 0
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const literal = template.slice(at, open < 0 ? undefined : open)
    if (literal.includes('}')) throw new UriTemplateError('A closing brace has no opening one.', at + literal.indexOf('}'))
    if (literal !== '') parts.push(literal)
    if (open < 0) break
    const close = template.indexOf('}', open)
    if (close < 0) throw new UriTemplateError('An opening brace has no closing one.', open)
    const expression = parseExpression(template.slice(open + 1, close), open)
    count += expression.variables.length
    if (count > MAX_VARIABLES) throw new UriTemplateError(`There are more than ${MAX_VARIABLES} variables.`, open)
    parts.push(expression)
    at = close + 1
  }
  return { parts }
}

function parseExpression(body: string, at: number): Expression {
  const operator = OPERATORS[body.charAt(0)]
  const variables = (operator ? body.slice(1) : body).split(',').map((text): Variable => {
    const [, name, star, prefix] = VARIABLE.exec(text) ?? []
    if (name === undefined) throw new UriTemplateError(`“${text.slice(0, 100)}” is no variable.`, at)
    return { name, explode: star !== undefined, ...(prefix !== undefined && { prefix: Number(prefix) }) }
  })
  return { operator: operator ?? SIMPLE, variables }
}

/** The names to fill in, in order, each once. */
export function templateVariables(template: UriTemplate): readonly string[] {
  const names = template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name)))
  return [...new Set(names)]
}

/** Values that are absent leave no trace; everything else is percent-encoded as its expression asks. */
export function expandUriTemplate(template: UriTemplate, values: TemplateValues): string {
  return template.parts.map((part) => (typeof part === 'string' ? encode(part, true) : expand(part, values))).join('')
}

function expand({ operator, variables }: Expression, values: TemplateValues): string {
  const { first, separator } = operator
  const expanded = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined
    return value === undefined ? [] : expandVariable(operator, variable, value)
  })
  return expanded.length === 0 ? '' : first + expanded.join(separator)
}

/** The pieces that stand between separators; none for an empty list. */
function expandVariable(operator: Operator, variable: Variable, value: TemplateValue): readonly string[] {
  const { name, explode, prefix } = variable
  const plain = (text: string) => encode(text, operator.reserved)
  const named = (key: string, text: string) => (text === '' ? key + operator.ifEmpty : `${key}=${text}`)
  if (typeof value === 'string') {
    const text = plain(prefix === undefined ? value : [...value].slice(0, prefix).join(''))
    return [operator.named ? named(name, text) : text]
  }
  if (isList(value)) {
    if (value.length === 0) return []
    if (!explode) return [operator.named ? named(name, value.map(plain).join(',')) : value.map(plain).join(',')]
    return value.map((member) => (operator.named ? named(name, plain(member)) : plain(member)))
  }
  const pairs = Object.entries(value).map(([key, text]): [string, string] => [plain(key), plain(text)])
  if (pairs.length === 0) return []
  if (explode) return pairs.map(([key, text]) => (operator.named ? named(key, text) : `${key}=${text}`))
  const joined = pairs.flat().join(',')
  return [operator.named ? named(name, joined) : joined]
}

function isList(value: TemplateValue): value is readonly string[] {
  return Array.isArray(value)
}

const UNRESERVED = /[A-Za-z0-9\-._~]/
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/

/** Percent-encodes what may not stand; with `reserved`, reserved characters and finished triplets stay as they are. */
function encode(text: string, reserved: boolean): string {
  let out = ''
  for (let at = 0; at < text.length; ) {
    const point = String.fromCodePoint(text.codePointAt(at) ?? 0xfffd)
    if (UNRESERVED.test(point) || (reserved && RESERVED.test(point))) out += point
    else if (reserved && /^%[0-9A-Fa-f]{2}/.test(text.slice(at, at + 3))) {
      out += text.slice(at, at + 3)
      at += 3
      continue
    } else out += percent(point)
    at += point.length
  }
  return out
}

function percent(point: string): string {
  return [...new TextEncoder().encode(point)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
