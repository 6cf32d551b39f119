import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Loopback } from '../../../e2e/support/loopback.ts'
import { ManualClock } from '../../../e2e/support/manual-clock.ts'
import { decoded, gifOf, jpegOf, noise, pngOf, webpOf } from '../../../e2e/support/pictures.ts'
import { testConnector } from '../../../e2e/support/test-connector.ts'
import { until } from '../../../e2e/support/until.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import { Images } from '../../images/images.ts'
import { ServerIcons } from './server-icons.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const picture = pngOf({ width: 256, height: 256 }, () => [30, 90, 160, 255])
const inline = { src: 'data:image/png;base64,AAAA' }

/** A remote server whose paths are answered by `answer`, and another that should never be asked. */
async function start(answer: (path: string, response: ServerResponse) => void) {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const own = await Loopback.serve(({ path }, response) => answer(path, response))
  const stranger = await Loopback.serve((_request, response) => response.end(picture))
  onTestFinished(async () => {
    await own.close()
    await stranger.close()
  })
  const clock = new ManualClock()
  let changes = 0
  const connector = testConnector(lifetime)
  const icons = new ServerIcons({
    connector,
    images: new Images({ clock, lifetime }),
    clock,
    lifetime,
    onChange: () => {
      changes++
    },
  })
  icons.begin(`${own.origin}/mcp`)
  const at = (path: string) => ({ src: `${own.origin}${path}` })
  /** The icons shown once every request has been answered. */
  const settled = async (src: string) => {
    icons.shown([{ src }])
    // A good one comes behind it, so that its arrival says that the other's time is over.
    icons.shown([at(`/good-${changes}`)])
    const before = changes
    await until(() => changes > before)
    return icons.shown([{ src }]).icons?.[0]?.src
  }
  /** Asks for it on the same way; what was asked for before has come by then. */
  const asked = async (path: string) => {
    const response = await connector.request({ method: 'GET', url: own.origin + path, headers: {}, signal: lifetime.signal })
    response.body.resume()
  }
  return { icons, own, stranger, clock, at, settled, asked, changes: () => changes }
}

const good = (response: ServerResponse) => void response.end(picture)
const bytesOf = (src = '') => Buffer.from(src.split(',')[1] ?? '', 'base64')

