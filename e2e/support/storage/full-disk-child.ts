import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStorage } from '../../../src-main/storage/open-storage.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { isObject } from '../../../src-shared/base/json.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'

/** Fills the small disk that holds the folder, and prints the results of each kind of write as JSON. */
const [folder = ''] = process.argv.slice(2)
const lifetime = new Lifetime('child')
const open = () => openStorage({ folder, shell: 'web', clock: systemClock, lifetime })
const launch = { type: 'local', command: 'echo', args: [], env: {} } as const
const codeOf = (error: unknown) => (isObject(error) ? error.code : error)
const outcome = (work: Promise<unknown>) => work.then(() => 'done', codeOf)

const storage = await open()
await storage.records.put('tool-definition', 'before', { json: 'kept' })
await storage.secrets.set('key', 'kept')
await storage.serverFile.put('before', launch)
const filler = join(folder, 'filler')
await writeFile(filler, Buffer.alloc(64 * 1024 * 1024)).catch(() => {})
const full = {
  record: await outcome(storage.records.put('tool-definition', 'large', { json: 'x'.repeat(1_000_000) })),
  blob: await outcome(storage.blobs.put('x'.repeat(1_000_000), 'text/plain')),
  secret: await outcome(storage.secrets.set('key', 'x'.repeat(1_000_000))),
  server: await outcome(storage.serverFile.put('large', { ...launch, args: ['x'.repeat(1_000_000)] })),
}
await writeFile(filler, '')
const room = {
  record: await outcome(storage.records.put('tool-definition', 'after', { json: 'kept' })),
  server: await outcome(storage.serverFile.put('after', launch)),
}
await storage.close()
const again = await open()
const left = {
  records: [...(await again.records.all('tool-definition')).keys()],
  secret: await again.secrets.get('key'),
  servers: Object.keys(JSON.parse(await readFile(join(folder, 'mcp.json'), 'utf8')).mcpServers),
}
await again.close()
console.log(JSON.stringify({ full, room, left }))
