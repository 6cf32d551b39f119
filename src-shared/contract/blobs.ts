import { z } from 'zod'
import type { Annotations, Icon } from '../mcp/content.ts'
import { count, type Given, line, text } from './schema-parts.ts'

/** SHA-256 of the bytes, 64 lower-case hex digits. */
export const blobName = () => z.string().regex(/^[0-9a-f]{64}$/)
export const mimeType = () => text(200)

/** A reference to content in the blobs folder; events carry only this. */
export type BlobRef = Given<typeof blobRef>
export const blobRef = () => z.strictObject({ blob: blobName(), bytes: count(), mimeType: mimeType() })

/** Bytes of the largest record that travels inline: every window gets all of it. */
export const INLINE_LIMIT = 32 * 1024
/** Characters of one record in an imported file, where JSON makes it longer than inline. */
export const RECORD_LIMIT = 64 * 1024

const whole = () => blobRef().exactOptional()

/** A text, or the head of a long one with a reference to the whole. */
export type BoundedText = Given<typeof boundedText>
export const boundedText = () => z.object({ text: text(RECORD_LIMIT), whole: whole() })

/** Serialized JSON, or the head of a long one with a reference to the whole. */
export type BoundedJson = Given<typeof boundedJson>
export const boundedJson = () => z.object({ json: text(RECORD_LIMIT), whole: whole() })

export const content = () => z.union([blobRef(), boundedText()])

export const annotations = (): z.ZodType<Annotations> =>
  z.object({
    audience: z
      .array(z.enum(['user', 'assistant']))
      .max(2)
      .exactOptional(),
    priority: z.number().min(0).max(1).exactOptional(),
    lastModified: text(60).exactOptional(),
  })

/** A content block with binary and long content by reference. */
export type ContentView = Given<typeof contentView>
export const contentView = () => {
  const annotated = { annotations: annotations().exactOptional() }
  return z.discriminatedUnion('type', [
    boundedText().extend({ type: z.literal('text'), ...annotated }),
    z.object({ type: z.enum(['image', 'audio']), blob: blobRef(), ...annotated }),
    z.object({
      type: z.literal('resource'),
      uri: line(),
      mimeType: mimeType().exactOptional(),
      content: content(),
      ...annotated,
    }),
    z.object({
      type: z.literal('resource_link'),
      uri: line(),
      name: line(),
      title: line().exactOptional(),
      description: line().exactOptional(),
      mimeType: mimeType().exactOptional(),
      size: count().exactOptional(),
      icons: z.array(icon()).max(1).exactOptional(),
      ...annotated,
    }),
    z.object({ type: z.literal('unknown'), kind: text(200), reason: line() }),
  ])
}

/** Characters of an inline icon. */
const ICON_LIMIT = 8 * 1024
const OWN_PICTURE = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/

/** The first icon that is a small data URL: nothing is fetched to show it. No SVG, which can contain scripts. */
export function shownIcon(icons: readonly Icon[] | undefined): string | undefined {
  return icons?.find(({ src }) => src.length <= ICON_LIMIT && OWN_PICTURE.test(src))?.src
}

export const icon = (): z.ZodType<Icon> => z.object({ src: text(ICON_LIMIT).regex(OWN_PICTURE) })
