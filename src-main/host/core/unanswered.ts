import type { InteractionKind } from '../../../src-shared/contract/interactions.ts'

const ASKED: Readonly<Partial<Record<InteractionKind, string>>> = {
  'elicitation-form': 'You were asked for information',
  'elicitation-url': 'You were asked to open a page',
  'sampling-request': 'You were asked to let the server use your model',
  'sampling-result': 'You were asked to review a reply of your model',
  'roots-request': 'You were asked for folders',
}

/** Tells on a call that its server's question was not answered. */
export function unanswered(kind: InteractionKind, ended: 'stopped' | 'expired'): string {
  const asked = ASKED[kind] ?? 'You were asked something'
  return `${asked} and ${ended === 'stopped' ? 'the server stopped waiting' : 'did not answer in time'}.`
}
