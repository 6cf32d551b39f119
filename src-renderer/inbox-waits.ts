import type { HostSnapshot } from '../src-shared/contract/events.ts'
import { counted, grouped } from './ui/amounts.ts'

/** The number of what waits in the Inbox: questions, and what fences kept out. `words` is empty where nothing does. */
export function inboxWaits({ interactions, servers }: Pick<HostSnapshot, 'interactions' | 'servers'>) {
  const questions = interactions.length
  const blocked = Object.values(servers).reduce((sum, server) => sum + (server.blocked?.length ?? 0), 0)
  const words = [
    ...(questions > 0 ? [counted(questions, 'open question')] : []),
    ...(blocked > 0 ? [`${grouped(blocked)} kept out by fences`] : []),
  ].join(', ')
  return { count: questions + blocked, words }
}
