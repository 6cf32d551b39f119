import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../e2e/support/code-point.ts'
import { until } from '../../e2e/support/until.ts'
import { type Line, LineReader } from './line-reader.ts'

function readAll(chunks: readonly Buffer[], limit = 1_000_000): Line[] {
  const reader = new LineReader(limit)
  const lines: Line[] = []
  const drain = () => {
    for (let line = reader.next(); line; line = reader.next()) lines.push(line)
  }
  for (const chunk of chunks) {
    reader.push(chunk)
    drain()
  }
  const rest = reader.end()
  return rest ? [...lines, rest] : lines
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const texts = fc.array(fc.string({ unit: codePoint, maxLength: 200 }).map((text) => text.replaceAll('\n', ' ')))
const sizes = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 8 })

/** Memory still held after a collection; without one the number only tells how lazy the collector was. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

describe('the line reader', () => {
  it('gives the same lines for any chunks, even within a character (TRAN-05)', () => {
    fc.assert(
      fc.property(texts, sizes, (lines, pieces) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8')
        const whole = lines.map((line) => ({ text: Buffer.from(line, 'utf8').toString('utf8'), damaged: false }))
        expect(readAll(cut(bytes, pieces))).toEqual(whole)
      }),
    )
  })

  it('skips exactly the lines beyond the limit, in any place and chunks (TRAN-11)', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 12 })
    fc.assert(
      fc.property(lengths, sizes, (wanted, pieces) => {
        const bytes = Buffer.from(wanted.map((length) => `${'x'.repeat(length)}\n`).join(''))
        const kinds = readAll(cut(bytes, pieces), 50).map((line) => ('text' in line ? line.text.length : 'too large'))
        expect(kinds).toEqual(wanted.map((length) => (length > 50 ? 'too large' : length)))
      }),
    )
  })

  it('keeps no more than the limit of a line that never ends (TRAN-11)', async () => {
    const reader = new LineReader(1 << 20)
    const chunk = Buffer.alloc(1 << 16, 'x')
    const before = process.memoryUsage().arrayBuffers
    for (let sent = 0; sent < 1 << 26; sent += chunk.length) {
      reader.push(Buffer.from(chunk))
      expect(reader.next()).toBeUndefined()
    }
    // Collected memory is given back outside of the loop, a moment later.
    await until(() => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers - before < 1 << 23
    })
    reader.push(Buffer.from('\n{}\n'))
    expect(reader.next()).toEqual({ tooLarge: true, id: undefined })
    expect(reader.next()).toEqual({ text: '{}', damaged: false })
  })

  it('names the request of a reply that is too large, from its head or its tail', () => {
    const big = 'x'.repeat(20_000)
    const id = (line: string) => readAll([Buffer.from(`${line}\n`)], 10_000).map((read) => ('tooLarge' in read ? read.id : read))
    expect(id(`{"jsonrpc":"2.0","id":7,"result":{"t":"${big}"}}`)).toEqual([7])
    expect(id(`{"jsonrpc":"2.0","id":"a\\"b","result":{"t":"${big}"}}`)).toEqual(['a"b'])
    expect(id(`{"result":{"id":3,"t":"${big}"},"jsonrpc":"2.0","id":8}`)).toEqual([8])
    expect(id(`{"result":{"id":3,"t":"${big}"},"id":9,"jsonrpc":"2.0"}`)).toEqual([9])
    expect(id(`{"result":{"t":"${big}","id":3}}`)).toEqual([undefined])
    expect(id(`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"t":"${big}"}}`)).toEqual([undefined])
    expect(id(`{"params":{"t":"${big}"},"method":"roots/list","id":7}`)).toEqual([undefined])
    expect(id(`{"result":{"t":"${big}\\"id\\":5}"}}`)).toEqual([undefined])
  })

  it('names the request before the line is over, if its head does, and says so once', () => {
    const reader = new LineReader(100)
    reader.push(Buffer.from(`{"id":4,"result":"${'x'.repeat(200)}`))
    expect(reader.next()).toEqual({ tooLarge: true, id: 4 })
    reader.push(Buffer.from('xxx"}\n'))
    expect(reader.next()).toBeUndefined()
  })

  it('replaces what is not UTF-8 and says so', () => {
    expect(readAll([Buffer.from([0x22, 0xff, 0xc3, 0x22, 0x0a])])).toEqual([{ text: '"\ufffd\ufffd"', damaged: true }])
  })

  it('takes single bytes at a constant cost each', () => {
    const line = 'y'.repeat(100_000)
    expect(readAll(cut(Buffer.from(`${line}\n`), [1]))).toEqual([{ text: line, damaged: false }])
  })

  it('passes a large line on in its place, unchanged', () => {
    const reader = new LineReader(1 << 20, 'newline', 10)
    for (const chunk of ['1\n', '{"ü":"', 'x'.repeat(20), '"}\n3\n{"z":"a whole one in a chunk"}\n', 'y'.repeat(12)])
      reader.push(Buffer.from(chunk))
    const shown = (line: Line | undefined) =>
      line && 'pieces' in line ? { large: Buffer.concat(line.pieces).toString() } : line && 'text' in line && line.text
    expect(Array.from({ length: 5 }, () => shown(reader.next()))).toEqual([
      '1',
      { large: `{"ü":"${'x'.repeat(20)}"}` },
      '3',
      { large: '{"z":"a whole one in a chunk"}' },
      undefined,
    ])
    expect(shown(reader.end())).toEqual({ large: 'y'.repeat(12) })
  })
})
