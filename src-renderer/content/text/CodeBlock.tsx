import { type ReactNode, useEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { VisibleText } from '../../ui/VisibleText.tsx'
import type { CodeToken } from '../isolation/highlight.ts'
import { useTries } from '../isolation/use-tries.ts'
import { CopyButton } from './CopyButton.tsx'
import { diffKinds } from './diff-kinds.ts'

/** Colouring longer code would block the page. Characters. */
const COLOUR_LIMIT = 20_000
/** Milliseconds for the first attempt; late code stays plain until a later one. */
const COLOUR_TIME = 10_000
/** Milliseconds without a change before growing code is coloured. */
const SETTLE = 120

export interface CodeBlockProps {
  readonly code: string
  readonly language: string | undefined
}

interface CodeBoxProps extends CodeBlockProps {
  readonly actions?: ReactNode
  /** A rendering of the code, which `hidden` code is replaced by. */
  readonly children?: ReactNode
  readonly hidden?: boolean
  /** The label; the language unless set. */
  readonly name?: string
}

/** Code with its language, colours if the language is known, and a copy button. */
export function CodeBlock({ code, language, actions, children, hidden = false, name }: CodeBoxProps) {
  return (
    <div className="content-codeblock content-wide framed">
      <div className="content-codeblock-head row">
        <span className="meta">{name ?? language ?? 'text'}</span>
        {actions}
        <CopyButton bare label="Copy code" text={code} />
      </div>
      {children}
      {hidden ? null : <CodeText code={code} language={language} />}
    </div>
  )
}

function CodeText({ code, language }: CodeBlockProps) {
  const [coloured, setColoured] = useState<{ code: string; lines: readonly (readonly CodeToken[])[] }>()
  const place = useRef<HTMLPreElement>(null)
  const { number, time, late } = useTries(place)
  useEffect(() => {
    if (number === undefined || language === undefined || isDiff(language) || code.length > COLOUR_LIMIT) return
    let current = true
    const stop = systemClock.after(SETTLE, () => {
      void import('../isolation/highlight.ts')
        .then(({ highlight }) => highlight(code, language, time(COLOUR_TIME)))
        .then((outcome) => {
          if (!current) return
          if (outcome.is === 'done') setColoured({ code, lines: outcome.answer })
          else if (outcome.is === 'late') late()
        })
    })
    return () => {
      current = false
      stop()
    }
  }, [code, language, number, time, late])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling code must be reachable by keyboard
    <pre ref={place} tabIndex={0}>
      {isDiff(language) ? (
        <DiffCode code={code} />
      ) : (
        <code>{coloured?.code === code ? <Coloured lines={coloured.lines} /> : <VisibleText text={code} />}</code>
      )}
    </pre>
  )
}

const isDiff = (language: string | undefined) => /^(?:diff|patch)$/i.test(language ?? '')

function DiffCode({ code }: { readonly code: string }) {
  return (
    <code className="content-code-diff">
      {diffKinds(code).map(({ kind, text }, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of finished code never move
        <span key={number} className={`content-diff-line content-diff-${kind}`}>
          <VisibleText text={text === '' ? ' ' : text} />
        </span>
      ))}
    </code>
  )
}

function Coloured({ lines }: { readonly lines: readonly (readonly CodeToken[])[] }) {
  return lines.map((line, number) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of finished code never move
    <span key={number}>
      {line.map((token) => (
        <span key={token.at} className="content-token" style={token.style}>
          <VisibleText text={token.text} />
        </span>
      ))}
      {number < lines.length - 1 ? '\n' : null}
    </span>
  ))
}
