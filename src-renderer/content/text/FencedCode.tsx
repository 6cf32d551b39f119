import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DiagramFrame, type Drawing } from '../apart/DiagramFrame.tsx'
import { PagePreview } from '../apart/PagePreview.tsx'
import { isPreviewable } from '../apart/previewable.ts'
import { CodeBlock, type CodeBlockProps } from './CodeBlock.tsx'

/** Longer diagrams are read as text. */
const LONGEST_DIAGRAM = 50_000

const FAILURES = { broken: 'Not a diagram that can be drawn', slow: 'Takes too long to draw' } as const

/** Whole code of a model: diagrams are drawn, and pages can be looked at, each in a frame of its own. */
export function FencedCode({ code, language }: CodeBlockProps) {
  // A new text is a new diagram or page.
  if (language?.toLowerCase() === 'mermaid' && code.length <= LONGEST_DIAGRAM) return <DiagramCode key={code} source={code} />
  if (isPreviewable(code, language)) return <PageCode key={code} code={code} language={language} />
  return <CodeBlock code={code} language={language} />
}

/** Its source until it is drawn, where it cannot be, and at a press. */
function DiagramCode({ source }: { readonly source: string }) {
  const [drawing, setDrawing] = useState<Drawing>({ is: 'waiting' })
  const [asSource, setAsSource] = useState(false)
  const shown = drawing.is === 'drawn' && !asSource
  const actions =
    drawing.is === 'failed' ? (
      <>
        <span className="meta" role="status">
          {FAILURES[drawing.why]}
        </span>
        {drawing.why === 'slow' ? (
          <Button size="small" variant="quiet" onClick={() => setDrawing({ is: 'waiting' })}>
            Try again
          </Button>
        ) : null}
      </>
    ) : drawing.is === 'drawn' ? (
      <Button size="small" variant="quiet" aria-pressed={asSource} onClick={() => setAsSource(!asSource)}>
        Source
      </Button>
    ) : undefined
  return (
    <CodeBlock code={source} language="mermaid" name={shown ? 'Diagram' : 'mermaid'} hidden={shown} actions={actions}>
      <DiagramFrame source={source} drawing={drawing} shown={shown} onDrawing={setDrawing} />
    </CodeBlock>
  )
}

function PageCode({ code, language }: CodeBlockProps) {
  const [shown, setShown] = useState(false)
  const open = useRef<HTMLButtonElement>(null)
  const close = useRef<HTMLButtonElement>(null)
  const before = useRef(shown)
  useEffect(() => {
    // The focus moves from the pressed button to the one that replaces it.
    if (before.current !== shown) (shown ? close : open).current?.focus()
    before.current = shown
  }, [shown])
  const actions = shown ? undefined : (
    <Button ref={open} size="small" variant="quiet" onClick={() => setShown(true)}>
      Preview
    </Button>
  )
  return (
    <CodeBlock code={code} language={language} hidden={shown} actions={actions}>
      {shown ? (
        <section aria-label="Preview of code written by the model">
          <div className="apart-label meta">
            <span>Preview of code written by the model. Scripts do not run, nothing is loaded.</span>
            <Button ref={close} size="small" variant="quiet" onClick={() => setShown(false)}>
              Close
            </Button>
          </div>
          <PagePreview code={code} />
        </section>
      ) : null}
    </CodeBlock>
  )
}
