/** A host's notation of variables: `${env:X}`; `${X}` and `${X:-default}`; `$X`; `${input:x}` and others of VS Code. */
export type Syntax = 'env' | 'braces' | 'dollar' | 'code'

export type Piece =
  | string
  | { readonly is: 'variable'; readonly name: string; readonly default?: string }
  | { readonly is: 'input'; readonly id: string }
  /** A placeholder for the person to fill in. */
  | { readonly is: 'gap' }
  /** A command or setting that only that host knows. */
  | { readonly is: 'unknown'; readonly text: string }

/** Values that hosts predefine. */
export interface Known {
  readonly home: string
  readonly separator: string
  readonly project?: string
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/
const PLACE = /\$\{([^{}\r\n]{1,1000})\}|\$([A-Za-z_][A-Za-z0-9_]{0,199})/g
/** Placeholders for keys in documentation. */
const PLACEHOLDER =
  /^(?:<[^<>\r\n]{1,100}>|\$\{([A-Z_][A-Z0-9_]{0,100})\}|(?:your|YOUR|Your)[-_ ][\w -]{1,100}|[xX]{4,}|\.{3}|…)$/
const SCHEME = /^((?:Bearer|Basic|token)\s+)(\S.*)$/i

/** Splits a text into pieces. Notations that the host does not use stay text. */
export function variablePieces(text: string, syntaxes: ReadonlySet<Syntax>, known: Known): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const match of text.matchAll(PLACE)) {
    const piece =
      match[1] === undefined ? syntaxes.has('dollar') && variable(match[2] ?? '') : bracketed(match[1], syntaxes, known)
    if (piece === false) continue
    if (match.index > at) pieces.push(text.slice(at, match.index))
    pieces.push(piece)
    at = match.index + match[0].length
  }
  if (at < text.length || pieces.length === 0) pieces.push(text.slice(at))
  return pieces
}

export function placeholder(value: string): Piece[] | undefined {
  const [, scheme = '', rest = value] = SCHEME.exec(value) ?? []
  const found = PLACEHOLDER.exec(rest.trim())
  return found ? [...(scheme ? [scheme] : []), found[1] ? variable(found[1]) : { is: 'gap' }] : undefined
}

const variable = (name: string, fallback?: string): Piece => ({
  is: 'variable',
  name,
  ...(fallback !== undefined && { default: fallback }),
})

/** False if the host does not use this notation. */
function bracketed(inside: string, syntaxes: ReadonlySet<Syntax>, known: Known): Piece | false {
  if (syntaxes.has('code')) {
    if (inside === 'userHome') return known.home
    if (inside === 'pathSeparator' || inside === '/') return known.separator
    if (/^workspaceFolder(?::|$)/.test(inside)) return known.project ?? { is: 'unknown', text: 'workspaceFolder' }
    if (inside === 'workspaceFolderBasename') return known.project?.split(/[\\/]/).at(-1) ?? { is: 'unknown', text: inside }
    if (inside.startsWith('input:')) return { is: 'input', id: inside.slice('input:'.length) }
    if (/^(?:command|config):/.test(inside)) return { is: 'unknown', text: inside }
  }
  if ((syntaxes.has('env') || syntaxes.has('code')) && inside.startsWith('env:')) return variable(inside.slice('env:'.length))
  if (syntaxes.has('env') && inside.startsWith('file:')) return { is: 'unknown', text: inside }
  if (!syntaxes.has('braces')) return false
  const [name = '', fallback] = inside.split(/:-(.*)/s)
  return NAME.test(name) && variable(name, fallback)
}
