import { onDemand } from '../../ui/on-demand.tsx'
import type { ServerEditorProps } from './ServerEditor.tsx'

/** The form of a server, which comes when it is first opened. */
export const ServerEditor = onDemand<ServerEditorProps>(() => import('./ServerEditor.tsx').then((module) => module.ServerEditor))
