import { useState } from 'react'
import type { Icon } from '../../src-shared/mcp/content.ts'

/** Longest icon that is shown, in characters of its data address. */
const LIMIT = 64 * 1024
const DATA = /^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/

/** An icon that came with its words. This page fetches none: that would tell a stranger who reads here. */
export function usableIcon(icons: readonly Icon[] | undefined): string | undefined {
  return icons?.find(({ src }) => src.length <= LIMIT && DATA.test(src))?.src
}

/** A server's icon in a box that it cannot leave. Decoration: the name stands beside it. */
export function ForeignIcon({ icons }: { readonly icons: readonly Icon[] | undefined }) {
  const [broken, setBroken] = useState<string>()
  const src = usableIcon(icons)
  if (src === undefined || src === broken) return null
  return <img className="content-icon" src={src} alt="" width={16} height={16} onError={() => setBroken(src)} />
}
