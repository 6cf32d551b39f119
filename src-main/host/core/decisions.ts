import { createHash } from 'node:crypto'
import { canonicalJson, type JsonObject } from '../../../src-shared/base/json.ts'
import { LEDGER_ARGUMENTS } from '../../../src-shared/contract/consent.ts'
import type { NewLedgerEntry } from '../../storage/base/storage.ts'
import type { HostCore } from './host-core.ts'
import type { Redact } from './redact.ts'

/** Characters read beyond the kept ones, so that a secret at the cut is recognized whole. */
const MARGIN = 4 * 1024

/** A decision about a call, and the call's outcome. */
export interface Decision
  extends Pick<
    NewLedgerEntry,
    | 'conversationId'
    | 'toolCallId'
    | 'serverId'
    | 'serverName'
    | 'tool'
    | 'byApp'
    | 'undoes'
    | 'decision'
    | 'why'
    | 'ruleId'
    | 'outcome'
  > {
  readonly args: JsonObject
  /** The model's arguments, if the person changed them. */
  readonly proposed?: JsonObject | undefined
  readonly redact: Redact
}

/** Writes a decision into the ledger. Never rejects: a full disk shows a notice and does not cost the call its result. */
export async function keepDecision(
  { storage, clock, state }: Pick<HostCore, 'storage' | 'clock' | 'state'>,
  { args, proposed, redact, ...decision }: Decision,
): Promise<void> {
  try {
    await storage.ledger.add({
      ...decision,
      at: clock.now(),
      ...keptArguments(args, redact),
      ...(proposed && { proposed: keptArguments(proposed, redact).arguments ?? '' }),
    })
  } catch (error) {
    const problem = {
      code: 'ledger-not-kept',
      what: 'A tool call could not be saved to the ledger and is missing there.',
      ...(error instanceof Error && { said: error.message }),
      todo: 'Make room on the disk of the data folder.',
    }
    state.notice('warning', problem, clock.now())
  }
}

function keptArguments(args: JsonObject, redact: Redact): Pick<NewLedgerEntry, 'arguments' | 'argumentsBytes' | 'argumentsHash'> {
  const json = canonicalJson(args)
  const whole = Buffer.byteLength(json)
  const argumentsHash = createHash('sha256').update(json).digest('hex')
  if (whole <= LEDGER_ARGUMENTS) return { arguments: redact(json), argumentsHash }
  const looked = json.slice(0, LEDGER_ARGUMENTS + MARGIN)
  const clean = redact(looked)
  const sure = looked.length < json.length ? clean.slice(0, Math.max(0, clean.length - MARGIN)) : clean
  return { arguments: head(sure), argumentsBytes: whole, argumentsHash }
}

/** The first LEDGER_ARGUMENTS bytes as whole characters. */
function head(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, LEDGER_ARGUMENTS), { stream: true })
}
