import type { KeyState, ModelEntry, ProviderKind, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { grouped } from '../../ui/amounts.ts'
import type { StatusDotProps } from '../../ui/StatusDot.tsx'

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
    sentence: 'Only the desktop app can open its key. That one stays.',
  },
  'memory-only': {
    tone: 'wait',
    word: 'Kept in memory only',
    sentence: 'No secret store on this computer: it is gone when Parley ends.',
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
