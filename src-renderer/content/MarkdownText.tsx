import { lazy, Suspense } from 'react'

const Markdown = lazy(() => import('./Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** Markdown whose parser comes when it is first needed; plain text until then. */
export function MarkdownText({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<div className="content-plain">{text}</div>}>
      <Markdown text={text} />
    </Suspense>
  )
}
