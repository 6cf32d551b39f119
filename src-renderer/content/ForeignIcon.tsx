import { useState } from 'react'
import { shownIcon } from '../../src-shared/contract/blobs.ts'
import type { Icon } from '../../src-shared/mcp/content.ts'

/** A server's icon in a box that it cannot leave. Decoration: the name is next to it. */
export function ForeignIcon({ icons }: { readonly icons: readonly Icon[] | undefined }) {
  const [broken, setBroken] = useState<string>()
  // This page fetches none: that would tell a stranger who reads here.
  const src = shownIcon(icons)
  if (src === undefined || src === broken) return null
  return <img className="content-icon" src={src} alt="" width={16} height={16} onError={() => setBroken(src)} />
}
