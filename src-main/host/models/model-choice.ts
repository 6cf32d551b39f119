import type { ModelRef } from '../../../src-shared/contract/settings.ts'
import type { ModelPreferences } from '../../../src-shared/mcp/client-requests.ts'
import { familyOf, type Tier } from './model-families.ts'

export interface Candidate {
  readonly model: ModelRef
  readonly name: string
  /** The reason why it cannot take the request. */
  readonly unsuitable?: string
  /** True for the Demo model, which is never chosen for its qualities. */
  readonly demo?: boolean
}

interface ModelChoice {
  readonly model: ModelRef
  /** A sentence for the person. */
  readonly reason: string
}

/**
 * Proposes the model for a server's request (SAMP-13 to SAMP-20): by its hints in order, first as part of a model's name and then as a
 * tier; else by its priorities; else the person's own choice. Priorities only decide between models that fit a hint equally. Models that
 * cannot take the content come last.
 */
export function chooseModel(
  preferences: ModelPreferences | undefined,
  candidates: readonly Candidate[],
  preferred: ModelRef,
): ModelChoice {
  const able = candidates.filter(({ unsuitable }) => unsuitable === undefined)
  const pool = able.length > 0 ? able : candidates
  const own = pool.find(({ model }) => isSame(model, preferred))
  const weights = weightsOf(preferences)
  const hints = (preferences?.hints ?? []).flatMap(({ name }) => (name?.trim() ? [name.trim()] : []))
  for (const hint of hints) {
    const best = bestOf(
      pool.filter((candidate) => contains(candidate, hint)),
      weights,
      own,
    )
    if (best) return { model: best.model, reason: `Hint “${shown(hint)}” → ${best.name}${weightsReason(weights)}.` }
  }
  for (const hint of hints) {
    const tier = familyOf(hint)?.tier
    const alike = tier && pool.filter(({ model, demo }) => !demo && familyOf(model.model)?.tier === tier)
    const best = alike && bestOf(alike, weights, own)
    if (best) return { model: best.model, reason: `Hint “${shown(hint)}” → ${best.name}, the closest of your models.` }
  }
  const unmet = hints.length > 0 ? ` None of your models fits the hint “${shown(hints[0] ?? '')}”.` : ''
  if (weights) {
    const rated = pool.filter(({ model, demo }) => !demo && familyOf(model.model))
    const best = bestOf(rated, weights, own)
    if (best) return { model: best.model, reason: `${best.name}${weightsReason(weights)}.${unmet}` }
  }
  const chosen = own ?? pool[0]
  if (!chosen) return { model: preferred, reason: 'Your own choice of model.' }
  const why = own ? 'Your own choice of model.' : `${chosen.name}, because your own choice cannot take this request.`
  return { model: chosen.model, reason: `${why}${unmet}` }
}

interface Weights {
  readonly cost: number
  readonly speed: number
  readonly intelligence: number
}

/** Weights from 0 to 1; values out of range are ignored (SAMP-18). Undefined without any. */
function weightsOf(preferences: ModelPreferences | undefined): Weights | undefined {
  const weight = (value: number | undefined) => (value !== undefined && value >= 0 && value <= 1 ? value : 0)
  const cost = weight(preferences?.costPriority)
  const speed = weight(preferences?.speedPriority)
  const intelligence = weight(preferences?.intelligencePriority)
  return cost + speed + intelligence > 0 ? { cost, speed, intelligence } : undefined
}

/** Scores from 0 to 1; a high `cost` is cheap. */
const QUALITIES: Readonly<Record<Tier, Weights>> = {
  small: { cost: 1, speed: 1, intelligence: 0.2 },
  middle: { cost: 0.6, speed: 0.6, intelligence: 0.65 },
  large: { cost: 0.1, speed: 0.2, intelligence: 1 },
}

/** The best by weight; the person's own choice wins among equals, then the first. */
function bestOf(
  candidates: readonly Candidate[],
  weights: Weights | undefined,
  own: Candidate | undefined,
): Candidate | undefined {
  const score = (candidate: Candidate) => {
    const tier = familyOf(candidate.model.model)?.tier
    if (!weights || !tier) return 0
    const { cost, speed, intelligence } = QUALITIES[tier]
    return weights.cost * cost + weights.speed * speed + weights.intelligence * intelligence
  }
  const highest = Math.max(...candidates.map(score))
  const equals = candidates.filter((candidate) => score(candidate) === highest)
  return equals.find((candidate) => candidate === own) ?? equals[0]
}

function weightsReason(weights: Weights | undefined): string {
  if (!weights) return ''
  const { cost, speed, intelligence } = weights
  const most = Math.max(cost, speed, intelligence)
  const words = [cost === most && 'low cost', speed === most && 'speed', intelligence === most && 'intelligence']
  return `; ${words.filter(Boolean).join(' and ')} preferred`
}

function contains({ model, name }: Candidate, hint: string): boolean {
  const part = hint.toLowerCase()
  return model.model.toLowerCase().includes(part) || name.toLowerCase().includes(part)
}

const isSame = (a: ModelRef, b: ModelRef) => a.provider === b.provider && a.model === b.model
const shown = (hint: string) => (hint.length > 60 ? `${hint.slice(0, 60)}…` : hint)
