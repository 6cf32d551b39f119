import { lazy, Suspense, useState } from 'react'
import type { ResourceItem } from '../../src-shared/contract/attachments.ts'
import type { BlobRef, BoundedText } from '../../src-shared/contract/blobs.ts'
import { attempt } from '../state/attempt.ts'
import { saveBlob, saveText } from '../state/save-file.ts'
import { bytes } from '../ui/amounts.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { CodeBlock } from './text/CodeBlock.tsx'
import { EmphasisedText } from './text/EmphasisedText.tsx'
import { LongText } from './text/LongText.tsx'
import { MarkdownText } from './text/MarkdownText.tsx'
import { usePagedText } from './text/use-paged-text.ts'
import { BlobView } from './viewers/BlobView.tsx'
import { CsvTable } from './viewers/CsvTable.tsx'
import { HexView } from './viewers/HexView.tsx'
import { JsonTree } from './viewers/JsonTree.tsx'
import { type ResourceKind, resourceKind, uriFileName } from './viewers/resource-kind.ts'
import { parseShownJson } from './viewers/shown-json.ts'

const PdfView = lazy(() => import('./viewers/PdfView.tsx').then((module) => ({ default: module.PdfView })))

/** Rendering longer texts as Markdown or a tree would block the page. Characters. */
const RICH_LIMIT = 500_000

interface ResourceItemViewProps {
  readonly item: ResourceItem
  /** Set when the URI is shown elsewhere. */
  readonly hideUri?: boolean
  /** The accessible name of a picture or sound. */
  readonly label?: string
}

/** One content of a resource in the view that fits its kind, with its URI and a button that saves it. Nothing in it can act. */
export function ResourceItemView({ item, hideUri = false, label = 'Resource' }: ResourceItemViewProps) {
  const { content, uri, mimeType } = item
  const isBlob = 'blob' in content
  const kind = resourceKind(uri, mimeType, isBlob ? 'blob' : 'text')
  const save = () => {
    const name = uriFileName(uri)
    if (isBlob) void attempt(saveBlob(content, name))
    else if (content.whole) void attempt(saveBlob(content.whole, name))
    else saveText(content.text, name, 'text/plain')
  }
  const size = isBlob ? content.bytes : (content.whole?.bytes ?? content.text.length)
  return (
    <section className="content-item column" aria-label="Content">
      <div className="content-item-head line">
        {hideUri ? null : (
          <code className="grow">
            <EmphasisedText text={uri} />
          </code>
        )}
        <span className="meta">
          {mimeType ? (
            <>
              <VisibleText text={mimeType} />
              {', '}
            </>
          ) : null}
          {bytes(size)}
        </span>
        <Button size="small" onClick={save}>
          Save as a file
        </Button>
      </div>
      {isBlob ? (
        <BlobItem content={content} kind={kind} name={uriFileName(uri)} label={label} />
      ) : (
        <TextItem content={content} kind={kind} />
      )}
    </section>
  )
}

interface BlobItemProps {
  readonly content: BlobRef
  readonly kind: ResourceKind
  readonly name: string
  readonly label: string
}

function BlobItem({ content, kind, name, label }: BlobItemProps) {
  if (kind.is === 'bytes') return <HexView blob={content} />
  if (kind.is === 'pdf') {
    return (
      <Suspense fallback={null}>
        <PdfView blob={content} name={name} />
      </Suspense>
    )
  }
  return <BlobView blob={content} label={label} />
}

function TextItem({ content, kind }: { readonly content: BoundedText; readonly kind: ResourceKind }) {
  const [source, setSource] = useState(false)
  const [all, setAll] = useState(false)
  const whole = usePagedText(content, all)
  const rich = kind.is !== 'text' && whole.text.length <= (kind.is === 'csv' ? 4 * RICH_LIMIT : RICH_LIMIT)
  const hasSource = rich && kind.is !== 'code'
  return (
    <>
      {hasSource ? (
        <Button size="small" variant="quiet" aria-pressed={source} onClick={() => setSource(!source)}>
          {source ? 'Show rendered' : 'Show source'}
        </Button>
      ) : null}
      {rich && !source ? <Rendered kind={kind} text={whole.text} /> : <LongText content={{ text: whole.text }} />}
      {content.whole && !all ? (
        <Button size="small" onClick={() => setAll(true)}>
          Load all ({bytes(content.whole.bytes)})
        </Button>
      ) : null}
      {whole.share !== undefined ? <progress aria-label="Loading the text" value={whole.share} max={1} /> : null}
      {all && whole.cut && whole.share === undefined && !whole.failed ? (
        <p className="meta">First part only. Save as a file to see the rest.</p>
      ) : null}
      {whole.failed ? <p role="alert">The whole text could not be read. Close and try again.</p> : null}
    </>
  )
}

function Rendered({ kind, text }: { readonly kind: ResourceKind; readonly text: string }) {
  switch (kind.is) {
    case 'markdown':
      return (
        <div className="content-drawn from-server" dir="auto">
          <MarkdownText text={text} />
        </div>
      )
    case 'json':
      return parseShownJson(text) === undefined ? <LongText content={{ text }} /> : <JsonTree value={{ json: text }} />
    case 'csv':
      return <CsvTable text={text} />
    case 'code':
      return <CodeBlock code={text} language={kind.language} />
    default:
      return <LongText content={{ text }} />
  }
}
