// Has a tool that gives two seconds of a tone.
import { handshake, serve } from './wire.mjs'

const RATE = 8000

function tone() {
  const samples = Buffer.from(
    Array.from({ length: 2 * RATE }, (_, n) => 128 + Math.round(60 * Math.sin((n * 440 * 2 * Math.PI) / RATE))),
  )
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  // PCM of one channel, of one byte a sample.
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples.length, 40)
  return Buffer.concat([header, samples])
}

serve({
  initialize: handshake('sound'),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'tone', description: 'Gives a tone', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  }),
  'tools/call': () => ({ content: [{ type: 'audio', data: tone().toString('base64'), mimeType: 'audio/wav' }] }),
})
