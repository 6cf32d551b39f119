import type { WindowOrder } from '../../../../src-shared/contract/channel.ts'
import type { HostSnapshot } from '../../../../src-shared/contract/events.ts'
import type { ConversationId } from '../../../../src-shared/contract/ids.ts'
import { countedText, menuText, plainText } from './plain-text.ts'

export type TrayAct =
  | { readonly is: 'show'; readonly order?: WindowOrder }
  | { readonly is: 'stop'; readonly id: ConversationId }
  | { readonly is: 'quit' }

export type TrayItem =
  | { readonly label: string; readonly act: TrayAct }
  | { readonly label: string; readonly items: readonly TrayItem[] }
  | { readonly label: string }
  | 'line'

interface TrayMenu {
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

type Known = Pick<HostSnapshot, 'interactions' | 'conversations' | 'servers' | 'background'>

/** The most running turns to list. */
const MAX_TURNS = 8

const SCHEDULES = { is: 'go', section: 'settings', id: 'schedules' } as const

const go = (order: Extract<WindowOrder, { is: 'go' }>): TrayAct => ({ is: 'show', order })

export const waitingWords = (questions: number) =>
  questions > 0 ? `${countedText(questions, 'question')} ${questions === 1 ? 'needs' : 'need'} you` : ''

export function trayMenu({ interactions, conversations, servers, background }: Known): TrayMenu {
  const running = conversations.filter(({ turn }) => turn === 'running')
  const waiting = waitingWords(interactions.length)
  const tasks = backgroundLine(background)
  const replies = repliesLine(running.filter(({ schedule }) => schedule === undefined).length)
  const scheduled = running.filter(({ schedule }) => schedule !== undefined).map(({ id }) => id)
  const asking = scheduled.filter((id) => interactions.some(({ about }) => about.conversationId === id)).length
  const runs = scheduledLine(scheduled.length, asking)
  const up = serversLine(Object.values(servers))
  const turns = running.slice(0, MAX_TURNS).map(
    ({ id, title }): TrayItem => ({
      label: menuText(title) || 'New conversation',
      items: [
        { label: 'Open', act: go({ is: 'go', section: 'conversations', id }) },
        { label: 'Stop', act: { is: 'stop', id } },
      ],
    }),
  )
  const more = running.length - turns.length
  const parts: TrayItem[][] = [
    waiting ? [{ label: waiting, act: go({ is: 'go', section: 'inbox' }) }] : [],
    running.length > 0
      ? [
          ...(replies ? [{ label: replies }] : []),
          ...(runs ? [{ label: runs, act: go(asking > 0 ? { is: 'go', section: 'inbox' } : SCHEDULES) }] : []),
          ...turns,
          ...(more > 0 ? [{ label: `${more} more` }] : []),
        ]
      : [],
    tasks ? [{ label: tasks, act: go({ is: 'go', section: 'inbox' }) }] : [],
    up ? [{ label: up, act: go({ is: 'go', section: 'servers' }) }] : [],
    [
      { label: 'Open Parley', act: { is: 'show' } },
      { label: 'New conversation', act: go({ is: 'go', section: 'conversations', id: 'new' }) },
    ],
    [{ label: 'Quit Parley', act: { is: 'quit' } }],
  ]
  const facts = [waiting, replies, runs, tasks, up].filter(Boolean)
  return {
    // Windows shows at most 127 characters.
    tooltip: plainText(['Parley', ...facts].join(' · '), 120),
    items: parts.filter((part) => part.length > 0).flatMap((part, n): TrayItem[] => (n === 0 ? part : ['line', ...part])),
  }
}

/** “2 calls in the background, 1 result”; empty without any. */
function backgroundLine(calls: Known['background']): string {
  const results = calls.filter(({ ended }) => ended).length
  const running = calls.length - results
  return [
    running > 0 ? `${countedText(running, 'call')} in the background` : '',
    results > 0 ? `${countedText(results, 'new result')}` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

/** “1 reply running”; empty without any. */
const repliesLine = (n: number) => (n > 0 ? `${n} ${n === 1 ? 'reply' : 'replies'} running` : '')

/** “2 scheduled runs, 1 waits for you”; empty without any. */
function scheduledLine(runs: number, asking: number): string {
  if (runs === 0) return ''
  const all = countedText(runs, 'scheduled run')
  return asking > 0 ? `${all}, ${asking} ${asking === 1 ? 'waits' : 'wait'} for you` : all
}

/** “3 of 5 servers ready, 1 failed”; empty when none should run. */
function serversLine(servers: readonly HostSnapshot['servers'][keyof HostSnapshot['servers']][]): string {
  const wanted = servers.filter(({ state }) => state.is !== 'stopped')
  if (wanted.length === 0) return ''
  const ready = wanted.filter(({ state }) => state.is === 'ready' || state.is === 'idle').length
  const failed = wanted.filter(({ state }) => state.is === 'failed').length
  const all =
    ready === wanted.length
      ? `${countedText(ready, 'server')} ready`
      : `${ready} of ${countedText(wanted.length, 'server')} ready`
  return failed > 0 ? `${all}, ${failed} failed` : all
}
