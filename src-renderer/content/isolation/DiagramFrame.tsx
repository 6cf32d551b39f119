import { type RefObject, useEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { type FromDiagramFrame, fromDiagramFrame } from '../../diagram/messages.ts'
import { useHost } from '../../state/host-store.ts'
import './isolation.css'
import { countdown } from '../../../src-shared/base/countdown.ts'
import { renewFrames, useFrameGeneration } from './frames-in-page.ts'
import { InertFrame } from './InertFrame.tsx'
import { useNear } from './use-near.ts'
import { useTurn } from './use-turn.ts'

/** Milliseconds for the first try, from when the frame has the source to its picture. */
const TIME = 15_000

/** CSS pixels: what is wider takes the room that code may have. */
const NARROW = 650

/** How far a diagram is. */
export type Drawing =
  | { readonly is: 'waiting' }
  /** CSS pixels: the width that it would have, and the height that it has. */
  | { readonly is: 'drawn'; readonly width: number; readonly height: number }
  /** Tried again later. */
  | { readonly is: 'late' }
  | { readonly is: 'broken' }

export interface DiagramFrameProps {
  /** Its own element. */
  readonly box: RefObject<HTMLDivElement | null>
  readonly source: string
  readonly drawing: Drawing
  /** Milliseconds that a try has, if the first has `first`. */
  readonly time: (first: number) => number
  /** It is drawn and wanted. */
  readonly shown: boolean
  readonly onDrawing: (drawing: Drawing) => void
}

/** A diagram that a model wrote, drawn in a frame of its own as soon as it comes near the window's sight. */
export function DiagramFrame({ box, source, drawing, time, shown, onDrawing }: DiagramFrameProps) {
  const near = useNear(box)
  const theme = useHost((mirror) => mirror.host.settings.theme)
  const told = useRef(onDrawing)
  useEffect(() => {
    told.current = onDrawing
  })
  const drawn = drawing.is === 'drawn'
  const draws = useTurn(near && drawing.is === 'waiting')
  // Frames are taken away together: one that came back begins from the start.
  const generation = useFrameGeneration()
  const [readyIn, setReadyIn] = useState<number>()
  const begun = draws && readyIn !== undefined && readyIn === generation
  useEffect(() => {
    if (!begun) return
    return countdown(systemClock, time(TIME), () => {
      told.current({ is: 'late' })
      renewFrames()
    })
  }, [begun, time])
  const wide = shown && drawn && drawing.width > NARROW
  return (
    <div ref={box} className={`isolated-diagram${shown ? '' : ' isolated-unseen'}${wide ? ' isolated-wide' : ''}`}>
      {draws || drawn ? (
        <InertFrame<string, FromDiagramFrame>
          path="diagram/index.html"
          className="isolated-frame"
          title="Diagram"
          theme={theme}
          content={source}
          read={fromDiagramFrame}
          onSaid={(said) => {
            if (said.is === 'ready') setReadyIn(generation)
            else if (said.is === 'drawn') onDrawing(said)
            else if (said.is === 'failed') onDrawing({ is: 'broken' })
          }}
          onSilent={() => onDrawing({ is: 'late' })}
          height={drawn ? drawing.height : undefined}
        />
      ) : null}
    </div>
  )
}
