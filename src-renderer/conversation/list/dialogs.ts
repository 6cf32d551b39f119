import { onDemand } from '../../ui/on-demand.tsx'
import type { PlaceDialogProps } from './PlaceDialog.tsx'
import type { ProjectDialogProps } from './ProjectDialog.tsx'
import type { TagsDialogProps } from './TagsDialog.tsx'

// Dialogs load on demand to keep the first scripts of the page small.
const nothing = () => null
export const PlaceDialog = onDemand<PlaceDialogProps>(() => import('./PlaceDialog.tsx').then((m) => m.PlaceDialog), nothing)
export const ProjectDialog = onDemand<ProjectDialogProps>(
  () => import('./ProjectDialog.tsx').then((m) => m.ProjectDialog),
  nothing,
)
export const TagsDialog = onDemand<TagsDialogProps>(() => import('./TagsDialog.tsx').then((m) => m.TagsDialog), nothing)
