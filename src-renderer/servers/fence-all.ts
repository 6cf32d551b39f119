import type { ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { offerUndo } from '../state/view-store.ts'
import { counted } from '../ui/amounts.ts'

type Fences = ParamsOf<'fence.all'>['fences']

/** Fences of the servers that work behind one. */
export const offeredFences = (offers: ResultOf<'fence.offers'> | undefined): Fences =>
  (offers?.servers ?? []).flatMap(({ serverId, proposal, problem, open }) =>
    problem || open ? [] : [{ serverId, fence: proposal }],
  )

export async function fenceAll(fences: Fences): Promise<void> {
  await ask('fence.all', { fences })
  offerUndo({ text: `Fenced ${counted(fences.length, 'server')}`, undo: () => void attempt(ask('fence.openAgain', {})) })
}
