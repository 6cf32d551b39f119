import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../content/text/CopyButton.tsx'
import { useHost } from '../state/host-store.ts'
import { recentFailures } from '../state/view-store.ts'
import { TextArea } from '../ui/fields/TextArea.tsx'
import { REPORT } from './guide-pages.ts'
import { problemReport } from './problem-report.ts'

/** Versions and errors as a text to check and copy. Nothing is sent. */
export function ProblemReport() {
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
