import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'

/** A conversation's head in the database; its place in the order is a column of its own. */
export interface HeadRow {
  readonly head: string
  readonly sequence: number
}

export function headOfRow({ head, sequence }: HeadRow): ConversationHead {
  return { ...(parseJson(head) as ConversationHead), sequence }
}
