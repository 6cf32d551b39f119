import type { ReactNode } from 'react'
import { STATUS_LABELS, type ToolCall } from '../../../src-shared/contract/conversations.ts'
import type { ServerState } from '../../../src-shared/contract/servers.ts'
import { IN_BACKGROUND, NEEDS_YOU } from '../../state/selectors.ts'
import { CheckIcon, CloseIcon, NoticeIcon, PauseIcon, WarningIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'

type Tone = 'ok' | 'wait' | 'fail' | 'idle' | 'hold' | 'run'

export interface CallState {
  readonly tone: Tone
  /** Screen readers and tests rely on it. */
  readonly word: string
}

/** `asked`: the call waits for an open question. `server`: the state of its server, where the call may wait for its start. */
export function stateOf(call: ToolCall, asked: boolean, server?: ServerState['is']): CallState {
  if (asked || call.status === 'asking') return { tone: 'wait', word: NEEDS_YOU }
  if (call.status === 'finished' && call.received && !call.result) return { tone: 'idle', word: 'Withheld' }
  // Continue shows the result again; the call itself ended well.
  if (call.status === 'interrupted' && call.received) return { tone: 'hold', word: STATUS_LABELS.proposed }
  if (call.result?.isError) return { tone: 'fail', word: 'Error' }
  if (call.status === 'running' && call.task) return { tone: 'run', word: IN_BACKGROUND }
  if (call.status === 'running' && server === 'starting')
    return { tone: 'run', word: `Starting ${call.serverName ?? 'its server'} …` }
  return { tone: TONES[call.status], word: STATUS_LABELS[call.status] }
}

const TONES: Readonly<Record<ToolCall['status'], Tone>> = {
  proposed: 'hold',
  asking: 'wait',
  running: 'run',
  finished: 'ok',
  failed: 'fail',
  declined: 'idle',
  cancelled: 'idle',
  interrupted: 'fail',
}

const ICONS: Readonly<Record<Tone, () => ReactNode>> = {
  ok: CheckIcon,
  wait: NoticeIcon,
  fail: WarningIcon,
  idle: CloseIcon,
  hold: PauseIcon,
  run: () => <span className="turn-pulse" />,
}

const COLOURS: Readonly<Record<Tone, string>> = {
  ok: 'tone-ok',
  wait: 'tone-wait',
  fail: 'tone-fail',
  idle: 'soft',
  hold: 'soft',
  run: 'soft',
}

/** An icon and a word. The word for success is for screen readers only. */
export function CallStatus({ state: { tone, word } }: { readonly state: CallState }) {
  const Icon = ICONS[tone]
  return (
    <>
      <span className={`call-icon ${COLOURS[tone]}`} aria-hidden="true">
        <Icon />
      </span>
      <VisibleText as="span" className={tone === 'ok' ? 'unseen' : `strong ${COLOURS[tone]}`} text={word} />
    </>
  )
}
