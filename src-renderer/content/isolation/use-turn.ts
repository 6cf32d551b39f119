import { useEffect, useState } from 'react'
import { DrawingTurns } from './turns.ts'

const turns = new DrawingTurns()

/** True during this component's turn. With one frame at work, a busy one can be identified. */
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
