import { useEffect, useMemo, useRef, useState } from 'react'
import { CopyButton } from '../content/text/CopyButton.tsx'
import { Markdown } from '../content/text/Markdown.tsx'
import { useHost } from '../state/host-store.ts'
import { routeHash } from '../state/route.ts'
import { recentFailures, useView } from '../state/view-store.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { TextArea } from '../ui/fields/TextArea.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { CONTENTS, GUIDE, type GuidePage, guidePage, REPORT } from './guide-pages.ts'
import { guideText, placesOf } from './guide-texts.ts'
import { problemReport } from './problem-report.ts'
import './help.css'

/** One page of the user guide, with a link to the next. */
export function HelpScreen() {
  const id = useView((view) => (view.route.section === 'help' ? view.route.id : undefined))
  const page = guidePage(id)
  return (
    <div className="help">
      {id === REPORT.id ? (
        <ProblemReport />
      ) : page ? (
        <Page key={page.id} page={page} />
      ) : (
        <EmptyState
          title="Page not found"
          actions={
            <a className="ui-button" href={hashOf(CONTENTS)}>
              {CONTENTS.title}
            </a>
          }
        />
      )}
    </div>
  )
}

function Page({ page }: { readonly page: GuidePage }) {
  const [text, setText] = useState<string>()
  const [failed, setFailed] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const places = useMemo(() => placesOf(page), [page])
  const next = page === CONTENTS ? undefined : GUIDE[GUIDE.indexOf(page) + 1]
  useEffect(() => {
    // The link that led here is gone with its page; the focus needs another place.
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'end' })
    let current = true
    guideText(page).then(
      (now) => current && setText(now),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [page])
  return (
    <article className="help-page column-4" aria-labelledby="help-title">
      {page === CONTENTS ? null : (
        <a className="help-back" href={hashOf(CONTENTS)}>
          {CONTENTS.title}
        </a>
      )}
      <h1 id="help-title" ref={heading} tabIndex={-1}>
        {page.title}
      </h1>
      {failed ? <p role="alert">This page could not be loaded.</p> : null}
      {text === undefined ? (
        failed ? null : (
          <Skeleton label="Loading the page" lines={6} />
        )
      ) : (
        <Markdown text={text} own={places} />
      )}
      {next ? (
        <p className="help-next">
          Next: <a href={hashOf(next)}>{next.title}</a>
        </p>
      ) : null}
    </article>
  )
}

const hashOf = (page: GuidePage) => routeHash(page === CONTENTS ? { section: 'help' } : { section: 'help', id: page.id })

/** Versions and errors as a text to check and copy. Nothing is sent. */
function ProblemReport() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [text, setText] = useState(() =>
    problemReport(useHost.getState().host, { browser: navigator.userAgent, failures: recentFailures() }),
  )
  useEffect(() => heading.current?.focus(), [])
  return (
    <article className="help-page column-4" aria-labelledby="help-title">
      <h1 id="help-title" ref={heading} tabIndex={-1}>
        {REPORT.title}
      </h1>
      <p>Describe what you did and what happened, and add this text. Parley sends nothing by itself.</p>
      <TextArea
        code
        label="Versions and last errors"
        hint="Keys and your home folder’s name are left out, server names are included. Check it and change what you like."
        rows={14}
        value={text}
        onChange={setText}
      />
      <div className="actions">
        <CopyButton label="Copy" text={text} />
      </div>
    </article>
  )
}
