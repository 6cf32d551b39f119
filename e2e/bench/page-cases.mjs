// Cases for the page: each runs once and returns its longest task and its other figures.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../scripts/run.mjs'
import { press } from '../shells/press.ts'
import { startModelApi } from '../support/model-api.ts'
import { answerText, writeLongConversation } from '../support/storage/long-conversation.ts'
import { during } from './main-thread.mjs'
import { openShell } from './open-shell.mjs'
import { median, percentile, ROUNDS } from './report.mjs'

const node = join(root, 'node_modules', '.bin', 'node')
const messages = (page) => page.getByRole('region', { name: 'Messages' })
const go = (page, name) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
const fps = ({ frames }) => `${frames.toFixed(0)} frames/s`

/** Turns the wheel over an element until `there` holds, as fast as the page takes it; gives the milliseconds. */
async function wheel(page, element, by, there, most = 300_000) {
  const start = performance.now()
  const box = await element.boundingBox()
  const [top, bottom] = [Math.max(box.y, 0), Math.min(box.y + box.height, page.viewportSize().height)]
  await page.mouse.move(box.x + box.width / 2, (top + bottom) / 2)
  while (!(await there())) {
    if (performance.now() - start > most) throw new Error('The wheel turned for too long')
    await page.mouse.wheel(0, by)
  }
  return performance.now() - start
}

const LONG = { id: 'long-conversation', title: 'A long conversation', messages: 10_000 }

/** Opens a conversation of 10,000 messages, scrolls to its first and back to its last, jumps with Home and End. */
export const longConversation = {
  name: '10,000 messages',
  // Three to five minutes each.
  rounds: Math.min(ROUNDS, 3),
  open: () => openShell({ prepare: (folder) => writeLongConversation(folder, LONG) }),
  async *round({ page }) {
    await page.getByRole('button', { name: 'New conversation' }).click()
    const article = (n) => page.locator(`#message-m-${n}`)
    const [first, last] = [article(0), article(LONG.messages - 1)]
    // By id, in the page: looking for words would be work of its own.
    const sees = (n) => () =>
      page.evaluate((id) => {
        const box = document.getElementById(id)?.getBoundingClientRect()
        const { top, bottom } = document.querySelector('.messages').getBoundingClientRect()
        return box !== undefined && box.bottom > top && box.top < bottom
      }, `message-m-${n}`)
    let took = performance.now()
    const opened = await during(page, async () => {
      await page.getByRole('link', { name: new RegExp(`^${LONG.title}`) }).click()
      await last.waitFor()
      took = performance.now() - took
      await page.waitForTimeout(500)
    })
    yield { what: 'opens', ...opened, note: `shown after ${took.toFixed(0)} ms` }
    const up = await during(page, async () => (took = await wheel(page, messages(page), -6000, sees(0))))
    yield { what: 'scrolls to the first', ...up, note: `${(took / 1000).toFixed(1)} s, ${fps(up)}` }
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    const down = await during(page, async () => (took = await wheel(page, messages(page), 6000, sees(LONG.messages - 1))))
    yield { what: 'scrolls back to the last', ...down, note: `${(took / 1000).toFixed(1)} s, ${fps(down)}; ${nodes} elements` }
    await go(page, 'Conversations')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByRole('link', { name: new RegExp(`^${LONG.title}`) }).click()
    await last.waitFor()
    await messages(page).focus()
    const start = performance.now()
    const home = await during(page, async () => {
      await page.keyboard.press('Home')
      await first.waitFor()
      took = performance.now() - start
    })
    yield { what: 'Home goes to the first', ...home, note: `${took.toFixed(0)} ms` }
  },
}

/** A page that has just changed its place puts another composer there; what was typed into the old one stays behind. */
async function sendUntilTaken(page, text) {
  for (let tries = 0; tries < 10; tries++) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('textbox', { name: 'Message' }).press('Enter')
    const stop = page.getByRole('button', { name: 'Stop' })
    if (
      await stop.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      )
    )
      return
  }
  throw new Error('The message could not be sent')
}

const DELTAS = 500
const SECONDS = 12
const CHARACTERS = 7

/** A model that says 500 pieces a second, to the real SDK, while somebody types the next message. */
export const stream = {
  name: '500 deltas a second',
  async open() {
    const text = Array.from({ length: 100 }, (_, n) => answerText(n))
      .join('\n\n')
      .slice(0, DELTAS * SECONDS * CHARACTERS)
    const api = await startModelApi(() => ({ text, rate: DELTAS }))
    const opened = await openShell()
    const config = { kind: 'anthropic', name: 'Double', baseUrl: api.url }
    await opened.host.request('provider.add', { config, key: 'sk-bench' })
    const found = () => opened.host.host.providers.find(({ name, models }) => name === 'Double' && models.length > 0)
    const { id: provider, models } = await opened.host.until(found, 'the models')
    return { ...opened, model: { provider, model: models[0].id }, end: () => Promise.all([opened.end(), api.close()]) }
  },
  async *round({ page, host, model }) {
    const { id } = await host.request('conversation.create', { model })
    await page.evaluate((where) => (location.hash = where), `#/conversations/${id}`)
    const field = page.getByRole('textbox', { name: 'Message' })
    await sendUntilTaken(page, 'Tell me everything')
    let last = 0
    const seen = await during(page, async () => {
      const end = performance.now() + (SECONDS - 2) * 1000
      while (performance.now() < end) {
        await field.press('abcdefgh '[last++ % 9])
        await page.waitForTimeout(70)
      }
    })
    const [p50, p95, most] = [median(seen.keys), percentile(seen.keys, 0.95), Math.max(...seen.keys)]
    yield { what: 'renders', ...seen, note: fps(seen) }
    yield {
      what: 'a key echoes, p95',
      longest: p95,
      note: `p50 ${p50.toFixed(1)}, most ${most.toFixed(1)} ms of ${seen.keys.length} keys`,
    }
    await page.getByRole('button', { name: 'Send' }).waitFor({ timeout: 60_000 })
    await field.fill('')
  },
}

