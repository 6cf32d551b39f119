const HEADER_BYTES = 12
const MOST_RECORDS = 64
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/

/** An answer of DNS (RFC 1035 §4): the name that was asked for and its addresses. Undefined for any other message. */
export function readDnsAnswer(message: Buffer): { readonly name: string; readonly addresses: readonly string[] } | undefined {
  if (message.length < HEADER_BYTES) return undefined
  // An answer to a standard query without an error, of one question.
  if ((message.readUInt16BE(2) & 0xf80f) !== 0x8000 || message.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let at = HEADER_BYTES
  for (;;) {
    const length = message[at]
    if (length === undefined || length > 63) return undefined
    at += 1
    if (length === 0) break
    labels.push(message.toString('latin1', at, at + length))
    at += length
  }
  const name = labels.join('.').toLowerCase()
  if (!NAME.test(name) || /^[\d.]+$/.test(name)) return undefined
  at += 4
  const addresses: string[] = []
  const records = Math.min(message.readUInt16BE(6), MOST_RECORDS)
  for (let count = 0; count < records; count++) {
    const after = skipName(message, at)
    // strace shows a long message only in part.
    if (after === undefined || after + 10 > message.length) break
    const [type, size] = [message.readUInt16BE(after), message.readUInt16BE(after + 8)]
    const data = message.subarray(after + 10, after + 10 + size)
    if (type === 1 && data.length === 4) addresses.push(data.join('.'))
    if (type === 28 && data.length === 16) addresses.push(ipv6(data))
    at = after + 10 + size
  }
  return { name, addresses }
}

function skipName(message: Buffer, from: number): number | undefined {
  let at = from
  for (;;) {
    const length = message[at]
    if (length === undefined) return undefined
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    if (length > 63) return undefined
    at += 1 + length
  }
}

/** The short form, as strace shows addresses. */
function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}
