import { useEffect, useState } from 'react'
import { Turns } from './turns.ts'

const turns = new Turns()

/** Whether the turn is this component's, of all that want one: the one that is busy too long is then the one to blame. */
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
