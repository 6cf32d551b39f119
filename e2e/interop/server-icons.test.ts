import { expect, it, onTestFinished } from 'vitest'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import type { Icon } from '../../src-shared/mcp/content.ts'
import { initializeResult, json, Loopback, reply } from '../support/loopback.ts'
import { pngOf } from '../support/pictures.ts'
import { testConnector } from '../support/test-connector.ts'
import { certificate, tlsFront } from '../support/tls-front.ts'
import { until } from '../support/until.ts'
import { ServerHost } from '../test-hosts/server-host.ts'

const TOKEN = 'Bearer of-the-configuration'

/** A remote server over TLS whose every definition names `icons`, and which serves a picture at /icon.png. */
async function remoteServer(icons: (origin: string) => readonly Icon[]) {
  const picture = pngOf({ width: 64, height: 64 }, () => [200, 30, 60, 255])
  let origin = ''
  const answers: Readonly<Record<string, () => object>> = {
    initialize: () => ({
      ...initializeResult(),
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: {
        name: 'far',
        version: '1',
        description: 'It is far.',
        websiteUrl: 'https://far.example',
        icons: icons(origin),
      },
    }),
    'tools/list': () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' }, icons: icons(origin) }] }),
    'resources/list': () => ({ resources: [{ uri: 'far://a', name: 'resource', icons: icons(origin) }] }),
    'resources/templates/list': () => ({
      resourceTemplates: [{ uriTemplate: 'far://{x}', name: 'template', icons: icons(origin) }],
    }),
    'prompts/list': () => ({ prompts: [{ name: 'prompt', icons: icons(origin) }] }),
  }
  const server = await Loopback.serve((request, response) => {
    if (request.method === 'GET' && request.path === '/icon.png') return void response.end(picture)
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method = '' } = request.body
    if (id === undefined) return void response.writeHead(202).end()
    json(response, reply(id, answers[method]?.() ?? {}))
  })
  onTestFinished(() => server.close())
  const front = await tlsFront(`${server.origin}/mcp`)
  onTestFinished(() => front.close())
  origin = `https://${front.host}`
  return { server, url: front.url }
}

async function connect(url: string): Promise<{ parley: ServerHost; id: ServerId }> {
  const lifetime = new Lifetime('network')
  onTestFinished(() => lifetime.end())
  const connector = testConnector(lifetime, { authorities: [await certificate('authority.pem')] })
  const parley = await ServerHost.open({ connector })
  return { parley, id: await parley.ready('far', { type: 'remote', url, headers: { authorization: { text: TOKEN } } }) }
}

function shown({ parley, id }: { parley: ServerHost; id: ServerId }) {
  const { catalogs } = parley.host.servers
  return [
    catalogs.about(id),
    catalogs.tools(id, {}).items[0],
    catalogs.resources(id, {}).items[0],
    catalogs.templates(id, {}).items[0],
    catalogs.prompts(id, {}).items[0],
  ].map((entry) => entry?.icons?.[0]?.src.slice(0, 22))
}

it('icons at the server’s own origin appear on everything that names them, without its token (V11-24, V11-26)', async () => {
  const remote = await remoteServer((origin) => [{ src: `${origin}/icon.png` }])
  const connection = await connect(remote.url)
  const { version } = connection.parley.record('far').catalog
  expect(shown(connection)).toEqual([undefined, undefined, undefined, undefined, undefined])
  await until(() => connection.parley.record('far').catalog.version > version, 'windows to be told')
  expect(shown(connection)).toEqual(Array(5).fill('data:image/png;base64,'))
  expect(connection.parley.host.servers.catalogs.about(connection.id)).toMatchObject({
    description: 'It is far.',
    websiteUrl: 'https://far.example',
  })
  const asked = remote.server.seen.filter(({ path }) => path === '/icon.png')
  expect(asked).toHaveLength(1)
  expect(asked[0]?.headers.authorization).toBeUndefined()
  expect(remote.server.of('tools/list')[0]?.headers.authorization).toBe(TOKEN)
  // A hundred icons would be too much for the welcome of every window.
  expect(JSON.stringify(connection.parley.host.state.snapshot)).not.toContain('data:image')
})

it('icons elsewhere are not requested (V11-25)', async () => {
  const stranger = await Loopback.serve((_request, response) => response.end())
  onTestFinished(() => stranger.close())
  const front = await tlsFront(stranger.origin)
  onTestFinished(() => front.close())
  const remote = await remoteServer((origin) => [
    { src: `${stranger.origin}/icon.png` },
    { src: `https://${front.host}/icon.png` },
    { src: `${origin.replace('https', 'http')}/icon.png` },
    { src: 'data:image/svg+xml;base64,PHN2Zz4=' },
  ])
  const connection = await connect(remote.url)
  for (let round = 0; round < 2; round++) {
    expect(shown(connection)).toEqual([undefined, undefined, undefined, undefined, undefined])
    // Longer than the way of what would have been asked for.
    await connection.parley.host.servers.catalogs.refresh(connection.id, new AbortController().signal)
  }
  expect(await connection.parley.log('far')).not.toContainEqual(expect.stringContaining('icon'))
  expect(stranger.seen).toEqual([])
  expect(remote.server.seen.filter(({ path }) => path.includes('icon'))).toEqual([])
})
