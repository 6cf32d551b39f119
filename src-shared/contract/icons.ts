import { z } from 'zod'
import type { Icon } from '../mcp/content.ts'
import { text } from './schema-parts.ts'

/** Characters of an icon that travels with its words. */
const ICON_LIMIT = 8 * 1024
const OWN_PICTURE = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/

/** The first icon that can be shown as it is: a small picture in its own address, which nobody is asked for. SVG can hold script. */
export function shownIcon(icons: readonly Icon[] | undefined): string | undefined {
  return icons?.find(({ src }) => src.length <= ICON_LIMIT && OWN_PICTURE.test(src))?.src
}

export const icon = (): z.ZodType<Icon> => z.object({ src: text(ICON_LIMIT).regex(OWN_PICTURE) })
