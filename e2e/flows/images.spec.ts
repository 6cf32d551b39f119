import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { decoded } from '../support/pictures.ts'
import { connectModel } from './question-steps.ts'
import { addTrustedServer, answer, card, chooseModel, expectStatus, newConversation, send, server } from './steps.ts'

test('a picture of a server is shown to the person as it is, and to the model in the size that it takes', async ({
  page,
  shell,
}) => {
  const api = await startModelApi(({ body }, n) => {
    const name = /[\w-]*take\b/.exec(JSON.stringify(body.tools ?? []))?.[0] ?? 'take'
    return n === 0 ? { calls: [{ name, arguments: '{}' }] } : { text: 'It is grey.' }
  })
  try {
    await connectModel(page, api.url)
    await addTrustedServer(shell, { name: 'camera', args: [server('small/camera.mjs')] })

    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await send(page, 'take a picture')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'take'), 'Finished')
    await expect(page.getByText('It is grey.')).toBeVisible()
    const shown = card(page, 'take').getByRole('img')
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
      .toEqual([3000, 2000])

    const body = JSON.stringify(api.requests[1]?.body)
    const [, type, data = ''] = /"media_type":"([^"]+)","data":"([^"]+)"/.exec(body) ?? []
    expect(type).toBe('image/png')
    const sent = await decoded(Buffer.from(data, 'base64'))
    expect([sent.width, sent.height]).toEqual([1568, 1045])
    expect(sent.at(700, 522)[0]).toBeGreaterThan(120)
    expect(sent.at(700, 522)[0]).toBeLessThan(135)
    expect(body).toContain('from 3000 × 2000 to 1568 × 1045 pixels')
  } finally {
    await api.close()
  }
})
