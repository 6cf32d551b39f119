import { onDemand } from '../../ui/on-demand.tsx'

/** Markdown as plain text until its parser is loaded. */
export const MarkdownText = onDemand<{ readonly text: string }>(
  () => import('./Markdown.tsx').then((module) => module.Markdown),
  ({ text }) => <div className="pre-wrap">{text}</div>,
)
