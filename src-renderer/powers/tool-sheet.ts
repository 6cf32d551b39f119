import { onlyReads, type Power, type ToldTool, type ToolPowersView } from '../../src-shared/contract/consent.ts'

/** A key of a row and the power it chooses; no power means unclear. */
interface PowerChoice {
  readonly key: string
  readonly power?: Power
}

const CHOICES: readonly (PowerChoice & { readonly power: Power })[] = [
  { key: 'r', power: 'reads' },
  { key: 'c', power: 'changes' },
  { key: 's', power: 'sends' },
  { key: 'd', power: 'destroys' },
  { key: 'p', power: 'spends' },
]
const UNCLEAR: PowerChoice = { key: 'u' }

/** The person's choices, by tool; the guess for all others. */
export type PowerChoices = ReadonlyMap<string, Power>

/** The gravest guessed power of a tool; undefined if nothing is known. */
export function guessOf({ guess }: ToolPowersView): Power | undefined {
  return guess.known === 'unknown' ? undefined : gravest(guess.powers)
}

const GRAVEST: readonly Power[] = ['spends', 'destroys', 'sends', 'changes']
const gravest = (powers: readonly Power[]): Power => GRAVEST.find((power) => powers.includes(power)) ?? 'reads'

/** The choices for a tool. Those below what its name says are held: a quick review must not contradict it. */
export function choicesFor(tool: ToolPowersView): readonly (PowerChoice & { readonly held: boolean })[] {
  const guess = guessOf(tool)
  const isGrave = guess !== undefined && guess !== 'changes' && !onlyReads([guess])
  const isLess = (power: Power) => (onlyReads([power]) ? !tool.mayOnlyRead : power === 'changes' && isGrave)
  const all = CHOICES.map((choice) => ({ ...choice, held: choice.power !== guess && isLess(choice.power) }))
  return guess === undefined ? [...all, { ...UNCLEAR, held: false }] : all
}

/** Earlier choices for the same definitions. */
export function toldBefore(tools: readonly ToolPowersView[]): PowerChoices {
  return new Map(
    tools.flatMap((tool): [string, Power][] => {
      const { told, guess } = tool
      if (!told || (told.length === guess.powers.length && told.every((power) => guess.powers.includes(power)))) return []
      return [[tool.tool, gravest(told)]]
    }),
  )
}

/** All powers that follow from the one a person chose for a tool. */
export const toldPowers = (power: Power): readonly Power[] =>
  onlyReads([power]) ? ['reads', 'brings-in'] : power === 'changes' ? ['reads', 'changes'] : ['reads', 'changes', power]

/** The chosen powers of each tool, or its guess. */
export function telling(tools: readonly ToolPowersView[], choices: PowerChoices): Record<string, ToldTool> {
  return Object.fromEntries(
    tools.map(({ tool, fingerprint, guess }) => {
      const power = choices.get(tool)
      return [tool, { fingerprint, powers: [...(power ? toldPowers(power) : guess.powers)] }]
    }),
  )
}

/** Marks all tools as reviewed, and leaves new ones as guesses. */
export function lookedAt(tools: readonly ToolPowersView[]): Record<string, ToldTool> {
  return Object.fromEntries(
    tools.map(({ tool, fingerprint, told }) => [tool, { fingerprint, ...(told && { powers: [...told] }) }]),
  )
}
