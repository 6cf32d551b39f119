/** Exif tag 0x0112: 1 is upright, 5 to 8 lie on their side, even ones up to 4 and odd ones from 5 are mirrored. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const EXIF = 0x4578_6966
const ORIENTATION = 0x0112
const SHORT = 3
/** A directory of one photo has a few dozen. */
const ENTRY_LIMIT = 512

/** The orientation in an APP1 segment; undefined without a valid one. Throws RangeError where the file ends within it. */
export function jpegOrientation(view: DataView, start: number, length: number): Orientation | undefined {
  if (length < 14 || view.getUint32(start) !== EXIF) return undefined
  const tiff = new DataView(view.buffer, view.byteOffset + start + 6, Math.min(length - 6, view.byteLength - start - 6))
  const little = tiff.getUint16(0) === 0x4949
  const directory = tiff.getUint32(4, little)
  if (directory + 2 > tiff.byteLength) return undefined
  const entries = Math.min(tiff.getUint16(directory, little), ENTRY_LIMIT)
  for (let n = 0; n < entries; n += 1) {
    const at = directory + 2 + n * 12
    if (at + 12 > tiff.byteLength) return undefined
    if (tiff.getUint16(at, little) !== ORIENTATION || tiff.getUint16(at + 2, little) !== SHORT) continue
    const value = tiff.getUint16(at + 8, little)
    return value >= 1 && value <= 8 ? (value as Orientation) : undefined
  }
  return undefined
}
