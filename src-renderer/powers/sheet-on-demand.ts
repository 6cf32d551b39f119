import { onDemand } from '../ui/on-demand.tsx'
import type { ToolSheetProps } from './ToolSheet.tsx'

/** The sheet of a server's tools, which comes when it is first opened. */
export const ToolSheet = onDemand<ToolSheetProps>(() => import('./ToolSheet.tsx').then((module) => module.ToolSheet))
