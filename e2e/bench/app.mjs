// Waits of a person: the host's start, the size of the page, and the way from a click on Allow to the server.
// Prints ratios where a bare time would only describe the machine. Needs a build: `npm run bench` makes one.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { root } from '../scripts/run.mjs'
import { findChromium } from '../shells/chromium.ts'
import { press } from '../shells/press.ts'
import { startWebProcess } from '../shells/web-process.ts'
import { firstScripts } from '../support/script-graph.ts'
import { median, ROUNDS, row, spread } from './report.mjs'

/** Milliseconds until a bare Node has started and ended. */
function bareNode() {
  const start = performance.now()
  spawnSync(join(root, 'node_modules', '.bin', 'node'), ['-e', '0'])
  return performance.now() - start
}

async function hostReady() {
  const ratios = []
  const times = []
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  for (let round = 0; round < ROUNDS; round++) {
    const bare = bareNode()
    const start = performance.now()
    const shell = await startWebProcess(folder)
    const ready = performance.now() - start
    await shell.quit()
    times.push(ready)
    ratios.push(ready / bare)
  }
  rmSync(folder, { recursive: true, force: true })
  row(
    'host ready, as a multiple of node -e 0',
    `×${median(ratios).toFixed(1)}`,
    `${spread(ratios)}; ${median(times).toFixed(0)} ms here`,
  )
}

/** The scripts that the page needs before it shows anything: those that index.html names, and what they import. */
function initialJavaScript() {
  const folder = join(root, 'out', 'renderer')
  const first = [...firstScripts(folder).values()]
  const bytes = first.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)
  const all = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'))
  const total = all.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, 0)
  row(
    "renderer's first JavaScript, gzipped",
    `${(bytes / 1000).toFixed(1)} kB`,
    `aim 140 kB; ${first.length} of ${all.length} files, ${(total / 1000).toFixed(0)} kB in all`,
  )
}

async function allowToServer() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const stamps = join(folder, 'stamps')
  const server = join(root, 'e2e', 'bench', 'stamping-server.mjs')
  const config = { mcpServers: { stamping: { command: join(root, 'node_modules', '.bin', 'node'), args: [server, stamps] } } }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify(config))
  const shell = await startWebProcess(folder)
  const browser = await chromium.launch({ executablePath: findChromium() })
  const waits = []
  try {
    const page = await browser.newPage()
    await page.addInitScript(() => {
      addEventListener('click', () => (window.clickedAt = performance.timeOrigin + performance.now()), true)
    })
    await page.goto(shell.link)
    await press(page.getByRole('dialog', { name: 'Start this server?' }).getByRole('button', { name: 'Allow' }))
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('button', { name: 'New conversation' }).click()
    for (let round = 0; round < ROUNDS; round++) {
      await page.getByRole('textbox', { name: 'Message' }).fill(`use stamping/stamp with n=${round}`)
      await page.getByRole('button', { name: 'Send' }).click()
      await press(page.getByRole('button', { name: 'Allow once' }))
      const clicked = await page.evaluate(() => window.clickedAt)
      await page.getByText(`stamped ${round}`).first().waitFor()
      const lines = readFileSync(stamps, 'utf8').trim().split('\n')
      waits.push(Number(lines[round]) - clicked)
    }
  } finally {
    await browser.close()
    await shell.quit()
    rmSync(folder, { recursive: true, force: true })
  }
  row(
    "click on Allow to the first byte at the server's stdin",
    `${median(waits).toFixed(1)} ms`,
    `${spread(waits)} ms, through page, socket, disk and pipe`,
  )
}

await hostReady()
initialJavaScript()
await allowToServer()
