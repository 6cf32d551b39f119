import { type FrameMessage, type FrameSign, frameSign, messageOf } from '../frames/messages.ts'

/** Messages of the diagram frame to the page. Its source is a stranger's, so nothing in here is believed. */
export type FromDiagramFrame =
  | FrameSign
  /** CSS pixels: the width that it would have, and the height that it has; told again whenever that changes. */
  | { readonly is: 'drawn'; readonly width: number; readonly height: number }
  | { readonly is: 'failed' }

const MAX_LENGTH = 20_000

/** A message of this very frame; undefined for another sender, one that has an origin, or anything of another shape. */
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
