interface PartialAnswer {
  readonly status: 200 | 206 | 416
  readonly headers: { readonly [name: string]: string }
  readonly bytes: Uint8Array
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The response to a `Range` header, which players send to seek in audio. Another form, or several ranges, may be ignored (RFC 9110
 * § 14.2). Always has a length, without which Electron plays nothing.
 */
export function partOf(bytes: Uint8Array, range: string | null | undefined): PartialAnswer {
  const size = bytes.byteLength
  const [, first = '', last = ''] = RANGE.exec(range ?? '') ?? []
  if (first === '' && last === '') return { status: 200, headers: lengthOf(bytes), bytes }
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (from > to) return { status: 416, headers: { 'content-range': `bytes */${size}` }, bytes: new Uint8Array() }
  const part = bytes.subarray(from, to + 1)
  return { status: 206, headers: { ...lengthOf(part), 'content-range': `bytes ${from}-${to}/${size}` }, bytes: part }
}

function lengthOf(bytes: Uint8Array): Record<string, string> {
  return { 'content-length': String(bytes.byteLength), 'accept-ranges': 'bytes' }
}
