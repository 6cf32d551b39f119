import { useEffect, useRef } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { type FromDiagramFrame, fromDiagramFrame } from '../../diagram/messages.ts'
import { useHost } from '../../state/host-store.ts'
import './apart.css'
import { renewFrames } from './frames-in-page.ts'
import { InertFrame } from './InertFrame.tsx'
import { useNear } from './use-near.ts'
import { useTurn } from './use-turn.ts'

/** Milliseconds from the frame's beginning to its picture. */
const PATIENCE = 15_000

/** CSS pixels: what is wider takes the room that code may have. */
const NARROW = 650

/** How far a diagram is. */
export type Drawing =
  | { readonly is: 'waiting' }
  /** CSS pixels: the width that it would have, and the height that it has. */
  | { readonly is: 'drawn'; readonly width: number; readonly height: number }
  | { readonly is: 'failed'; readonly why: 'broken' | 'slow' }

export interface DiagramFrameProps {
  readonly source: string
  readonly drawing: Drawing
  /** It is drawn and wanted. */
  readonly shown: boolean
  readonly onDrawing: (drawing: Drawing) => void
}

/** A diagram that a model wrote, drawn in a frame of its own as soon as it comes near the window's sight. */
export function DiagramFrame({ source, drawing, shown, onDrawing }: DiagramFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const near = useNear(box)
  const theme = useHost((mirror) => mirror.host.settings.theme)
  const told = useRef(onDrawing)
  useEffect(() => {
    told.current = onDrawing
  })
  const drawn = drawing.is === 'drawn'
  const draws = useTurn(near && drawing.is === 'waiting')
  useEffect(() => {
    if (!draws) return
    return systemClock.after(PATIENCE, () => {
      told.current({ is: 'failed', why: 'slow' })
      renewFrames()
    })
  }, [draws])
  const wide = shown && drawn && drawing.width > NARROW
  return (
    <div ref={box} className={`apart-diagram${shown ? '' : ' apart-unseen'}${wide ? ' apart-wide' : ''}`}>
      {draws || drawn ? (
        <InertFrame<string, FromDiagramFrame>
          path="diagram/index.html"
          className="apart-frame"
          title="Diagram"
          theme={theme}
          content={source}
          read={fromDiagramFrame}
          onSaid={(said) => {
            if (said.is === 'drawn') onDrawing(said)
            else if (said.is === 'failed') onDrawing({ is: 'failed', why: 'broken' })
          }}
          onSilent={() => onDrawing({ is: 'failed', why: 'slow' })}
          height={drawn ? drawing.height : undefined}
        />
      ) : null}
    </div>
  )
}
