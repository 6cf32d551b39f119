import type { Problem } from '../../../src-shared/contract/errors.ts'
import type { Loss, Replaced } from '../../storage/base/damage.ts'
import type { HostCore } from './host-core.ts'

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
const MAX_TITLES = 5

/** Shows a notice for data that could not be read: what is missing, where the damaged file is, and what to do. */
export function tellOfDamage({ storage, state, clock, lifetime }: Pick<HostCore, 'storage' | 'state' | 'clock' | 'lifetime'>) {
  const { damage, folder } = storage
  const notice = (problem: Problem) => state.notice('warning', problem, clock.now())
  if (damage.replaced) notice(replacedProblem(damage.replaced, damage))
  const losses: Loss[] = []
  const undo = [
    damage.onLoss((found) => {
      losses.push(...found)
      const what = 'Part of the database was damaged and was set aside. Everything else is there.'
      const todo = `A backup or a copy in ${folder} may still have it.`
      notice({ code: 'set-aside', what, said: `${amounts(losses)}.`, todo })
    }),
    damage.onProblem((error) => {
      const todo = 'Parley tries again each hour. Make a backup in Settings › Data, and restart Parley.'
      notice({ code: 'upkeep', what: 'The routine checks of the data folder failed.', said: error.message, todo })
    }),
  ]
  lifetime.onEnd(() => {
    for (const one of undo) one()
  })
}

function replacedProblem({ kept, by }: Replaced, { copy }: HostCore['storage']['damage']): Problem {
  const code = 'database-damaged'
  const where = `The damaged one is kept in ${kept}.`
  if (by.is === 'empty') return { code, what: 'The database was damaged. Parley started with an empty one.', todo: where }
  if (by.is === 'copy') {
    const what = `The database was damaged. Parley started with the copy ${by.name}. Later changes are missing.`
    return { code, what, todo: where }
  }
  const what = 'The database was damaged. Everything that could be read is in a new one.'
  const { missing, titles } = by.found
  if (missing.length === 0) return { code, what, said: 'Nothing is missing.', todo: where }
  const amount = missing.map(({ kind, count }) => `${count} ${count === 1 ? kind.replace(/s(?= or |$)/g, '') : kind}`).join(', ')
  const older = copy ? ` A copy of ${DAY.format(copy.at)} may have what is missing: open it in Settings › Data.` : ''
  return { code, what, said: `Missing: ${amount}${inTitles(titles)}.`, todo: `${where}${older}` }
}

function amounts(losses: readonly Loss[]): string {
  const counts = new Map<string, number>()
  for (const { kind } of losses) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const titles = [...new Set(losses.flatMap(({ title }) => (title === undefined ? [] : [title])))]
  const plural = (kind: string) => (kind === 'setting or rule' ? 'settings or rules' : `${kind}s`)
  return [...counts].map(([kind, count]) => `${count} ${count === 1 ? kind : plural(kind)}`).join(', ') + inTitles(titles)
}

function inTitles(titles: readonly string[]): string {
  if (titles.length === 0) return ''
  const named = titles.slice(0, MAX_TITLES).map((title) => `“${title || 'New conversation'}”`)
  const more = titles.length - named.length
  return ` in ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
