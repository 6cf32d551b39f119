// The built web shell on a folder of its own, a Chromium whose pages are watched, and a client to prepare things with.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostClient } from '../shells/host-client.ts'
import { WebShell } from '../shells/web-shell.ts'
import { onEmptyPage, watchMainThread } from './main-thread.mjs'

/** Milliseconds that the empty page is watched for. */
const EMPTY_TIME = 2000
const settings = { welcomed: true, theme: 'light' }

/**
 * `prepare` fills the folder before the host starts. What it resolves to is closed with `end()`. `page` is open on the new
 * conversation; `empty()` is the longest task of an empty page in the same browser now.
 */
export async function openShell({ servers = {}, prepare = async () => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  await prepare(folder)
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  const shell = new WebShell(folder, { viewport: { width: 1280, height: 820 } }, async () =>
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  )
  await shell.start()
  const host = await HostClient.open(await shell.freshLink())
  await host.request('settings.change', { settings })
  await watchMainThread(shell.context)
  const first = shell.page
  const page = await shell.openWindow()
  await first.close()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return {
    host,
    page,
    empty: () => onEmptyPage(shell.context, page.url(), EMPTY_TIME),
    /** Allows every server to start, as its person would, and waits until all are ready. */
    async trustAll() {
      const wanted = Object.keys(servers).length
      const asking = () => host.host.interactions.filter(({ kind }) => kind === 'server-trust' || kind === 'servers-trust')
      const ready = () => Object.values(host.host.servers).filter(({ builtIn, state }) => !builtIn && state.is === 'ready').length
      while (ready() < wanted) {
        const asked = await host.until(() => (asking().length > 0 ? asking() : ready() === wanted), 'the servers', 120_000)
        if (asked === true) break
        for (const { id, kind, question } of asked) {
          const all = kind === 'servers-trust' && { servers: question.servers.map(({ serverId }) => serverId) }
          await host.request('interaction.answer', { id, kind, answer: { decision: 'allow', ...all } })
        }
        await host.until(() => asking().every(({ id }) => !asked.some((one) => one.id === id)), 'the answers')
      }
    },
    async end() {
      await host.close()
      await shell.dispose()
    },
  }
}
