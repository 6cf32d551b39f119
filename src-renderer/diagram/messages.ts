import { type FrameMessage, type FrameSign, frameSign, messageOf } from '../frames/messages.ts'

/** Messages of the diagram frame to the page. Strangers write diagrams, so every message is checked. */
export type FromDiagramFrame =
  | FrameSign
  /** CSS pixels: the natural width and the present height; sent again when they change. */
  | { readonly is: 'drawn'; readonly width: number; readonly height: number }
  | { readonly is: 'failed' }

const MAX_LENGTH = 20_000

/** A message of this frame; undefined for another sender, one with an origin, or another shape. */
export function fromDiagramFrame(heard: FrameMessage, frame: unknown): FromDiagramFrame | undefined {
  const data = messageOf(frame, heard)
  if (!data) return undefined
  switch (data.is) {
    case 'drawn':
      return 'width' in data && 'height' in data && isLength(data.width) && isLength(data.height)
        ? { is: 'drawn', width: data.width, height: data.height }
        : undefined
    case 'failed':
      return { is: 'failed' }
    default:
      return frameSign(data)
  }
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_LENGTH
}