const big = join(root, 'e2e', 'bench', 'big-results.mjs')

/** Tool results of 20 MB each: the card, the whole of it, and scrolling through. */
export const bigResults = {
  name: '20 MB result',
  async open() {
    const opened = await openShell({ servers: { big: { command: node, args: [big] } } })
    await opened.trustAll()
    return opened
  },
  async *round({ page }) {
    for (const tool of ['lines', 'one-line', 'structured', 'csv']) {
      await go(page, 'Conversations')
      await page.getByRole('button', { name: 'New conversation' }).click()
      const card = page.getByRole('group', { name: `Tool call: ${tool}`, exact: true })
      let took = 0
      const arrives = await during(page, async () => {
        await page.getByRole('textbox', { name: 'Message' }).fill(`use big/${tool}`)
        await page.getByRole('button', { name: 'Send' }).click()
        await press(page.getByRole('button', { name: 'Allow once' }))
        await card.getByText('Finished', { exact: true }).waitFor({ state: 'attached', timeout: 60_000 })
        await card.getByRole('button', { expanded: false }).first().click()
      })
      yield { what: `${tool}: the card`, ...arrives, note: '' }
      const opens = await during(page, async () => {
        took = performance.now()
        await OPENERS[tool](page, card)
        took = performance.now() - took
        await page.waitForTimeout(1000)
      })
      yield { what: `${tool}: opens`, ...opens, note: `${took.toFixed(0)} ms` }
      const whole = (tool === 'csv' ? page.getByRole('dialog') : card).getByRole('region', { name: 'Whole text' })
      const end = performance.now() + 3000
      const scrolled = await during(page, () => wheel(page, whole, 3000, async () => performance.now() > end))
      yield { what: `${tool}: scrolls`, ...scrolled, note: fps(scrolled) }
      if (tool === 'csv') await page.keyboard.press('Escape')
    }
  },
}

async function showAll(_page, card) {
  await card.getByRole('button', { name: /^Show all/ }).click()
  await card.getByRole('region', { name: 'Whole text' }).waitFor()
}

const OPENERS = {
  lines: showAll,
  'one-line': showAll,
  structured: showAll,
  async csv(page, card) {
    await press(card.getByRole('button', { name: 'Open', exact: true }))
    const viewer = page.getByRole('dialog')
    await viewer.getByText('row, 5', { exact: true }).first().waitFor()
    await viewer.getByRole('button', { name: /^Load all/ }).click()
    await viewer.getByRole('button', { name: /^Show all/ }).click({ timeout: 60_000 })
    await viewer.getByRole('region', { name: 'Whole text' }).waitFor()
  },
}

/** 100 servers with 20 tools each and one with 2,000, over Streamable HTTP. */
export const manyServers = {
  name: '100 servers',
  async open() {
    const process = spawn(node, [join(root, 'e2e', 'bench', 'many-servers.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(process.stdout, 'data')
    const url = (n, tools) => ({ url: `http://127.0.0.1:${Number(line)}/${n}/${tools}` })
    const names = Array.from({ length: 99 }, (_, n) => [`server ${String(n + 1).padStart(3, '0')}`, url(n + 1, 20)])
    const opened = await openShell({ servers: { ...Object.fromEntries(names), 'the big one': url(0, 2000) } })
    await opened.trustAll()
    return {
      ...opened,
      async end() {
        await opened.end()
        process.kill()
      },
    }
  },
  async *round({ page }) {
    await go(page, 'Conversations')
    const rows = page.getByRole('main').getByRole('list', { name: 'Servers' })
    const big = rows.getByRole('link', { name: 'the big one' })
    let took = performance.now()
    const opened = await during(page, async () => {
      await go(page, 'Servers')
      await rows.getByRole('listitem').first().waitFor()
      took = performance.now() - took
      await page.waitForTimeout(500)
    })
    yield { what: 'the Servers screen opens', ...opened, note: `${took.toFixed(0)} ms` }
    const scrolled = await during(page, () => wheel(page, rows, 400, () => big.isVisible()))
    yield { what: 'the Servers screen scrolls', ...scrolled, note: fps(scrolled) }
    const search = page.getByRole('searchbox', { name: 'Search servers' })
    const filtered = await during(page, async () => {
      await search.pressSequentially('server 07', { delay: 60 })
      await page.waitForTimeout(200)
      await search.fill('')
    })
    yield {
      what: 'the search is typed',
      ...filtered,
      note: `a key echoes in ${Math.max(...filtered.keys).toFixed(1)} ms at most`,
    }
    await search.fill('big')
    await big.click()
    const tools = page.getByRole('list', { name: 'Tools' })
    const listed = await during(page, async () => {
      await page.getByRole('tab', { name: /Tools/ }).click()
      await tools.getByRole('listitem').first().waitFor()
      await page.waitForTimeout(300)
    })
    yield { what: '2,000 tools open', ...listed, note: '' }
    const last = tools.getByText('merge_event_1999', { exact: true })
    const through = await during(page, () => wheel(page, tools, 1500, () => last.isVisible()))
    yield { what: '2,000 tools scroll to the last', ...through, note: fps(through) }
    const find = page.getByRole('searchbox', { name: 'Search tools' })
    const found = await during(page, async () => {
      await find.pressSequentially('invoice', { delay: 60 })
      await page.waitForTimeout(300)
    })
    yield { what: '2,000 tools are searched', ...found, note: `a key echoes in ${Math.max(...found.keys).toFixed(1)} ms at most` }
  },
}
