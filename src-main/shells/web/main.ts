import { resolve } from 'node:path'
import { systemClock } from '../../../src-shared/base/clock.ts'
import { serveRenderer } from '../../bridge/renderer-link.ts'
import { afterRuns } from '../after-runs.ts'
import { BlobLinks } from '../blob-links.ts'
import type { DamagedChoice } from '../damaged-choice.ts'
import { openHostOrAsk } from '../open-host.ts'
import { readShellOptions } from '../options.ts'
import { callsAtQuit } from '../quit-notice.ts'
import { type OpenedBrowser, openInBrowser } from './browser.ts'
import { builtFiles } from './built-files.ts'
import { askOnPage } from './damaged-page.ts'
import { PageServer } from './page-server.ts'
import { Sessions } from './sessions.ts'
import { viteFiles } from './vite-files.ts'
import { webPlatform } from './web-platform.ts'

const clock = systemClock
/** Milliseconds to wait for a prompt of the command line that has the data folder open. */
const RUN_LIMIT = 120_000
/** `out/main` when built, `src-main/shells/web` when run from the sources. */
const here = import.meta.dirname

/** Starts the host and its page; resolves with the function that ends both. */
async function start(): Promise<() => Promise<void>> {
  const options = readShellOptions(process.argv.slice(2))
  const sessions = new Sessions(clock)
  const links = new BlobLinks()
  const { port } = options
  const choose = async (asked: DamagedChoice) => {
    let browser: Promise<OpenedBrowser | undefined> | undefined
    const tell = (link: string) => {
      console.log(`${asked.title}. Choose what to do at ${link}`)
      if (options.open) browser = openInBrowser(link, process.platform, process.env)
    }
    const start = await askOnPage(asked, port, tell, stop.signal)
    await (await browser)?.forget()
    return start
  }
  const opened = await afterRuns(() => openHostOrAsk(options.folder, webPlatform(links), clock, choose), {
    clock,
    signal: stop.signal,
    limit: RUN_LIMIT,
    onWait: () => console.log('Waiting for a prompt of the command line that has this data folder open, two minutes at most.'),
  })
  let closeFiles = async () => {}
  const server = new PageServer({
    clock,
    sessions,
    links,
    port: options.port,
    readBlob: (blob) => opened.host.storage.blobs.read(blob),
    fileOf: (blob) => opened.host.backups.fileOf(blob),
    apps: { page: (view) => opened.host.apps.page(view), report: (view, body) => opened.host.apps.report(view, body) },
    attach: (channel) => serveRenderer(channel, opened.host, { clock }),
    files: async (http, origin) => {
      if (!options.dev) return builtFiles(resolve(here, '../renderer'), origin)
      const files = await viteFiles(resolve(here, '../../..'), http, origin)
      closeFiles = () => files.close()
      return files
    },
  })
  try {
    await server.listen()
  } catch (error) {
    await opened.end()
    throw error
  }
  const freshLink = () => `${server.origin}/#t=${sessions.issue()}`
  await opened.announce(server.origin, freshLink)
  const link = freshLink()
  console.log(`Parley is open at ${link}`)
  if (process.stdin.isTTY) console.log('Press Enter for a fresh link, Ctrl+C to quit.')
  onEnter(() => console.log(`A fresh link, valid for ten minutes: ${freshLink()}`))
  let browser: OpenedBrowser | undefined
  if (options.open) browser = await openInBrowser(link, process.platform, process.env)

  return async () => {
    process.stdin.destroy()
    for (const line of callsAtQuit(opened.host.state.snapshot)) console.log(line)
    await browser?.forget()
    await opened.end()
    await closeFiles()
    await server.close()
  }
}

function onEnter(run: () => void): void {
  process.stdin.on('data', run)
  process.stdin.on('error', () => {})
}

// The terminal may be closed; servers must still be stopped.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

/** Ends a question to the person before there is a host. */
const stop = new AbortController()
const started = start()
let ending = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A running start is awaited. Later signals are ignored, since a terminal sends one to parent and child, and ending is bounded.
  process.on(signal, async () => {
    if (ending) return
    ending = true
    stop.abort(new Error('it was stopped.'))
    // A failure is reported below.
    const end = await started.catch(() => undefined)
    if (!end) return
    await end()
    process.exit(0)
  })
}
started.catch((error: unknown) => {
  console.error(`Parley did not start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
