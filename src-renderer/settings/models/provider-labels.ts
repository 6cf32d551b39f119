import type { KeyState, ModelEntry, ModelTrial, ProviderKind, ProviderRecord } from '../../../src-shared/contract/settings.ts'
import { counted, grouped } from '../../ui/amounts.ts'
import type { StatusDotProps } from '../../ui/StatusDot.tsx'
import { visibleText } from '../../ui/visible-text.ts'

export const KIND_LABELS: Readonly<Record<ProviderKind, string>> = {
  demo: 'Built in',
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  'openai-compatible': 'OpenAI-compatible',
}

interface KeyLabel extends StatusDotProps {
  readonly sentence?: string
}

/** The place of a key, never the key. */
export const KEY_LABELS: Readonly<Record<KeyState, KeyLabel>> = {
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
    sentence: 'No secret store on this computer: it is lost when Parley quits.',
  },
}

export function providerLabel({ state, problem, models }: ProviderRecord): KeyLabel {
  if (state === 'looking') return { tone: 'wait', word: 'Looking' }
  if (problem) return { tone: 'fail', word: 'Failed' }
  return state === 'ready' || models.length > 0 ? { tone: 'ok', word: 'Ready' } : { tone: 'idle', word: 'Not checked' }
}

/** The context window of a model and who set it, and whether it takes images. */
export function modelFacts({ contextWindow, ownWindow, vision }: ModelEntry): string {
  const window = contextWindow === undefined ? '' : ` ${grouped(contextWindow)} tokens`
  return `${window}${ownWindow ? ', as you set it' : ''}${vision ? ' · sees images' : ''}`
}

/** The result of the last test, without its problem; undefined before the first. */
export function testLabel({ kind, key, models, problem, listed, state }: ProviderRecord): string | undefined {
  if (state === 'looking') return 'Asking which models it serves …'
  if (problem) return FAILED_TEST[problem.code] ?? 'Connected, but no models listed.'
  if (state !== 'ready' || listed === undefined || kind === 'demo') return undefined
  return `Connected. ${keyLabel(kind, key)} ${counted(models.length, 'chat model')} found.`
}

/** Compatible services often ignore keys, so an accepted key proves nothing there. */
function keyLabel(kind: ProviderKind, key: KeyState): string {
  if (key === 'not-needed') return 'No key needed.'
  return kind === 'openai-compatible' ? 'Key not rejected.' : 'Key accepted.'
}

const FAILED_TEST: Readonly<Record<string, string>> = {
  'no-key': 'No API key saved.',
  unreachable: 'Can’t connect.',
  redirected: 'Redirected elsewhere. The key was not sent there.',
  unauthorized: 'Connected, key rejected.',
  internal: 'Not tested.',
}

/** The result of a test message: "gpt-5 answered after 0.8 s: “Hello.”" */
export function trialLabel({ model, answer, firstWord }: Extract<ModelTrial, { answer: string }>): string {
  const name = visibleText(model)
  if (firstWord === undefined || answer === '') return `${name} answered, but said nothing.`
  const time = firstWord < 100 ? 'at once' : `after ${(firstWord / 1000).toFixed(1)} s`
  return `${name} began to answer ${time}: “${visibleText(answer)}”`
}
