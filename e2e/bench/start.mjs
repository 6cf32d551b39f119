// The app's start with no server, with twenty that ran before, and with twenty that are kept running: the time until a person can type, the
// host's memory, and the processes that it started by then. By turns in one run, on the web shell and on the desktop app under the double.
// Needs a build.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchChromium } from '../shells/chromium.ts'
import { HostClient } from '../shells/host-client.ts'
import { startShell } from '../shells/start-shell.ts'
import { processes, startWebProcess } from '../shells/web-process.ts'
import { median, ROUNDS, row, spread } from './report.mjs'

const CASES = [
  { name: 'no server', count: 0 },
  { name: '20 servers', count: 20 },
  { name: '20 servers that are kept running', count: 20, keepRunning: true },
]
const server = join(import.meta.dirname, '..', 'servers', 'small', 'ok.mjs')

/** A data folder whose servers all ran once, so that their lists are known. */
async function folderWith({ count, keepRunning = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const names = Array.from({ length: count }, (_, n) => `server-${n}`)
  const entries = names.map((name) => [name, { command: process.execPath, args: [server, '--name', name] }])
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }))
  const shell = await startWebProcess(folder)
  const host = await HostClient.open(shell.link)
  await host.request('settings.change', { settings: { welcomed: true } })
  if (count > 0) {
    const question = await host.until(() => host.host.interactions.find(({ kind }) => kind === 'servers-trust'), 'the question')
    const answer = { decision: 'allow', servers: question.question.servers.map(({ serverId }) => serverId) }
    await host.request('interaction.answer', { id: question.id, kind: question.kind, answer })
    const ready = () => Object.values(host.host.servers).filter(({ builtIn, state }) => !builtIn && state.is === 'ready').length
    await host.until(() => ready() === count, 'all servers', 120_000)
    for (const serverId of answer.servers) await host.request('server.setOptions', { serverId, options: { keepRunning } })
  }
  await host.close()
  await shell.quit()
  return folder
}

/** Every process below another. */
function descendants(pid) {
  const below = processes(({ parent }) => parent === pid)
  return below.concat(below.flatMap((child) => descendants(child.pid)))
}

const resident = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

/** `key` differs from those of earlier starts, which are kept as a draft. */
async function start(kind, folder, browser, key) {
  const began = performance.now()
  const shell = await startShell(kind, { folder, browser: async () => browser })
  try {
    const box = shell.page.getByRole('textbox', { name: 'Message' })
    await box.press(key)
    const time = performance.now() - began
    if (!(await box.inputValue()).includes(key)) throw new Error('The key did not arrive')
    return { time, memory: resident(shell.pid), spawned: descendants(shell.pid).length }
  } finally {
    await shell.dispose()
  }
}

const browser = await launchChromium()
const folders = new Map()
try {
  for (const one of CASES) folders.set(one, await folderWith(one))
  for (const kind of ['web', 'electron']) {
    const letters = kind === 'web' ? 'abcdefghijklm' : 'nopqrstuvwxyz'
    const figures = new Map(CASES.map((one) => [one, []]))
    for (const key of letters.slice(0, ROUNDS)) {
      for (const one of CASES) figures.get(one).push(await start(kind, folders.get(one), browser, key))
    }
    console.log(`\nStart until a key is in the composer, ${kind === 'web' ? 'web shell' : 'desktop app under the double'}`)
    const none = figures.get(CASES[0])
    for (const one of CASES) {
      const of = (key) => figures.get(one).map((figure) => figure[key])
      const beside = (key) => `×${median(figures.get(one).map((figure, round) => figure[key] / none[round][key])).toFixed(2)}`
      const time = `${spread(of('time'))} ms, ${beside('time')} of none`
      const memory = `${median(of('memory')).toFixed(0)} MiB, ${beside('memory')}`
      row(`  ${one.name}`, `${median(of('time')).toFixed(0)} ms`, `${time}; ${memory}; ${Math.max(...of('spawned'))} processes`)
    }
  }
} finally {
  await browser.close()
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
}
