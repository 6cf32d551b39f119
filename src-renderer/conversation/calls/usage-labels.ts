import type { Message } from '../../../src-shared/contract/conversations.ts'
import { costOf, type ProviderRecord, type TokenUsage } from '../../../src-shared/contract/settings.ts'
import { modelEntry } from '../../state/models.ts'
import { aboutDollars, grouped } from '../../ui/amounts.ts'

/** "12,480 tokens in, 9,000 cached, 300 out". */
export function usageLabel({ input, output, cacheRead }: TokenUsage): string {
  return `${grouped(input)} tokens in, ${cacheRead ? `${grouped(cacheRead)} cached, ` : ''}${grouped(output)} out`
}

/** Of all rounds; undefined when no provider told any. */
export function usageOf(messages: readonly { readonly usage?: TokenUsage }[]): TokenUsage | undefined {
  const told = messages.flatMap(({ usage }) => usage ?? [])
  if (told.length === 0) return undefined
  const sum = (of: (usage: TokenUsage) => number | undefined) => told.reduce((all, usage) => all + (of(usage) ?? 0), 0)
  return { input: sum(({ input }) => input), output: sum(({ output }) => output), cacheRead: sum(({ cacheRead }) => cacheRead) }
}

/** "≈ $0.012"; undefined where a round's model has no price that is known, or is free. */
export function costLabel(
  messages: readonly Pick<Message, 'usage' | 'model'>[],
  providers: readonly ProviderRecord[],
): string | undefined {
  let cost = 0
  for (const { usage, model } of messages) {
    const price = modelEntry(providers, model)?.price
    if (!usage || !price) return undefined
    cost += costOf(usage, price)
  }
  return cost > 0 ? aboutDollars(cost) : undefined
}
