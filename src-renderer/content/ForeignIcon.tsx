import { useState } from 'react'
import { shownIcon } from '../../src-shared/contract/blobs.ts'
import type { Icon } from '../../src-shared/mcp/content.ts'

/** The icon of a server, decoration beside its name. */
export function ForeignIcon({ icons }: { readonly icons: readonly Icon[] | undefined }) {
  const [broken, setBroken] = useState<string>()
  // Only embedded icons are shown: fetching one would tell a stranger who is reading.
  const src = shownIcon(icons)
  if (src === undefined || src === broken) return null
  return <img className="content-icon" src={src} alt="" width={16} height={16} onError={() => setBroken(src)} />
}
