import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../../e2e/support/code-point.ts'
import { EventStream } from './event-stream.ts'
import { type SseItem, SseReader } from './sse-reader.ts'

function readAll(chunks: readonly (string | Buffer)[], limit = 100_000): SseItem[] {
  const reader = new SseReader(limit)
  const items: SseItem[] = []
  for (const chunk of chunks) {
    reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    for (let item = reader.next(); item; item = reader.next()) items.push(item)
  }
  return items
}

const events = (text: string) => readAll([text]).map((item) => (item.is === 'event' ? item.event : item))
const message = (data: string, id?: string, name = 'message') => ({ name, data, id })

describe('SseReader — html.spec.whatwg.org#event-stream-interpretation', () => {
  it.each([
    ['data: a\n\n', [message('a')]],
    ['data:a\r\rdata:b\r\n\r\n', [message('a'), message('b')]],
    ['\ufeffdata: a\n\n', [message('a')]],
    ['\ufeffdata: ü\n\n', [message('ü')]],
    [': hello\n\n:\n\ndata: a\n\n', [message('a')]],
    ['data: a\ndata:\ndata:  b\n\n', [message('a\n\n b')]],
    ['data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
    ['event: ping\ndata: x\n\n', [message('x', undefined, 'ping')]],
    ['event:\ndata: x\n\n', [message('x')]],
    ['event: lonely\n\ndata: x\n\n', [message('x')]],
    ['id: 7\ndata: x\n\n', [message('x', '7')]],
    ['id: 7\n\n', [message('', '7')]],
    ['id: 7\nid\ndata: x\n\n', [message('x', '')]],
    ['id: a\0b\ndata: x\n\n', [message('x')]],
    ['id: ü\ndata: x\n\n', [message('x')]],
    ['retry: 250\n\n', [{ is: 'retry', ms: 250 }]],
    ['retry: soon\nretry: -1\ndata: x\n\n', [message('x')]],
    ['retry: 9999999999\n\n', [{ is: 'retry', ms: 2 ** 31 - 1 }]],
    [`retry: ${'9'.repeat(400)}\n\n`, [{ is: 'retry', ms: 2 ** 31 - 1 }]],
    ['unknown: 1\nDATA: 2\n data: 3\ndata: x\n\n', [message('x')]],
    ['data: cut off\n', []],
    ['data: a\n: not a part of it\n:\ndata: b\nid: 7\n: nor the end\n\n', [message('a\nb', '7')]],
  ])('reads %j (TRAN-69, V26-HTTP-22)', (text, expected) => {
    expect(events(text)).toEqual(expected)
  })

  it('gives the same events for any chunks, with all three line ends (TRAN-69)', () => {
    const line = fc.string({ unit: codePoint, maxLength: 40 }).map((text) => text.replaceAll(/[\r\n\ufeff]/g, ' ').toWellFormed())
    fc.assert(
      fc.property(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 })),
        fc.constantFrom('\n', '\r', '\r\n'),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 }),
        (groups, end, sizes) => {
          const text = groups.map((lines) => `${lines.map((data) => `data: ${data}${end}`).join('')}${end}`).join('')
          const bytes = Buffer.from(text)
          const chunks: Buffer[] = []
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1
            chunks.push(bytes.subarray(at, at + size))
            at += size
          }
          const read = readAll(chunks).map((item) => (item.is === 'event' ? item.event.data : item))
          expect(read).toEqual(groups.map((lines) => lines.join('\n')))
        },
      ),
    )
  })

  it('does not wait for more after a lone CR', () => {
    expect(readAll(['data: a\r\r'])).toEqual([{ is: 'event', event: message('a') }])
  })

  it('passes a large event on in its place, unchanged, on one line or many', () => {
    const line = 'ü'.repeat(600_000)
    const many = Array.from({ length: 40_000 }, (_, n) => `row ${n} ${'x'.repeat(30)}`)
    const stream = [
      `\ufeffdata: ${line}\n\n`,
      'data: a\n\n',
      `id: 7\nevent: big\n${many.map((row) => `data:${row}\n`).join('')}\n`,
      `data: \ndata: a\ndata: ${line}\ndata: b\n\n`,
      `: ${line}\nid: ${line}\nid: 8\ndata: c\n\n`,
    ].join('')
    const items = readAll([stream], 10_000_000).map((item) => (item.is === 'event' ? item.event : item))
    const shown = items.map((item) =>
      'data' in item && typeof item.data !== 'string'
        ? { ...item, data: Buffer.concat(item.data).toString(), large: true }
        : item,
    )
    expect(shown).toEqual([
      { ...message(line), large: true },
      message('a'),
      { ...message(many.join('\n'), '7', 'big'), large: true },
      { ...message(`\na\n${line}\nb`), large: true },
      message('c', '8'),
    ])
  })

  it('lets other connections work while a large event is read', async () => {
    const heard: string[] = []
    const read = (name: string, text: string) => {
      const body = new PassThrough({ highWaterMark: 1 << 23 })
      body.end(text)
      const stream = new EventStream(1 << 23, {
        event: (_name, data) => heard.push(`${name} ${JSON.stringify(data.json()).length}`),
        tooLarge: () => heard.push('too large'),
      })
      return stream.read({ status: 200, headers: {}, body }, new AbortController().signal)
    }
    const large = read('large', `data: {"a":"${'x'.repeat(2 << 20)}"}\n\ndata: 12\n\n`)
    const small = read('small', 'data: 1234\n\n')
    await Promise.all([large, small])
    expect(heard).toEqual(['small 4', `large ${(2 << 20) + 8}`, 'large 2'])
  })

  it('skips an event beyond the limit, names its request and keeps its cursor', () => {
    const big = 'x'.repeat(2000)
    expect(readAll([`id: 1\ndata: {"id":5,"result":"${big}"}\n\ndata: ok\n\n`], 1000)).toEqual([
      { is: 'too-large', requestId: 5, id: '1' },
      { is: 'event', event: message('', '1') },
      { is: 'event', event: message('ok') },
    ])
    const many = `${'data: xxxxxxxxx\n'.repeat(200)}data: ok\n\ndata: fine\n\n`
    expect(readAll([many], 1000)).toEqual([
      { is: 'too-large', requestId: undefined, id: undefined },
      { is: 'event', event: message('fine') },
    ])
  })
})
