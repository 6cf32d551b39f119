import { useEffect, useState } from 'react'
import type { FoundConfig } from '../../src-shared/contract/imports.ts'
import { ask } from '../state/ask.ts'

/** Configurations of other apps on this computer that have servers. Empty until they are read, and when reading fails. */
export function useFoundServers(): readonly FoundConfig[] {
  const [found, setFound] = useState<readonly FoundConfig[]>([])
  useEffect(() => {
    const gone = new AbortController()
    ask('import.look', {}, gone.signal).then(
      (looked) => setFound(looked.found.filter(({ servers }) => servers > 0)),
      () => {},
    )
    return () => gone.abort()
  }, [])
  return found
}
