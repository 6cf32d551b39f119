import { useEffect, useState } from 'react'
import { DrawingTurns } from './turns.ts'

const turns = new DrawingTurns()

/** True while it is this component's turn among all that want one: a frame that is busy too long is then known. */
export function useTurn(wanted: boolean): boolean {
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
