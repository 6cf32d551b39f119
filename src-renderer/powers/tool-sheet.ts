import { onlyReads, type Power, type ToldTool, type ToolPowersView } from '../../src-shared/contract/consent.ts'
import { toldPowers } from './told-powers.ts'

/** A key of a row, and what it says of the tool; without a power that it is not clear. */
export interface Choice {
  readonly key: string
  readonly power?: Power
}

const CHOICES: readonly (Choice & { readonly power: Power })[] = [
  { key: 'r', power: 'reads' },
  { key: 'c', power: 'changes' },
  { key: 's', power: 'sends' },
  { key: 'd', power: 'destroys' },
  { key: 'p', power: 'spends' },
]
export const UNCLEAR: Choice = { key: 'u' }

/** The person's choices, by tool; the guess for all others. */
export type Choices = ReadonlyMap<string, Power>

/** The gravest of what a tool does; undefined where nobody knows. */
export function guessOf({ guess }: ToolPowersView): Power | undefined {
  return guess.known === 'unknown' ? undefined : gravest(guess.powers)
}

const GRAVEST: readonly Power[] = ['spends', 'destroys', 'sends', 'changes']
const gravest = (powers: readonly Power[]): Power => GRAVEST.find((power) => powers.includes(power)) ?? 'reads'

/** Everything that may be said of a tool. A name that says more is not contradicted here. */
export function choicesFor(tool: ToolPowersView): readonly (Choice & { readonly held: boolean })[] {
  const guess = guessOf(tool)
  const isGrave = guess !== undefined && guess !== 'changes' && !onlyReads([guess])
  const isLess = (power: Power) => (onlyReads([power]) ? !tool.mayOnlyRead : power === 'changes' && isGrave)
  const all = CHOICES.map((choice) => ({ ...choice, held: choice.power !== guess && isLess(choice.power) }))
  return guess === undefined ? [...all, { ...UNCLEAR, held: false }] : all
}

/** The choices that were made of these very definitions before. */
export function toldBefore(tools: readonly ToolPowersView[]): Choices {
  return new Map(
    tools.flatMap((tool): [string, Power][] => {
      const { told, guess } = tool
      if (!told || (told.length === guess.powers.length && told.every((power) => guess.powers.includes(power)))) return []
      return [[tool.tool, gravest(told)]]
    }),
  )
}

/** Of each tool what was chosen, else its guess. */
export function telling(tools: readonly ToolPowersView[], choices: Choices): Record<string, ToldTool> {
  return Object.fromEntries(
    tools.map(({ tool, fingerprint, guess }) => {
      const power = choices.get(tool)
      return [tool, { fingerprint, powers: [...(power ? toldPowers(power) : guess.powers)] }]
    }),
  )
}

/** They were looked at, and nothing was said of those that are new. */
export function lookedAt(tools: readonly ToolPowersView[]): Record<string, ToldTool> {
  return Object.fromEntries(
    tools.map(({ tool, fingerprint, told }) => [tool, { fingerprint, ...(told && { powers: [...told] }) }]),
  )
}
