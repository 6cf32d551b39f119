import { onDemand } from '../../ui/on-demand.tsx'

/** A few calls are tasks, so what is shown of them comes when it is needed. */
export const CallTask = onDemand(() => import('./CallTask.tsx').then((module) => module.CallTask))
