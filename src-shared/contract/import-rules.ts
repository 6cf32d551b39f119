import type { ImportInput } from './imports.ts'

// Rules for the inputs of a review, shared by the form and the host.

/** Why an input cannot have this value, as a sentence without a full stop; undefined when it can. */
export function inputProblem(input: ImportInput, value: string): string | undefined {
  if (value === '') return input.optional || input.default !== undefined ? undefined : 'Required'
  if (value.includes('\0')) return 'It cannot contain a NUL character'
  const values = input.several ? value.split('\n').filter((one) => one !== '') : [value]
  return values.map((one) => valueProblem(input, one)).find((problem) => problem !== undefined)
}

function valueProblem({ kind, choices, least, most, alone }: ImportInput, value: string): string | undefined {
  if (/[\r\n]/.test(value)) return 'One line only'
  if (choices && !choices.includes(value)) return 'Choose one from the list'
  if (kind === 'number') {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (!Number.isFinite(number)) return 'A number'
    if (least !== undefined && number < least) return `At least ${least}`
    if (most !== undefined && number > most) return `At most ${most}`
    return undefined
  }
  if (kind === 'boolean') return value === 'true' || value === 'false' ? undefined : 'Yes or no'
  if ((kind === 'folder' || kind === 'file') && !/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value)) return 'The whole path'
  return alone && value.startsWith('-') ? 'It begins with “-”, so the program would take it as an option' : undefined
}

/** The arguments without those that are unset, and without the flag right before each of them. */
export function withoutUnset<Arg>(
  args: readonly Arg[],
  isUnset: (arg: Arg) => boolean,
  isFlag: (arg: Arg) => boolean,
): readonly Arg[] {
  return args.filter((arg, at) => {
    const next = args[at + 1]
    return !isUnset(arg) && !(isFlag(arg) && next !== undefined && isUnset(next))
  })
}

/** An option whose value is the next argument: `--dir`, not `--dir=/x`. */
export const isBareFlag = (text: string): boolean => /^--?[A-Za-z][\w-]*$/.test(text)
