import { stream, writePdf } from './write-pdf.mjs'

/** A PDF of one page whose content is this, packed. */
export function packedPage(content: Uint8Array, filters = '/FlateDecode'): Buffer {
  const packed = stream(Buffer.from(content).toString('latin1'), `/Filter [${filters}]`)
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    packed,
  ])
}
