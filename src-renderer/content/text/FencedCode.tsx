import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { DiagramFrame, type Drawing } from '../isolation/DiagramFrame.tsx'
import { PagePreview } from '../isolation/PagePreview.tsx'
import { isPreviewable } from '../isolation/previewable.ts'
import { useTries } from '../isolation/use-tries.ts'
import { CodeBlock, type CodeBlockProps } from './CodeBlock.tsx'

/** Longer diagrams, in characters, stay text. */
const MAX_DIAGRAM_LENGTH = 50_000

/** Complete code of a model: diagrams are drawn and pages have a preview, each in an isolated frame. */
export function FencedCode({ code, language }: CodeBlockProps) {
  // A changed text is a new diagram or page.
  if (language?.toLowerCase() === 'mermaid' && code.length <= MAX_DIAGRAM_LENGTH) return <DiagramCode key={code} source={code} />
  if (isPreviewable(code, language)) return <PageCode key={code} code={code} language={language} />
  return <CodeBlock code={code} language={language} />
}

/** Shows the source until the diagram is drawn, when it cannot be, and on request. */
function DiagramCode({ source }: { readonly source: string }) {
  const [reported, setReported] = useState<Drawing>({ is: 'waiting' })
  const box = useRef<HTMLDivElement>(null)
  const { number, time, late, now: retryNow } = useTries(box)
  const drawing: Drawing = reported.is === 'late' && number !== undefined ? { is: 'waiting' } : reported
  const [asSource, setAsSource] = useState(false)
  const shown = drawing.is === 'drawn' && !asSource
  const onDrawing = (next: Drawing) => {
    setReported(next)
    if (next.is === 'late') late()
  }
  return (
    <CodeBlock
      code={source}
      language="mermaid"
      name={shown ? 'Diagram' : 'mermaid'}
      hidden={shown}
      actions={
        drawing.is === 'drawn' ? (
          <Button size="small" variant="quiet" aria-pressed={asSource} onClick={() => setAsSource(!asSource)}>
            Source
          </Button>
        ) : (
          <Undrawn drawing={drawing} onTry={retryNow} />
        )
      }
    >
      <DiagramFrame box={box} source={source} drawing={drawing} time={time} shown={shown} onDrawing={onDrawing} />
    </CodeBlock>
  )
}

function Undrawn({ drawing, onTry }: { readonly drawing: Drawing; readonly onTry: () => void }) {
  if (drawing.is !== 'late' && drawing.is !== 'broken') return null
  return (
    <>
      <span className="meta" role="status">
        {drawing.is === 'late' ? 'Takes too long to draw. Trying again later.' : 'This diagram cannot be drawn'}
      </span>
      {drawing.is === 'late' ? (
        <Button size="small" variant="quiet" onClick={onTry}>
          Try now
        </Button>
      ) : null}
    </>
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
          <div className="isolated-label row meta">
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
