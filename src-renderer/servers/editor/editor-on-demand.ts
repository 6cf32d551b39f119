import { onDemand } from '../../ui/on-demand.tsx'
import type { ServerEditorProps } from './ServerEditor.tsx'

export const ServerEditor = onDemand<ServerEditorProps>(() => import('./ServerEditor.tsx').then((module) => module.ServerEditor))
