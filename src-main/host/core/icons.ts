import { shownIcon } from '../../../src-shared/contract/blobs.ts'
import type { Icon } from '../../../src-shared/mcp/content.ts'

/** Picks the icon to show and requests it if it is not here yet. */
export type ShowIcons = (icons: readonly Icon[] | undefined) => { icons?: readonly Icon[] }

export function shownIcons(icons: readonly Icon[] | undefined): { icons?: readonly Icon[] } {
  const src = shownIcon(icons)
  return src === undefined ? {} : { icons: [{ src }] }
}
