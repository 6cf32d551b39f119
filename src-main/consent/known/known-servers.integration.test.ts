import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, officialStdio } from '../../../e2e/support/everything.ts'
import { until } from '../../../e2e/support/until.ts'
import type { ClientFeatures } from '../../protocol/peer/client-features.ts'
import { KNOWN_SERVERS } from './known-servers.ts'

/** Some tools are listed only where a host can be asked something. */
const features: ClientFeatures = {
  roots: { list: async () => ({ roots: [] }) },
  sampling: { tools: true, context: true, createMessage: () => Promise.reject(new Error('not asked')) },
  elicitation: { url: true, elicit: async () => ({ action: 'decline' }) },
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-known-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the table of published servers', () => {
  it.each([
    ['server-everything', () => ['stdio']],
    ['server-filesystem', () => [folder]],
    ['server-memory', () => []],
  ] as const)('has every tool that %s lists now, and no other', async (name, args) => {
    const known = KNOWN_SERVERS.find((server) => server.name === `@modelcontextprotocol/${name}`)
    const tools = [...(known?.tools.keys() ?? [])].sort()
    const server = officialStdio(name, args(), undefined, { MEMORY_FILE_PATH: join(folder, 'memory') })
    const { client, end } = await connect(server, { features })
    try {
      const listed = () => client.catalog.value.tools.map(({ tool }) => tool.name).sort()
      // Some come only after the handshake.
      await until(() => listed().length >= tools.length, 'as many tools as are known')
      expect(listed()).toEqual(tools)
    } finally {
      await end()
    }
  })
})
