import { onDemand } from '../../ui/on-demand.tsx'

/** Markdown whose parser comes when it is first needed; plain text until then. */
export const MarkdownText = onDemand<{ readonly text: string }>(
  () => import('./Markdown.tsx').then((module) => module.Markdown),
  ({ text }) => <div className="content-plain">{text}</div>,
)
