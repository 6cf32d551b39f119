import type { TokenUsage } from '../../../src-shared/contract/settings.ts'
import { grouped } from '../../ui/amounts.ts'

/** "12,480 tokens in, 9,000 cached, 300 out". */
export function usageWords({ input, output, cacheRead }: TokenUsage): string {
  return `${grouped(input)} tokens in, ${cacheRead ? `${grouped(cacheRead)} cached, ` : ''}${grouped(output)} out`
}

/** Of all rounds; undefined when no provider told any. */
export function usageOf(messages: readonly { readonly usage?: TokenUsage }[]): TokenUsage | undefined {
  const told = messages.flatMap(({ usage }) => usage ?? [])
  if (told.length === 0) return undefined
  const sum = (of: (usage: TokenUsage) => number | undefined) => told.reduce((all, usage) => all + (of(usage) ?? 0), 0)
  return { input: sum(({ input }) => input), output: sum(({ output }) => output), cacheRead: sum(({ cacheRead }) => cacheRead) }
}
