import { lazy, Suspense } from 'react'
import { MarkdownText } from '../content/text/MarkdownText.tsx'
import { useView } from '../state/view-store.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** Shows the whole page of the documentation, so that the app promises the same. */
const SecurityPage = lazy(async () => {
  const { default: text } = await import('../../docs/security.md?raw')
  // The section has a heading already.
  const body = text.replace(/^# .*\n/, '')
  return { default: () => <MarkdownText text={body} /> }
})

export function SecuritySection() {
  const wanted = useView((view) => view.route.section === 'settings' && view.route.id === 'security')
  return (
    <Disclosure summary="Security limits" open={wanted}>
      <Suspense fallback={<Skeleton label="Loading the page about security" />}>
        <SecurityPage />
      </Suspense>
    </Disclosure>
  )
}
