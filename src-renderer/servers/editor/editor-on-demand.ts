import { onDemand } from '../../ui/on-demand.tsx'

export const ServerEditor = onDemand(() => import('./ServerEditor.tsx').then((module) => module.ServerEditor))
