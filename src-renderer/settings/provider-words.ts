import type { KeyState, ModelEntry, ProviderKind, ProviderRecord } from '../../src-shared/contract/settings.ts'
import { grouped } from '../ui/amounts.ts'
import type { StatusDotProps } from '../ui/StatusDot.tsx'

export const KIND_WORDS: Readonly<Record<ProviderKind, string>> = {
  demo: 'Built in',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  'openai-compatible': 'OpenAI-compatible',
}

export interface KeyWord extends StatusDotProps {
  readonly sentence?: string
}

/** Where a provider's key is; never the key. */
export const KEY_WORDS: Readonly<Record<KeyState, KeyWord>> = {
  saved: { tone: 'ok', word: 'Saved' },
  missing: { tone: 'fail', word: 'Missing' },
  'not-needed': { tone: 'idle', word: 'Not needed' },
  'saved-elsewhere': {
    tone: 'wait',
    word: 'Saved in the desktop app: enter it here too',
    sentence: 'This shell cannot open the key that the desktop app keeps. That one stays as it is.',
  },
  'memory-only': {
    tone: 'wait',
    word: 'Kept in memory only',
    sentence: 'This computer offers no safe place for keys. It is forgotten when Parley ends.',
  },
}

/** Whether its models can be used. */
export function providerWord({ state, problem, models }: ProviderRecord): KeyWord {
  if (state === 'looking') return { tone: 'wait', word: 'Looking' }
  if (problem) return { tone: 'fail', word: 'Failed' }
  return state === 'ready' || models.length > 0 ? { tone: 'ok', word: 'Ready' } : { tone: 'idle', word: 'Not checked' }
}

/** Behind a model's name: how much it takes in, by whose word, and what it can. */
export function modelFacts({ contextWindow, ownWindow, vision }: ModelEntry): string {
  const window = contextWindow === undefined ? '' : ` ${grouped(contextWindow)} tokens`
  return `${window}${ownWindow ? ', as you set it' : ''}${vision ? ' · sees images' : ''}`
}
