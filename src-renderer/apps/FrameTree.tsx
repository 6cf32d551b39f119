import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

const FILLS = { height: '100%' }

/**
 * Shows a frame in a tree of its own. A frame of the page's own tree can be found by every other as `parent[0]`, and be told anything;
 * one in a shadow tree cannot (HTML, document-tree child navigables). Styles of the page do not reach inside.
 */
export function FrameTree({ children }: { readonly children: ReactNode }) {
  const outer = useRef<HTMLDivElement>(null)
  const [tree, setTree] = useState<ShadowRoot>()
  useLayoutEffect(() => {
    if (outer.current) setTree(outer.current.shadowRoot ?? outer.current.attachShadow({ mode: 'open' }))
  }, [])
  return (
    <div ref={outer} className="app-view-tree">
      {/* Around the frame, which is removed at once where it takes the keyboard. */}
      {tree ? createPortal(<div style={FILLS}>{children}</div>, tree) : null}
    </div>
  )
}

/** True while the keyboard is in a frame of such a tree. */
export function hasFocus(frame: HTMLIFrameElement): boolean {
  const tree = frame.getRootNode()
  return tree instanceof ShadowRoot && tree.activeElement === frame
}
