import type { Page } from '@playwright/test'
import { expect, test } from '../shells/shell-test.ts'
import { startModelApi } from '../support/model-api.ts'
import { answerText, writeLongConversation } from '../support/storage/long-conversation.ts'
import { connectModel } from './question-steps.ts'
import { chooseModel, goTo, newConversation, send } from './steps.ts'

const MESSAGES = 10_000
const list = (page: Page) => page.getByRole('region', { name: 'Messages' })
const article = (page: Page, n: number) => page.locator(`#message-m-${n}`)

test.describe('a conversation of 10,000 messages', () => {
  test.use({
    shellOptions: {
      prepare: (folder) => writeLongConversation(folder, { id: 'long', title: 'A long one', messages: MESSAGES }),
    },
  })

  test.beforeEach(async ({ page }) => {
    await goTo(page, 'Conversations')
    await page.getByRole('link', { name: /^A long one/ }).click()
    await expect(article(page, MESSAGES - 1)).toBeInViewport()
  })

  test('builds at most a few hundred of its messages, wherever the person reads', async ({ page }) => {
    const built = () => page.getByRole('article').count()
    // At leisure it builds some of what is not in sight, for the search on the page, and then no more.
    await expect.poll(built).toBeGreaterThan(100)
    await expect.poll(() => page.evaluate(() => document.querySelectorAll('.messages *').length)).toBeLessThan(20_000)
    await list(page).hover()
    await expect(async () => {
      await page.mouse.wheel(0, -4000)
      expect(await built()).toBeLessThanOrEqual(200)
      expect(await article(page, MESSAGES - 400).count()).toBe(1)
    }).toPass({ intervals: [20] })
  })

  test('keeps the place while earlier messages load', async ({ page }) => {
    await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(150)
    // At once, since more is built at leisure.
    const first = await list(page).evaluate((element) => {
      element.scrollTop = 0
      return element.querySelector('article')?.id
    })
    const top = () => page.evaluate((id) => document.getElementById(id ?? '')?.getBoundingClientRect().top, first)
    await expect.poll(() => page.getByRole('article').first().getAttribute('id')).not.toBe(first)
    const frame = await list(page).boundingBox()
    expect(Math.abs(((await top()) ?? Number.NaN) - (frame?.y ?? 0))).toBeLessThan(80)
  })

  test('goes to the first message by Home, to the last by End, and to earlier ones by Page Up', async ({ page }) => {
    await list(page).focus()
    await page.keyboard.press('PageUp')
    await expect(article(page, MESSAGES - 1)).not.toBeInViewport()
    await page.keyboard.press('Home')
    await expect(article(page, 0)).toBeInViewport({ timeout: 120_000 })
    await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0)
    await page.keyboard.press('PageDown')
    await expect(article(page, 0)).not.toBeInViewport()
    await page.keyboard.press('End')
    await expect(article(page, MESSAGES - 1)).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Go to the latest' })).toHaveCount(0)
  })

  test('goes to the first message even while the page before is loading', async ({ page }) => {
    let ask = false
    let arrive = () => {}
    const onItsWay = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.routeWebSocket(/\/channel$/, (socket) => {
      const host = socket.connectToServer()
      socket.onMessage((frame) => {
        const first = !ask && String(frame).includes('"message.page"')
        ask ||= first
        void (first ? onItsWay : Promise.resolve()).then(() => host.send(frame))
      })
    })
    await page.reload()
    await expect(article(page, MESSAGES - 1)).toBeInViewport()
    await expect(async () => {
      await list(page).evaluate((element) => element.scrollTo(0, 0))
      expect(ask).toBe(true)
    }).toPass()
    await list(page).press('Home')
    arrive()
    await expect(article(page, 0)).toBeInViewport({ timeout: 120_000 })
  })
})

test('a stream is redrawn at most once a frame, and typed text stays', async ({ shell, page }) => {
  const text = `${[0, 1, 2, 3].map(answerText).join('\n\n')}\n\nThat is all.\n\n`
  let seen = false
  const api = await startModelApi(() => ({ text, rate: 200, again: () => !seen }))
  try {
    await connectModel(page, api.url)
    await newConversation(page)
    await chooseModel(page, 'claude sonnet 5 5')
    await page.evaluate(() => {
      const counted = { frames: 0, changes: 0, most: 0, inFrame: 0 }
      Object.assign(window, { counted })
      const frame = () => {
        counted.frames += 1
        counted.inFrame = 0
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
      // An observer hears once of all that one commit changed.
      new MutationObserver((records) => {
        if (!records.some(({ target }) => target.parentElement?.closest('.message-parts'))) return
        counted.changes += 1
        counted.inFrame += 1
        counted.most = Math.max(counted.most, counted.inFrame)
      }).observe(document.body, { childList: true, characterData: true, subtree: true })
    })
    await send(page, 'tell me')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('and meanwhile')
    const counted = () => page.evaluate<{ changes: number; frames: number }>(() => Reflect.get(window, 'counted'))
    await expect.poll(async () => (await counted()).changes).toBeGreaterThan(5)
    seen = true
    await expect(list(page)).toContainText('That is all.')
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('and meanwhile')
    const { changes, frames } = await counted()
    expect(changes).toBeLessThanOrEqual(frames)
    expect(shell.pageErrors).toEqual([])
  } finally {
    seen = true
    await api.close()
  }
})
