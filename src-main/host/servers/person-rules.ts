import type { JsonObject } from '../../../src-shared/base/json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { JudgedRequest } from '../../consent/requests.ts'
import type { AvailableTool } from './server-tools.ts'

/** The person's rules on calls by hand, on requests of servers, and on copies of conversations. */
export interface PersonRules {
  /** A call by hand; undefined where no rule is about it. */
  ruledByHand(tool: AvailableTool, args: JsonObject): Promise<'allow' | 'deny' | undefined>
  /** Another request of the protocol; `held` has it asked, or it would take along what looks like a secret. */
  ruledRequest(serverId: ServerId, method: JudgedRequest, args: JsonObject): Promise<'deny' | 'held' | undefined>
  /** The rules that ask or deny in a conversation hold in its copy, too: it must not be looser. Those that allow stay behind. */
  bindCopy(from: ConversationId, to: ConversationId): Promise<void>
}

/** Throws HostError `refused` for what a rule of the person denies. */
export async function refuseDenied(
  rules: PersonRules,
  serverId: ServerId,
  method: JudgedRequest,
  args: JsonObject,
): Promise<void> {
  if ((await rules.ruledRequest(serverId, method, args)) !== 'deny') return
  throw new HostError('refused', `Your rule denies “${method}” at this server. The rules are in Settings.`)
}