describe('icons at the origin of their own server', () => {
  it('are fetched when shown, and redrawn as a small picture in an address of their own (V11-24)', async () => {
    const { icons, own, at, changes } = await start((_path, response) => good(response))
    expect(icons.shown([at('/icon.png')])).toEqual({})
    await until(() => changes() === 1)
    const src = icons.shown([at('/icon.png')]).icons?.[0]?.src
    expect(src).toMatch(/^data:image\/png;base64,/)
    expect(src?.length).toBeLessThan(8 * 1024)
    expect(await decoded(bytesOf(src))).toMatchObject({ width: 32, height: 32 })
    icons.shown([at('/icon.png')])
    expect(own.seen.map(({ path }) => path)).toEqual(['/icon.png'])
  })

  it('are requested without a cookie, a token or anything configured (SEC-19, V26-SCHEMA-4)', async () => {
    const { icons, own, changes } = await start((_path, response) => good(response))
    const { host } = new URL(own.origin)
    icons.shown([{ src: `http://somebody:secret@${host}/icon.png` }])
    await until(() => changes() === 1)
    const names = Object.keys(own.seen[0]?.headers ?? {}).sort()
    expect(names.filter((name) => !['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].includes(name))).toEqual([])
  })

  it('may be PNG, JPEG, GIF or WebP by their bytes, whatever their name (V26-SCHEMA-4)', async () => {
    const size = { width: 40, height: 40 }
    const files = [pngOf(size), await jpegOf(size), gifOf(size), await webpOf(size)]
    const { settled, at } = await start((path, response) => {
      response.setHeader('content-type', 'image/svg+xml')
      response.end(files[Number(path.slice(1))] ?? picture)
    })
    for (const n of files.keys()) expect(await settled(at(`/${n}`).src)).toMatch(/^data:image\/(png|jpeg);base64,/)
  })

  it('are missing when they are SVG, HTML, broken, too large in bytes or pixels, or an error (V26-SCHEMA-4)', async () => {
    const { settled, at } = await start((path, response) => {
      if (path === '/svg') response.setHeader('content-type', 'image/png').end(svg)
      else if (path === '/html') response.end('<html><script>alert(1)</script></html>')
      else if (path === '/broken') response.end(picture.subarray(0, 60))
      else if (path === '/large') response.end(pngOf({ width: 300, height: 300 }, noise))
      else if (path === '/wide') response.end(pngOf({ width: 1500, height: 1500 }, () => [0, 0, 0, 255]))
      else if (path === '/error') response.writeHead(500).end(picture)
      else good(response)
    })
    for (const path of ['/svg', '/html', '/broken', '/large', '/wide', '/error']) {
      expect([path, await settled(at(path).src)]).toEqual([path, undefined])
    }
  })

  it('are skipped when declared as drawings, for the next one', async () => {
    const { icons, own, at, changes } = await start((_path, response) => good(response))
    const offered = [
      { ...at('/icon.svg'), mimeType: 'image/svg+xml' },
      { ...at('/icon.png'), mimeType: 'image/png' },
    ]
    icons.shown(offered)
    await until(() => changes() === 1)
    expect(own.seen.map(({ path }) => path)).toEqual(['/icon.png'])
    expect(icons.shown(offered).icons).toHaveLength(1)
  })

  it('are missing when they take too long', async () => {
    const { icons, own, clock, at, changes } = await start((path, response) => {
      if (path === '/slow') response.write(picture.subarray(0, 20))
      else good(response)
    })
    icons.shown([at('/slow')])
    await until(() => own.seen.length === 1)
    clock.advance(5_000)
    icons.shown([at('/good')])
    await until(() => changes() === 1)
    expect(icons.shown([at('/slow')])).toEqual({})
    expect(icons.shown([at('/good')]).icons).toHaveLength(1)
  })

  it('are followed within the origin, never to another (V26-SCHEMA-4)', async () => {
    const places: Record<string, string> = {}
    const { settled, at, stranger } = await start((path, response) => {
      const location = places[path]
      if (location) response.writeHead(302, { location }).end()
      else good(response)
    })
    places['/moved'] = '/icon.png'
    places['/away'] = `${stranger.origin}/icon.png`
    expect(await settled(at('/moved').src)).toMatch(/^data:image\/png/)
    expect(await settled(at('/away').src)).toBeUndefined()
    expect(stranger.seen).toEqual([])
  })

  it('are limited to 64 per connection, four at a time, with one change for all that came', async () => {
    const held: ServerResponse[] = []
    const { icons, own, at, changes } = await start((_path, response) => void held.push(response))
    for (let n = 0; n < 200; n++) icons.shown([at(`/${n}`)])
    await until(() => held.length === 4)
    for (let answered = 0; answered < 64; answered++) {
      await until(() => held.length > answered)
      const response = held[answered]
      if (response) good(response)
    }
    await until(() => changes() === 1)
    expect(own.seen).toHaveLength(64)
    expect(icons.shown([at('/63')]).icons).toHaveLength(1)
    expect(icons.shown([at('/64')])).toEqual({})
  })
})

describe('icons elsewhere', () => {
  it('are never fetched: another origin, another port, another scheme (V11-25, V26-SCHEMA-4)', async () => {
    const { icons, own, stranger, settled } = await start((_path, response) => good(response))
    const { port } = new URL(own.origin)
    for (const src of [
      `${stranger.origin}/icon.png`,
      `http://localhost:${port}/icon.png`,
      `https://127.0.0.1:${port}/icon.png`,
      'file:///etc/passwd',
      'javascript:alert(1)',
      `${own.origin}/${'x'.repeat(3000)}`,
      'no address',
    ]) {
      expect(await settled(src)).toBeUndefined()
    }
    expect(stranger.seen).toEqual([])
    expect(own.seen.every(({ path }) => path.startsWith('/good'))).toBe(true)
    expect(icons.shown([{ src: `${stranger.origin}/icon.png` }, inline])).toEqual({ icons: [inline] })
  })

  it('are never fetched for a local server', async () => {
    const { icons, own, at, asked } = await start((_path, response) => good(response))
    icons.begin(undefined)
    expect(icons.shown([at('/icon.png')])).toEqual({})
    expect(icons.shown([at('/icon.png'), inline])).toEqual({ icons: [inline] })
    await asked('/behind-it')
    icons.begin('no address')
    icons.shown([at('/icon.png')])
    await asked('/behind-that')
    expect(own.seen.map(({ path }) => path)).toEqual(['/behind-it', '/behind-that'])
  })

  it('are forgotten with their connection', async () => {
    const { icons, own, at, changes } = await start((_path, response) => good(response))
    icons.shown([at('/icon.png')])
    await until(() => changes() === 1)
    icons.begin(`${own.origin}/mcp`)
    expect(icons.shown([at('/icon.png')])).toEqual({})
    await until(() => changes() === 2)
    expect(own.seen).toHaveLength(2)
  })
})
