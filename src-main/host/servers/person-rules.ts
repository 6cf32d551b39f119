import type { JsonObject } from '../../../src-shared/base/json.ts'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ConversationId, ServerId } from '../../../src-shared/contract/ids.ts'
import type { ServerRecord } from '../../../src-shared/contract/servers.ts'
import type { JudgedRequest } from '../../consent/requests.ts'
import type { AvailableTool } from './server-tools.ts'

/** A request that a rule asks about, or that would send something that looks like a secret, as a question shows it. */
export type HeldRequest = Pick<ConsentCall, 'powers' | 'why' | 'guards'>

/** A reading of a skill's file for a model that is held. */
export interface AskedReading extends HeldRequest {
  readonly skill: string
  readonly serverId: ServerId
  readonly serverName: string
  readonly uri: string
}

/** The person's rules on calls by hand, on requests of servers, and on copies of conversations. */
export interface PersonRules {
  /** The number of its tools that the person is to look at. */
  unmetTools(serverId: ServerId, launchIdentity: string): NonNullable<ServerRecord['unmetTools']>
  /** Judges a call by hand; undefined if no rule applies. */
  ruledByHand(tool: AvailableTool, args: JsonObject): Promise<'allow' | 'deny' | undefined>
  /** Judges another request, with the rules of a conversation and its project where one is given. */
  ruledRequest(
    serverId: ServerId,
    method: JudgedRequest,
    args: JsonObject,
    conversationId?: ConversationId,
  ): Promise<'deny' | HeldRequest | undefined>
  /** Copies the rules of a conversation that ask or deny, but not those that allow, so that its copy is not looser. */
  bindCopy(from: ConversationId, to: ConversationId): Promise<void>
}

/** Throws HostError `refused` for a request that a rule denies; gives one that is held. */
export async function refuseDenied(
  rules: PersonRules,
  serverId: ServerId,
  method: JudgedRequest,
  args: JsonObject,
  conversationId?: ConversationId,
): Promise<HeldRequest | undefined> {
  const ruled = await rules.ruledRequest(serverId, method, args, conversationId)
  if (ruled !== 'deny') return ruled
  throw new HostError('refused', `Your rule denies “${method}” on this server. The rules are in Settings.`)
}
