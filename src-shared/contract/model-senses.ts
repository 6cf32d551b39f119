import type { ProviderKind } from './settings.ts'

/** Names of families that see, for providers that do not tell. */
const SEEING =
  /claude-(?:3|opus|sonnet|haiku)|gpt-(?:4o|4\.1|5)|\bo[134](?!-mini)|gemini|gemma-?[34]|llava|vision|[-.\d]vl\b|pixtral|llama-?4/

/** Whether a model can see images: what its provider told, else by its name. */
export function canSee(entry: { readonly vision?: boolean } | undefined, id: string): boolean {
  return entry?.vision ?? SEEING.test(id.slice(0, 200).toLowerCase())
}

/** Whether a model takes PDF files as they are: those that see do, where the API has a place for them. */
export function takesDocuments(kind: ProviderKind, entry: { readonly vision?: boolean } | undefined, id: string): boolean {
  return kind === 'anthropic' ? canSee(entry, id) : kind === 'openai' && canSee(undefined, id)
}
