// Has a tool that takes a picture of 3000 × 2000 pixels and calls it a JPEG, which it is not.
import { crc32, deflateSync } from 'node:zlib'
import { handshake, serve } from './wire.mjs'

const [WIDTH, HEIGHT] = [3000, 2000]

function chunk(type, content) {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

function picture() {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // Eight bits of grey.
  header.set([8, 0], 8)
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT)
  for (let y = 0; y < HEIGHT; y += 1) rows.fill(Math.floor((y * 255) / HEIGHT), y * (WIDTH + 1) + 1, (y + 1) * (WIDTH + 1))
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

serve({
  initialize: handshake('camera'),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'take', description: 'Takes a picture', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    ],
  }),
  'tools/call': () => ({ content: [{ type: 'image', data: picture().toString('base64'), mimeType: 'image/jpeg' }] }),
})
