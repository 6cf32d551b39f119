import type { Icon } from '../../../src-shared/mcp/content.ts'

/** Characters of an icon that travels with its words. */
const LIMIT = 8 * 1024
const DATA = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/

/** What of these is shown; with it, what has to be fetched is asked for. */
export type ShowIcons = (icons: readonly Icon[] | undefined) => { icons?: readonly Icon[] }

/** The first icon that can be shown as it is: a small picture in its own address. SVG can hold script. */
export function shownIcons(icons: readonly Icon[] | undefined): { icons?: readonly Icon[] } {
  const icon = icons?.find(({ src }) => src.length <= LIMIT && DATA.test(src))
  return icon ? { icons: [{ src: icon.src }] } : {}
}
