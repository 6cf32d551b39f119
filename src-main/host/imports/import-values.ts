import { looksSecret } from '../../../src-shared/base/secrets.ts'
import type { ImportInput } from '../../../src-shared/contract/imports.ts'
import type { ForeignInput, TakenFrom } from '../../../src-shared/foreign/foreign-server.ts'
import { holdsSecret } from '../core/redact.ts'
import { type Known, type Piece, placeholder, type Syntax, variablePieces } from './variables.ts'

/** A piece of a text of an entry: either filled in, or an input to ask for. */
export type Part = string | { readonly input: ImportInput }

export interface ImportValue {
  readonly parts: readonly Part[]
  /** True if the page must not see it and it goes to the secret store. */
  readonly secret: boolean
}

/** The context in which values of one configuration are read. */
export interface ValueSource {
  readonly syntaxes: ReadonlySet<Syntax>
  readonly known: Known
  /** The person's environment; returns nothing to a pasted text or a project, which must not read what they name. */
  readonly environment: (name: string) => string | undefined
  readonly inputs: ReadonlyMap<string, ForeignInput>
  /** Makes ids of inputs unique across configurations. */
  readonly prefix: string
  readonly server: string
}

/** Variables whose values are no secrets. */
export const HARMLESS = new Set('HOME USERPROFILE USER USERNAME LOGNAME APPDATA LOCALAPPDATA TMPDIR TEMP TMP'.split(' '))

export function namedValue(name: string, text: string, source: ValueSource): ImportValue {
  const taken = variablePieces(text, source.syntaxes, source.known)
  const pieces = taken.length === 1 && taken[0] === text ? (placeholder(text) ?? taken) : taken
  return valueFrom(name, pieces, source)
}

/** A value that the host takes from the environment by a setting of its own. */
export function fromEnvironment(name: string, { variable, after }: TakenFrom, source: ValueSource): ImportValue {
  return valueFrom(name, [...(after ? [after] : []), { is: 'variable', name: variable }], source)
}

function valueFrom(name: string, pieces: readonly Piece[], source: ValueSource): ImportValue {
  let secret = false
  const parts = pieces.map((piece): Part => {
    if (typeof piece === 'string') return piece
    const found = piece.is === 'variable' ? source.environment(piece.name) : undefined
    // A value from the environment was in no file, so it is kept out of mcp.json.
    if (found !== undefined && piece.is === 'variable') secret ||= !HARMLESS.has(piece.name)
    if (found !== undefined) return found
    const input = inputOf(piece, source, looksSecret(name), name)
    if (typeof input !== 'string') secret ||= input.input.secret
    return input
  })
  const written = parts.filter((part) => typeof part === 'string').join('')
  return {
    parts,
    secret: written === '' && parts.length < 2 && typeof parts[0] === 'string' ? false : secret || holdsSecret(name, written),
  }
}

/** A command, argument or address: mcp.json will hold it in the clear, so secrets are not filled in. */
export function openText(text: string, source: ValueSource): Part[] {
  return variablePieces(text, source.syntaxes, source.known).map((piece) => {
    if (typeof piece === 'string') return piece
    const found = piece.is === 'variable' ? source.environment(piece.name) : undefined
    return found !== undefined && piece.is === 'variable' && !holdsSecret(piece.name, found)
      ? found
      : inputOf(piece, source, false)
  })
}

function inputOf(piece: Exclude<Piece, string>, { inputs, prefix, server }: ValueSource, secretPlace: boolean, name = ''): Part {
  if (piece.is === 'gap') return { input: { id: `${prefix}${server}/${name}`, label: name, secret: secretPlace } }
  if (piece.is === 'input') {
    const known = inputs.get(piece.id)
    return {
      input: {
        ...(known ?? { label: piece.id, secret: secretPlace || looksSecret(piece.id) }),
        id: `${prefix}input:${piece.id}`,
      },
    }
  }
  if (piece.is === 'unknown') return { input: { id: `${prefix}${piece.text}`, label: piece.text, secret: secretPlace } }
  if (piece.default !== undefined) return piece.default
  return { input: { id: `${prefix}env:${piece.name}`, label: piece.name, secret: secretPlace || looksSecret(piece.name) } }
}

export const inputsIn = (parts: readonly Part[]): ImportInput[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [] : [part.input]))

/** The text for windows, with `${input:…}` for what is missing. */
export const shownText = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `\${input:${part.input.id}}`)).join('')

/** The complete text, or the first input that is missing. */
export function filledText(parts: readonly Part[], given: Readonly<Record<string, string>>): string | ImportInput {
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const { id, default: usual } = part.input
    const answer = Object.hasOwn(given, id) ? given[id] : undefined
    const value = answer !== undefined && answer !== '' ? answer : usual
    if (value === undefined) return part.input
    text += part.input.encoded ? encodeURIComponent(value) : value
  }
  return text
}
