import type { JsonObject } from '../../../src-shared/base/json.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { JudgedRequest } from '../../consent/requests.ts'
import type { AvailableTool } from './server-tools.ts'

/** The person's rules on calls by hand, and on requests of servers. */
export interface PersonRules {
  /** A call by hand; undefined where no rule is about it. */
  ruledByHand(tool: AvailableTool, args: JsonObject): Promise<'allow' | 'deny' | undefined>
  /** Another request of the protocol; `held` has it asked, or it would take along what looks like a secret. */
  ruledRequest(serverId: ServerId, method: JudgedRequest, args: JsonObject): Promise<'deny' | 'held' | undefined>
}

/** Throws HostError `refused` for what a rule of the person denies. */
export async function refuseDenied(
  rules: PersonRules,
  serverId: ServerId,
  method: JudgedRequest,
  args: JsonObject,
): Promise<void> {
  if ((await rules.ruledRequest(serverId, method, args)) !== 'deny') return
  throw new HostError('refused', `A rule of yours denies “${method}” at this server. The rules are in Settings.`)
}
