// Installs published servers with views into a folder of their own, calls each in the built app on both shells, and takes pictures of its
// view into out/apps: wide and narrow, light and dark. `npm run app-servers`; web or electron after -- for one shell. Look at them afterwards.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTrustedServer, answer, card, consent, expectStatus, newConversation, send } from '../flows/steps.ts'
import { startShell } from '../shells/start-shell.ts'
import { root } from './run.mjs'

/** Package, version, tool. None needs a network. */
const SERVERS = [
  ['basic-vanillajs', '2.0.3', 'get-time'],
  ['budget-allocator', '2.0.3', 'get-budget-data'],
  ['cohort-heatmap', '2.0.3', 'get-cohort-data'],
  ['scenario-modeler', '2.0.3', 'get-scenario-data'],
  ['threejs', '2.0.3', 'show_threejs_scene'],
] as const
const SIZES = [1280, 700] as const

const folder = mkdtempSync(join(tmpdir(), 'parley-app-servers-'))
const pictures = join(root, 'out', 'apps')
mkdirSync(pictures, { recursive: true })
try {
  const dependencies = Object.fromEntries(SERVERS.map(([name, version]) => [`@modelcontextprotocol/server-${name}`, version]))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: folder, stdio: 'inherit' })
  const [only] = process.argv.slice(2)
  for (const kind of ['web', 'electron'] as const) if (only === undefined || only === kind) await look(kind)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function look(kind: 'web' | 'electron'): Promise<void> {
  const shell = await startShell(kind, {})
  const { page } = shell
  try {
    for (const [name, , tool] of SERVERS) {
      const program = join(folder, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')
      await addTrustedServer(shell, { name, args: [program, '--stdio'] })
      await newConversation(page)
      await send(page, `use ${name}/${tool}`)
      await answer(page, 'Allow once')
      await expectStatus(card(page, tool), 'Finished')
      const view = page.getByRole('region', { name: `View of ${name}: ${tool}` })
      const frame = view.locator('iframe')
      await frame.waitFor()
      await view.getByText('Starting the view').waitFor({ state: 'detached' })
      await page.waitForTimeout(1500)
      for (const width of SIZES) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 820 })
          await page.emulateMedia({ colorScheme })
          await view.evaluate((part) => part.scrollIntoView({ block: 'start' }))
          await page.waitForTimeout(600)
          await page.screenshot({ path: join(pictures, `${kind}-${name}-${width}-${colorScheme}.png`) })
        }
      }
      const box = await frame.boundingBox()
      const blocked = await view.getByText(/^Blocked/).allTextContents()
      console.log(
        `${kind} ${name}: ${Math.round(box?.width ?? 0)} × ${Math.round(box?.height ?? 0)} px, blocked: ${blocked.join() || 'nothing'}`,
      )
      await page.setViewportSize({ width: 1280, height: 820 })
      await page.emulateMedia({ colorScheme: 'light' })
      // Some views call a tool as soon as they start.
      if ((await consent(page).count()) > 0) await answer(page, 'Deny')
    }
  } finally {
    await shell.dispose()
  }
}
