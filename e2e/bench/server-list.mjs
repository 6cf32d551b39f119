// The time until the list of servers is there, and the JavaScript that it takes: ours beside the official Inspector's web client,
// in one run, by turns, in one Chromium.
import { gzipSync } from 'node:zlib'
import { INSPECTOR, startInspector } from './inspector.mjs'
import { openShell } from './open-shell.mjs'
import { median, ROUNDS, row, spread } from './report.mjs'

const NAMES = Array.from({ length: 10 }, (_, n) => `catalogued-${n}`)
const servers = Object.fromEntries(NAMES.map((name) => [name, { command: 'node', args: ['server.mjs'], disabled: true }]))

/** In the page: notes the frame after the one in which every name is there, in milliseconds since the navigation began. */
function noteWhenListed(names) {
  const look = () => {
    const text = document.body?.textContent ?? ''
    if (names.every((name) => text.includes(name))) requestAnimationFrame(() => (window.listedAt = performance.now()))
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Loads the page of the address with an empty cache; returns milliseconds, and gzipped bytes of its scripts. */
async function load(page) {
  const scripts = []
  const note = (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body().catch(() => Buffer.alloc(0)))
  }
  page.on('response', note)
  await page.bringToFront()
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(() => window.listedAt !== undefined)
  page.off('response', note)
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0)
  return { time: await page.evaluate(() => window.listedAt), bytes }
}

async function prepare(page) {
  // Scripts from elsewhere cannot be part of the measure.
  await page.route(/^https:/, (route) => route.abort())
  await page.addInitScript(noteWhenListed, NAMES)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
}

export async function besideInspector() {
  const ours = await openShell({ servers })
  const inspector = await startInspector(servers)
  try {
    await prepare(ours.page)
    await ours.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Servers' }).click()
    const theirs = inspector && (await ours.page.context().newPage())
    if (theirs) {
      await prepare(theirs)
      await theirs.goto(inspector.link)
    }
    const rounds = []
    for (let n = 0; n < ROUNDS; n++) rounds.push({ ours: await load(ours.page), theirs: theirs && (await load(theirs)) })
    const times = (who) => rounds.map((round) => round[who].time)
    const told = (who) => `${(rounds[0][who].bytes / 1000).toFixed(1)} kB of JavaScript, gzipped; ${spread(times(who))} ms`
    console.log('\nTime to the rendered list of ten servers, nothing cached')
    row('  ours', `${median(times('ours')).toFixed(0)} ms`, told('ours'))
    if (!theirs) {
      console.log(`  ${INSPECTOR} could not be fetched: there is nothing to stand beside`)
      return
    }
    row(`  ${INSPECTOR}`, `${median(times('theirs')).toFixed(0)} ms`, told('theirs'))
    const ratio = median(rounds.map((round) => round.ours.time / round.theirs.time))
    row('  ours, as a share of it', `×${ratio.toFixed(2)}`, `aim ×0.5 and 250 kB; ${ratio <= 0.5 ? 'met' : 'MISSED'}`)
  } finally {
    await inspector?.end()
    await ours.end()
  }
}
