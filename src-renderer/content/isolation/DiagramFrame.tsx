import { type RefObject, useEffect, useRef, useState } from 'react'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { type FromDiagramFrame, fromDiagramFrame } from '../../diagram/messages.ts'
import { useHost } from '../../state/host-store.ts'
import './isolation.css'
import { countdown } from '../../../src-shared/base/countdown.ts'
import { renewFrames, useFrameGeneration } from './frames-in-page.ts'
import { InertFrame } from './InertFrame.tsx'
import { DrawingTurns } from './turns.ts'
import { useNear } from './use-near.ts'

/** Milliseconds for the first attempt, from when the frame has the source until it is drawn. */
const TIME = 15_000

/** Wider diagrams, in CSS pixels, get the width of code blocks. */
const NARROW = 650

export type Drawing =
  | { readonly is: 'waiting' }
  /** CSS pixels: the natural width and the present height. */
  | { readonly is: 'drawn'; readonly width: number; readonly height: number }
  | { readonly is: 'late' }
  | { readonly is: 'broken' }

interface DiagramFrameProps {
  readonly box: RefObject<HTMLDivElement | null>
  readonly source: string
  readonly drawing: Drawing
  /** Milliseconds for this attempt when the first has `first`. */
  readonly time: (first: number) => number
  /** True when it is drawn and wanted. */
  readonly shown: boolean
  readonly onDrawing: (drawing: Drawing) => void
}

/** Draws a model's diagram in an isolated frame once it comes near the visible part. */
export function DiagramFrame({ box, source, drawing, time, shown, onDrawing }: DiagramFrameProps) {
  const near = useNear(box)
  const theme = useHost((mirror) => mirror.host.settings.theme)
  const latest = useRef(onDrawing)
  useEffect(() => {
    latest.current = onDrawing
  })
  const drawn = drawing.is === 'drawn'
  const draws = useTurn(near && drawing.is === 'waiting')
  // All frames are removed together, and each starts again.
  const generation = useFrameGeneration()
  const [readyIn, setReadyIn] = useState<number>()
  const ready = draws && readyIn !== undefined && readyIn === generation
  useEffect(() => {
    if (!ready) return
    return countdown(systemClock, time(TIME), () => {
      latest.current({ is: 'late' })
      renewFrames()
    })
  }, [ready, time])
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

const turns = new DrawingTurns()

/** True during this component's turn. With one frame at work, a busy one can be identified. */
function useTurn(wanted: boolean): boolean {
  const [mine, setMine] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const end = turns.take(() => setMine(true))
    return () => {
      end()
      setMine(false)
    }
  }, [wanted])
  return mine && wanted
}
