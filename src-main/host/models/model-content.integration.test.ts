import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ModelApiRequest, startModelApi } from '../../../e2e/support/model-api.ts'
import { decoded, gifOf, jpegOf, pngFrom, pngOf } from '../../../e2e/support/pictures.ts'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { Lifetime } from '../../../src-shared/base/lifetime.ts'
import type { ProviderKind } from '../../../src-shared/contract/settings.ts'
import type { ContentBlock } from '../../../src-shared/mcp/content.ts'
import { Images } from '../../images/images.ts'
import { createProvider } from '../../models/create-provider.ts'
import type { ModelContent } from '../../models/model-provider.ts'
import { BlobsFolder } from '../../storage/blobs-folder.ts'
import { toolCallResult } from '../core/content-views.ts'
import { modelContent } from './model-content.ts'
import { imageLimits } from './model-families.ts'
import { type FitImage, measureWithin } from './model-images.ts'
import { contentTokens } from './token-estimate.ts'

const from = { tool: 'photo', serverName: 'Camera' }
const image = (bytes: Uint8Array, mimeType = 'image/png'): ContentBlock => ({
  type: 'image',
  data: Buffer.from(bytes).toString('base64'),
  mimeType,
})
const file = (bytes: Uint8Array, mimeType: string): ContentBlock => ({
  type: 'resource',
  resource: { uri: 'photo:1', mimeType, blob: Buffer.from(bytes).toString('base64') },
})

function fitFor(kind: ProviderKind = 'anthropic', model = 'claude-sonnet-5-5'): FitImage {
  const lifetime = new Lifetime('test')
  onTestFinished(() => lifetime.end())
  const images = new Images({ clock: systemClock, lifetime })
  return (image) => images.fit(image, imageLimits(kind, model))
}

async function told(content: readonly ContentBlock[], fitImage: FitImage | 'none' = fitFor()): Promise<readonly ModelContent[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-blobs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const blobs = await BlobsFolder.open(folder)
  return modelContent(await toolCallResult({ content, warnings: [] }, blobs), from, {
    blobs,
    ...(fitImage !== 'none' && { fitImage }),
  })
}

const imagesOf = (content: readonly ModelContent[]) => content.filter((block) => block.type === 'image')
const textOf = (content: readonly ModelContent[]) => content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

describe('images for a model', () => {
  it('are shrunk to its limits, and it is told so', async () => {
    const given = await told([image(await jpegOf({ width: 4000, height: 250 }), 'image/jpeg')])
    const [photo] = imagesOf(given)
    expect(photo).toMatchObject({ mimeType: 'image/jpeg', size: { width: 1568, height: 98 } })
    expect(await decoded(Buffer.from(photo?.data ?? '', 'base64'))).toMatchObject({ width: 1568, height: 98 })
    expect(textOf(given)).toContain('made smaller for you: from 4000 × 250 to 1568 × 98 pixels')
  })

  it('have their true type, whatever a server calls them', async () => {
    const png = pngOf({ width: 4, height: 4 })
    const jpeg = await jpegOf({ width: 4, height: 4 })
    const given = await told([image(png, 'image/jpeg'), file(jpeg, 'application/octet-stream'), image(jpeg, 'image/bmp')])
    expect(imagesOf(given).map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/jpeg', 'image/jpeg'])
    const fake = await told([image(Buffer.from('%PDF-1.7'), 'image/png'), file(Buffer.from('PK\x03\x04'), 'image/png')])
    expect(imagesOf(fake)).toEqual([])
    expect(textOf(fake)).toContain(
      '[image, image/png, 8 bytes: shown to the person, not to you; it is not an image of a known kind',
    )
    expect(textOf(fake)).toContain('[resource, image/png, 4 bytes: shown to the person, not to you]')
  })

  it('are notes where they are bombs or broken, and the others are seen', async () => {
    const bomb = pngFrom({ width: 60_000, height: 60_000 }, Buffer.alloc(64))
    const broken = pngFrom({ width: 60, height: 60 }, Buffer.alloc(64))
    const given = await told([image(bomb), image(broken), image(pngOf({ width: 4, height: 4 }))])
    expect(textOf(given)).toMatch(/not to you; it has too many pixels\][\s\S]*not to you; it could not be decoded\]/)
    expect(imagesOf(given)).toHaveLength(1)
  })

  it('are limited to eight of one result, and are notes where a model cannot see', async () => {
    const many = Array.from({ length: 10 }, (_, n) => image(pngOf({ width: 3 + n, height: 3 })))
    const given = await told(many)
    expect(imagesOf(given)).toHaveLength(8)
    expect(textOf(given).match(/not to you\]/g)).toHaveLength(2)
    const blind = await told(many.slice(0, 2), 'none')
    expect(imagesOf(blind)).toEqual([])
    expect(textOf(blind).match(/\[image, image\/png, \d+ bytes: shown to the person, not to you\]/g)).toHaveLength(2)
  })

  it('cost what their size costs, without drawing them', async () => {
    const large = image(pngOf({ width: 3000, height: 60 }))
    const small = image(pngOf({ width: 75, height: 100 }))
    const limits = imageLimits('anthropic', 'claude')
    const tokens = async (block: ContentBlock, fitImage: FitImage) =>
      contentTokens(imagesOf(await told([block], fitImage)), 'anthropic')
    expect(await tokens(small, fitFor())).toBe(10)
    expect(await tokens(small, measureWithin(limits))).toBe(10)
    expect(await tokens(large, measureWithin(limits))).toBe(await tokens(large, fitFor()))
    expect(await tokens(large, fitFor())).toBe(Math.ceil((1568 * 31) / 750))
  })
})

describe.each([
  ['anthropic', 'claude-sonnet-5-5', 1568],
  ['openai', 'gpt-5', 2048],
  ['openai-compatible', 'llava', 1568],
  ['openai-compatible', 'anthropic/claude-sonnet-4.5', 1568],
] as const)('a request to %s for %s', (kind, model, edge) => {
  it(`carries an image of at most ${edge} pixels, of its true type`, async () => {
    const requests: ModelApiRequest[] = []
    const api = await startModelApi((request) => {
      requests.push(request)
      return { text: 'I see.' }
    })
    onTestFinished(() => api.close())
    const content = await told(
      [image(await jpegOf({ width: 4096, height: 128 }), 'image/png'), image(gifOf({ width: 9, height: 7 }), 'image/gif')],
      fitFor(kind, model),
    )
    const baseUrl = kind === 'anthropic' ? api.url : `${api.url}/v1`
    const provider = createProvider(kind, { name: kind, baseUrl, key: 'sk-test', retries: 0 })
    const request = { model, system: '', messages: [{ role: 'user' as const, content }], tools: [] }
    for await (const _ of provider.stream(request, new AbortController().signal));

    const body = JSON.stringify(requests[0]?.body)
    const blocks =
      kind === 'anthropic'
        ? [...body.matchAll(/"media_type":"([^"]+)","data":"([^"]+)"/g)]
        : [...body.matchAll(/data:(image\/\w+);base64,([^"]+)"/g)]
    expect(blocks.map(([, type]) => type)).toEqual([
      'image/jpeg',
      kind === 'anthropic' || /claude/.test(model) ? 'image/gif' : 'image/png',
    ])
    const photo = Buffer.from(blocks[0]?.[2] ?? '', 'base64')
    expect(await decoded(photo)).toMatchObject({ width: edge, height: edge / 32 })
    expect(body).toContain(`from 4096 × 128 to ${edge} × ${edge / 32} pixels`)
  })
})
