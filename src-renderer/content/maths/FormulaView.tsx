import { createElement, memo, type ReactNode, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react'
import { VisibleText } from '../../ui/VisibleText.tsx'
import { useTries } from '../isolation/use-tries.ts'
import type { Formula } from './draw-formula.ts'
import { drawnFormulas } from './drawn-formulas.ts'
import './maths.css'
import type { MathsNode } from './maths-tree.ts'

/** Milliseconds for the first attempt; a late formula stays TeX until a later one. */
const TIME = 3_000

/** A formula as MathML; as TeX until it is drawn, or when it cannot be. */
export const FormulaView = memo(function FormulaView({ tex, display }: Formula) {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const node = drawnFormulas.of({ tex, display })
  const source = useRef<HTMLElement>(null)
  const { number, time, late } = useTries(source)
  useEffect(() => {
    if (number === undefined || drawnFormulas.of({ tex, display })) return
    let current = true
    void drawnFormulas.draw({ tex, display }, time(TIME)).then((outcome) => {
      if (current) outcome === 'late' ? late() : redraw()
    })
    return () => {
      current = false
    }
  }, [tex, display, number, time, late])
  const frame = useRef<HTMLSpanElement>(null)
  const [wide, setWide] = useState(false)
  useLayoutEffect(() => {
    const { scrollWidth, clientWidth } = frame.current ?? { scrollWidth: 0, clientWidth: 0 }
    if (typeof node === 'object' && scrollWidth > clientWidth + 1) setWide(true)
  }, [node])
  if (typeof node !== 'object') {
    return (
      <code ref={source} className={display ? 'content-code maths-source maths-display' : 'content-code maths-source'}>
        <VisibleText text={tex} />
      </code>
    )
  }
  return (
    <span
      ref={frame}
      className={`maths ${display ? 'maths-display' : 'maths-inline'}${wide ? ' maths-wide' : ''}`}
      // A scrolling formula must be reachable by keyboard.
      tabIndex={wide ? 0 : undefined}
    >
      {element(node, tex)}
    </span>
  )
})

/** maths-tree.ts lets only known elements and attributes through. */
function element(node: MathsNode, key: string | number): ReactNode {
  const children = node.children.map((child, at) => (typeof child === 'string' ? child : element(child, at)))
  return createElement(node.tag, { ...node.attributes, key }, ...children)
}
