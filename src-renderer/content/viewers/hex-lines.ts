const WIDTH = 16

/** Sixteen bytes a line: offset, hexadecimal, printable ASCII. */
export function hexLines(hex: string): readonly string[] {
  const lines: string[] = []
  for (let at = 0; at < hex.length; at += WIDTH * 2) {
    const pairs = hex.slice(at, at + WIDTH * 2).match(/../g) ?? []
    const plain = pairs.map((pair) => {
      const code = Number.parseInt(pair, 16)
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·'
    })
    lines.push(`${(at / 2).toString(16).padStart(6, '0')}  ${pairs.join(' ').padEnd(WIDTH * 3 - 1)}  ${plain.join('')}`)
  }
  return lines
}
