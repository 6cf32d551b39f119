import type { Message } from '../../../src-shared/contract/conversations.ts'
import { costOf, type ProviderRecord, type TokenUsage } from '../../../src-shared/contract/settings.ts'
import { modelEntry } from '../../state/models.ts'
import { aboutDollars, grouped } from '../../ui/amounts.ts'

/** "12,480 tokens in, 9,000 cached, 300 out". */
export function usageLabel({ input, output, cacheRead }: TokenUsage): string {
  return `${grouped(input)} tokens in, ${cacheRead ? `${grouped(cacheRead)} cached, ` : ''}${grouped(output)} out`
}

/** The tokens of all rounds; undefined when no provider reported any. */
export function usageOf(messages: readonly { readonly usage?: TokenUsage }[]): TokenUsage | undefined {
  const reported = messages.flatMap(({ usage }) => usage ?? [])
  if (reported.length === 0) return undefined
  const sum = (of: (usage: TokenUsage) => number | undefined) => reported.reduce((all, usage) => all + (of(usage) ?? 0), 0)
  return { input: sum(({ input }) => input), output: sum(({ output }) => output), cacheRead: sum(({ cacheRead }) => cacheRead) }
}

/** "≈ $0.012"; undefined when the model is free, or the price of a round is unknown. */
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
