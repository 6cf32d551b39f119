// URI templates (RFC 6570 level 4) for resource templates. Values are texts only.

type TemplateValues = Readonly<Record<string, string | undefined>>

/** An invalid template. `at` is the offset of the expression in UTF-16 units. */
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
  /** Code points of the value to keep. */
  readonly prefix?: number
}

interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
}

/** Literal texts and expressions in order. */
interface UriTemplate {
  readonly parts: readonly (string | Expression)[]
}

/** One row of the table in RFC 6570 appendix A. */
interface Operator {
  readonly first: string
  readonly separator: string
  readonly named: boolean
  /** The characters after the name of an empty value. */
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

// The explode modifier (asterisk) has no effect on a text.
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(?:\*|:([1-9][0-9]{0,3}))?$/
/** More than a person would fill in. */
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
    const [, name, prefix] = VARIABLE.exec(text) ?? []
    if (name === undefined) throw new UriTemplateError(`“${text.slice(0, 100)}” is not a variable.`, at)
    return { name, ...(prefix !== undefined && { prefix: Number(prefix) }) }
  })
  return { operator: operator ?? SIMPLE, variables }
}

/** The names of its variables, in order, each once. */
export function templateVariables(template: UriTemplate): readonly string[] {
  const names = template.parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name)))
  return [...new Set(names)]
}

/** Variables without a value expand to nothing; values are percent-encoded as their expression requires. */
export function expandUriTemplate(template: UriTemplate, values: TemplateValues): string {
  return template.parts.map((part) => (typeof part === 'string' ? encode(part, true) : expand(part, values))).join('')
}

function expand({ operator, variables }: Expression, values: TemplateValues): string {
  const { first, separator } = operator
  const expanded = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined
    return value === undefined ? [] : [expandVariable(operator, variable, value)]
  })
  return expanded.length === 0 ? '' : first + expanded.join(separator)
}

function expandVariable({ named, ifEmpty, reserved }: Operator, { name, prefix }: Variable, value: string): string {
  const text = encode(prefix === undefined ? value : [...value.slice(0, 2 * prefix)].slice(0, prefix).join(''), reserved)
  if (!named) return text
  return text === '' ? name + ifEmpty : `${name}=${text}`
}

const ESCAPED = /[^A-Za-z0-9\-._~]+/g
const ESCAPED_BESIDE_RESERVED = /(%[0-9A-Fa-f]{2})|%|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g

/** Percent-encodes all but unreserved characters; with `reserved`, reserved characters and percent triplets stay, too. */
function encode(text: string, reserved: boolean): string {
  if (!reserved) return text.replace(ESCAPED, percent)
  return text.replace(ESCAPED_BESIDE_RESERVED, (run: string, triplet: string | undefined) => triplet ?? percent(run))
}

function percent(run: string): string {
  const encoded = encodeURIComponent(run.toWellFormed())
  return encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
