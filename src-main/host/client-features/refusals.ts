import { ErrorCode, ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import { OPEN_LIMIT } from '../core/interactions.ts'

/**
 * The errors that servers get instead of an answer (TRAP-65). A person's no differs from a limit of ours:
 *
 * | feature     | the person says no         | dismissed or expired  | too many, too often, muted | off                    |
 * | sampling    | error -1                   | error -1              | error -32603               | error -1, or -32601 *  |
 * | elicitation | result `decline`           | result `cancel`       | error -32603               | error -32601 *         |
 * | roots       | result with an empty list  | empty list            | empty list                 | error -32601 *         |
 *
 * (*) -32601 if it was not declared in the handshake; `src-main/protocol` answers that.
 */
export const refusals = {
  declined: () => new ProtocolError(ErrorCode.userRejected, 'User rejected sampling request'),
  replyDeclined: () => new ProtocolError(ErrorCode.userRejected, 'User rejected the sampled reply'),
  unanswered: () => new ProtocolError(ErrorCode.userRejected, 'Nobody answered the sampling request'),
  samplingOff: () => new ProtocolError(ErrorCode.userRejected, 'Sampling is turned off for this server'),
  deniedByRule: () => new ProtocolError(ErrorCode.userRejected, 'The user’s rule denies sampling'),
  budgetUsed: () => new ProtocolError(ErrorCode.userRejected, 'The sampling budget of this server is used up'),
  tooManyOpen: () => new ProtocolError(ErrorCode.internal, `Too many open questions: ${OPEN_LIMIT} at most`),
  rateLimited: () => new ProtocolError(ErrorCode.internal, `Too many questions within a minute: ${OPEN_LIMIT} at most`),
  muted: () => new ProtocolError(ErrorCode.internal, 'This server is muted'),
  /** `why` is sent to the server, so it must name no key and no path. */
  failed: (why: string) => new ProtocolError(ErrorCode.internal, why),
  invalid: (why: string) => new ProtocolError(ErrorCode.invalidParams, `Invalid params: ${why}`),
} as const
