import { onDemand } from '../ui/on-demand.tsx'
import type { AppViewProps } from './AppView.tsx'

/** The view of a call, which comes when the first one is shown. */
export const AppView = onDemand<AppViewProps>(() => import('./AppView.tsx').then((module) => module.AppView))
