import { shownIcon } from '../../../src-shared/contract/blobs.ts'
import type { Icon } from '../../../src-shared/mcp/content.ts'

/** The icons of these to show; missing ones are requested. */
export type ShowIcons = (icons: readonly Icon[] | undefined) => { icons?: readonly Icon[] }

/** The one that can be shown as it is. */
export function shownIcons(icons: readonly Icon[] | undefined): { icons?: readonly Icon[] } {
  const src = shownIcon(icons)
  return src === undefined ? {} : { icons: [{ src }] }
}
