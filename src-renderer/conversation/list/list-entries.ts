import type { ConversationHead } from '../../../src-shared/contract/conversations.ts'
import type { ProjectId } from '../../../src-shared/contract/ids.ts'
import type { ProjectHead } from '../../../src-shared/contract/projects.ts'

const DAY = 86_400_000

export type ListEntry =
  | { readonly is: 'heading'; readonly key: string; readonly text: string }
  | { readonly is: 'project'; readonly key: string; readonly project: ProjectHead; readonly open: boolean }
  | { readonly is: 'head'; readonly key: string; readonly head: ConversationHead; readonly inProject?: true }
  | { readonly is: 'note'; readonly key: string; readonly text: string }
  /** The last line of an open project: how many conversations are not listed. */
  | { readonly is: 'more'; readonly key: string; readonly project: ProjectId; readonly text: string }

export interface OpenProject {
  readonly heads: readonly ConversationHead[]
  readonly total: number
}

interface ListContent {
  readonly projects: readonly ProjectHead[]
  /** The newest conversations of each open project; undefined while they load. */
  readonly open: ReadonlyMap<ProjectId, OpenProject | undefined>
  /** Newest first. */
  readonly heads: readonly ConversationHead[]
}

/** Projects, then pinned conversations, then the rest by date. A pinned conversation of a project appears in both. */
export function listEntries({ projects, open, heads }: ListContent, now: number): readonly ListEntry[] {
  const known = new Set(projects.map(({ id }) => id))
  const current = new Map(heads.map((head) => [head.id, head]))
  const listed = heads.filter(({ archived }) => !archived)
  const pinned = listed.filter((head) => head.pinned)
  const loose = listed.filter(({ pinned, project }) => !pinned && !(project && known.has(project)))
  return [
    { is: 'heading', key: 'projects', text: 'Projects' },
    ...projects.flatMap((project): ListEntry[] => {
      const inside = open.get(project.id)
      const entry = { is: 'project', key: `project ${project.id}`, project, open: open.has(project.id) } as const
      return [entry, ...(inside ? projectEntries(project.id, inside, current) : [])]
    }),
    ...(pinned.length > 0 ? [{ is: 'heading', key: 'pinned', text: 'Pinned' } as const, ...pinned.map(entryOf)] : []),
    ...byDate(loose, now),
  ]
}

/** The conversations under headings of their dates; each heading comes once. */
export function byDate(heads: readonly ConversationHead[], now: number): readonly ListEntry[] {
  const groups = dateGroups(now)
  const dates = plausibleDates(heads, now)
  let last: string | undefined
  return heads.flatMap((head, at): ListEntry[] => {
    const text = groups(dates[at] ?? now)
    const entry = entryOf(head)
    if (text === last) return [entry]
    last = text
    return [{ is: 'heading', key: `date ${text}`, text }, entry]
  })
}

/** A clock may have been wrong: dates in the future are ignored, and no conversation is older than one listed below it. */
function plausibleDates(heads: readonly ConversationHead[], now: number): readonly (number | undefined)[] {
  const dates: (number | undefined)[] = []
  let newest: number | undefined
  for (const { updatedAt } of [...heads].reverse()) {
    if (updatedAt < now + DAY) newest = Math.max(updatedAt, newest ?? 0)
    dates.push(newest)
  }
  dates.reverse()
  // Those below the oldest known date get that date.
  const oldest = dates.findLast((date) => date !== undefined)
  return dates.map((date) => date ?? oldest)
}

/** The rows of an open project, with conversations as they are now, not as they were read. */
function projectEntries(
  project: ProjectId,
  { heads, total }: OpenProject,
  current: ReadonlyMap<string, ConversationHead>,
): ListEntry[] {
  const now = heads.map((head) => current.get(head.id) ?? head)
  const shown = now.filter((head) => !head.pinned && !head.archived && head.project === project)
  const rest = total - heads.length
  const text = total === 0 ? 'No conversations' : rest > 0 ? `${rest} older` : ''
  return [
    ...shown.map((head) => ({ ...entryOf(head), inProject: true as const })),
    ...(text === '' ? [] : [{ is: 'more', key: `more ${project}`, project, text } as const]),
  ]
}

const entryOf = (head: ConversationHead) => ({ is: 'head', key: head.id, head }) as const

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' })

/** Names the group of a moment by the person's calendar. */
export function dateGroups(now: number): (at: number) => string {
  const day = new Date(now)
  const before = (days: number) => new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime()
  const months = new Map<number, string>()
  const monthOf = (at: number) => {
    const date = new Date(Math.max(at, 0))
    const number = date.getFullYear() * 12 + date.getMonth()
    // Formatting a date is slow, and the list may hold ten thousand.
    const name = months.get(number) ?? monthName.format(date)
    months.set(number, name)
    return name
  }
  const [today, yesterday, week, month] = [before(0), before(1), before(7), before(30)]
  return (at) => {
    if (at >= today) return 'Today'
    if (at >= yesterday) return 'Yesterday'
    if (at >= week) return 'Previous 7 days'
    if (at >= month) return 'Previous 30 days'
    return monthOf(at)
  }
}
