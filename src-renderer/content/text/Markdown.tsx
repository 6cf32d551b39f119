import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { webAddress } from '../../../src-shared/base/web-address.ts'
import { askToOpenLink } from '../../state/view-store.ts'
import { CheckIcon } from '../../ui/icons.tsx'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { FormulaView } from '../maths/FormulaView.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { markClosed } from './closed-fences.ts'
import './content.css'
import { FencedCode } from './FencedCode.tsx'
import { htmlAsText } from './html-as-text.ts'
import { markHidden } from './mark-hidden.ts'
import { isBounded } from './markdown-bounds.ts'
import { putMaths, takeMaths } from './place-maths.ts'
import { splitBlocks } from './split-blocks.ts'

function OutsideLink({ href, children }: { readonly href: string | undefined; readonly children: React.ReactNode }) {
  const address = webAddress(href ?? '')
  if (!address) return <span>{children}</span>
  const ask = (event: React.MouseEvent) => {
    event.preventDefault()
    askToOpenLink(href ?? '')
  }
  return (
    <a href={address.href} rel="noopener noreferrer" title={address.href} onClick={ask} onAuxClick={ask}>
      {children}
    </a>
  )
}

/** Images are not loaded: that would tell their host that the text was read. */
function OutsideImage({ src, alt }: Pick<React.ComponentProps<'img'>, 'src' | 'alt'>) {
  const url = typeof src === 'string' ? src : undefined
  return (
    <OutsideLink href={url}>
      {alt || 'Image'} <span className="meta">(image at {webAddress(url ?? '')?.host ?? 'an unusable address'}, not loaded)</span>
    </OutsideLink>
  )
}

const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => <OutsideImage src={src} alt={alt} />,
  pre: ({ children }) => children,
  code: ({ className, children, ...rest }) => {
    const code = String(children ?? '')
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1]
    if (language === undefined && !code.includes('\n')) return <VisibleText as="code" className="content-code" text={code} />
    const Code = 'data-closed' in rest ? FencedCode : CodeBlock
    return <Code code={code.replace(/\n$/, '')} language={language} />
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling table must be reachable by keyboard
    <div className="scrolls-across content-wide framed" tabIndex={0}>
      <table className="content-table small">{children}</table>
    </div>
  ),
  // Screen readers would announce an empty header cell as a header without a name.
  th: ({ children, style }) => (children ? <th style={style}>{children}</th> : <td style={style} />),
  // place-maths.ts puts this element in place of a formula.
  data: ({ value, className }) => <FormulaView tex={String(value)} display={className === 'display'} />,
  input: ({ checked }) => (
    <span className="content-task" role="img" aria-label={checked ? 'Done' : 'Not done'}>
      {checked ? <CheckIcon /> : null}
    </span>
  ),
}
/** Links and pictures of the app's own texts. */
interface OwnPlaces {
  readonly link: (href: string) => string | undefined
  readonly picture: (src: string) => string | undefined
}

function componentsFor(own: OwnPlaces): Components {
  return {
    ...components,
    a: ({ href = '', children }) => {
      const to = own.link(href)
      return to === undefined ? <OutsideLink href={href}>{children}</OutsideLink> : <a href={to}>{children}</a>
    },
    img: ({ src, alt }) => {
      const picture = typeof src === 'string' ? own.picture(src) : undefined
      return picture === undefined ? (
        <OutsideImage src={src} alt={alt} />
      ) : (
        <img className="content-picture" src={picture} alt={alt ?? ''} />
      )
    },
  }
}

const plugins = [remarkGfm]
/** Sighted people see the line above footnotes. */
const HIDDEN_FOOTNOTE_LABEL = { footnoteLabelProperties: { className: ['unseen'] } }
/** Characters parsed at once; the rest is plain text until it is parsed. */
const FIRST_CHUNK = 4000
/** Characters parsed in each later task. */
const CHUNK = 2000
/** Longer blocks, in characters, may lag behind while they grow. */
const LONG_BLOCK = 8000

const Block = memo(function Block({ text: latest, parts }: { readonly text: string; readonly parts: Components }) {
  const deferred = useDeferredValue(latest)
  // A long block is parsed again whenever it grows, so a slow page skips states of it.
  const text = latest.length > LONG_BLOCK ? deferred : latest
  if (!isBounded(text)) return <Plain text={text} />
  const maths = takeMaths(text)
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      remarkRehypeOptions={HIDDEN_FOOTNOTE_LABEL}
      rehypePlugins={[markClosed(maths.text), htmlAsText, putMaths(maths.sources), markHidden]}
      components={parts}
    >
      {maths.text}
    </ReactMarkdown>
  )
})

function Plain({ text }: { readonly text: string }) {
  return (
    <>
      <p className="meta">Shown as plain text: it is nested too deeply.</p>
      <VisibleText as="div" className="pre-wrap" text={text} />
    </>
  )
}

/** Markdown of a model: no HTML, nothing loaded from outside, links open after a question. */
export function Markdown({ text, own }: { readonly text: string; readonly own?: OwnPlaces }) {
  const parts = useMemo(() => (own ? componentsFor(own) : components), [own])
  const blocks = useMemo(() => splitBlocks(text), [text])
  const parsed = useParsedLength(text.length, own !== undefined)
  const waiting = blocks.findIndex(({ at }) => at >= parsed)
  return (
    <div className="content-markdown column-3">
      {(waiting < 0 ? blocks : blocks.slice(0, waiting)).map((block) => (
        <Block key={block.at} text={block.text} parts={parts} />
      ))}
      {waiting < 0 ? null : <VisibleText as="div" className="pre-wrap" text={text.slice(blocks[waiting]?.at)} />}
    </div>
  )
}

/**
 * The number of characters to parse now: one chunk per task. A deferred rendering does not fit, because a growing text interrupts
 * it each frame until everything is rendered at once.
 */
function useParsedLength(length: number, atOnce: boolean): number {
  const [parsed, setParsed] = useState(atOnce ? Number.POSITIVE_INFINITY : FIRST_CHUNK)
  const short = parsed < length + CHUNK / 2
  useEffect(() => {
    if (short) setParsed(Math.min(parsed, length) + CHUNK)
  }, [short, parsed, length])
  return parsed
}
