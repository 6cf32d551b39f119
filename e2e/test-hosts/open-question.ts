import type { Host } from '../../src-main/host/host.ts'
import type { AnswerTo, InteractionKind, InteractionOf } from '../../src-shared/contract/interactions.ts'
import type { SamplingSend } from '../../src-shared/contract/sampling.ts'
import { until } from '../support/until.ts'

type Asking = Pick<Host, 'state' | 'interactions'>

/** The open questions of a kind, oldest first. */
export function openQuestions<K extends InteractionKind>({ state }: Asking, kind: K): readonly InteractionOf<K>[] {
  return state.snapshot.interactions.filter((open): open is InteractionOf<K> => open.kind === kind)
}

/** Waits for an open question of a kind. */
export function question<K extends InteractionKind>(host: Asking, kind: K, at = 0): Promise<InteractionOf<K>> {
  return until(() => openQuestions(host, kind)[at], `an open ${kind}`)
}

/** Answers the oldest open question of a kind, once there is one. */
export async function answer<K extends InteractionKind>(host: Asking, kind: K, given: AnswerTo<K>): Promise<boolean> {
  const { id } = await question(host, kind)
  // The type of this function pairs kind and answer.
  return host.interactions.answer({ id, kind, answer: given } as Parameters<Host['interactions']['answer']>[0])
}

/** Approves a sampling request, with the test's changes. */
export async function sendOn(host: Asking, change: Partial<SamplingSend> = {}): Promise<InteractionOf<'sampling-request'>> {
  const open = await question(host, 'sampling-request')
  const { model, messages, tokenCap } = open.question
  const untouched = messages.map(({ role, blocks }) => ({ role, blocks: blocks.map(({ n }) => ({ keep: n })) }))
  await answer(host, 'sampling-request', {
    ...{ decision: 'send', model, messages: untouched, maxTokens: tokenCap, context: [] },
    ...change,
  })
  return open
}

/** Waits until the reply is written or has failed. */
export function reply(host: Asking): Promise<InteractionOf<'sampling-result'>> {
  return until(() => openQuestions(host, 'sampling-result').find((open) => open.question.state !== 'writing'), 'a written reply')
}

/** Approves the reply unchanged. */
export async function returnOn(host: Asking): Promise<void> {
  const { question: written } = await reply(host)
  await answer(host, 'sampling-result', { decision: 'return', blocks: written.blocks.map(({ n }) => ({ keep: n })) })
}
