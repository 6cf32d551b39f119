import { createHash } from 'node:crypto'
import { canonicalJson, type JsonObject } from '../../../src-shared/base/json.ts'
import { LEDGER_ARGUMENTS } from '../../../src-shared/contract/consent.ts'
import type { NewLedgerEntry } from '../../storage/base/storage.ts'
import type { HostCore } from './host-core.ts'
import type { Redact } from './redact.ts'

/** Characters that are read beyond the kept ones, so that no half of a secret is left at the end. */
const MARGIN = 4 * 1024

/** A decision about a call, and what came of it. */
export interface Decision
  extends Pick<
    NewLedgerEntry,
    'conversationId' | 'serverId' | 'serverName' | 'tool' | 'decision' | 'why' | 'ruleId' | 'outcome'
  > {
  readonly args: JsonObject
  /** As the model wrote them, where the person changed them. */
  readonly proposed?: JsonObject | undefined
  /** Takes out what servers are given in secret. */
  readonly redact: Redact
}

/** Writes a decision into the ledger. Never rejects: a full disk takes no result away, but it is told. */
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

/** Never splits a character. */
function head(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, LEDGER_ARGUMENTS), { stream: true })
}
