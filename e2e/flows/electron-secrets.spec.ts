import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DoubleShell } from '../shells/double-shell.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { goTo } from './steps.ts'

const KEY = 'sk-canary-0123456789'

const test = base.extend<{ app: DoubleShell }>({
  app: async ({ shell }, use) => {
    if (!(shell instanceof DoubleShell)) throw new Error('This spec is about the desktop shell')
    await use(shell)
  },
})

/** Saves a provider's key the way the page does. */
async function saveKey(app: DoubleShell): Promise<void> {
  const params = { config: { kind: 'openai-compatible', name: 'Local', baseUrl: 'http://127.0.0.1:9/v1' }, key: KEY }
  const message = JSON.stringify({ t: 'request', id: 1_000_000, name: 'provider.add', params })
  await app.order({ do: 'ipc', from: 'page', channel: 'parley', message })
}

/** Every file of the data folder, as text. One that is gone before it is read, as files that replace others are, holds nothing. */
async function written(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return (await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))).join('\n')
}

test.describe('a key', () => {
  test("is stored only as the system's key store has encrypted it (SEC-18)", async ({ app }) => {
    await saveKey(app)
    await expect.poll(() => app.called('safeStorage.encryptStringAsync').length).toBeGreaterThan(0)
    await expect.poll(() => written(app.folder)).toContain('electron-safeStorage')
    expect(await written(app.folder)).not.toContain(KEY)
    await app.restart()
    await expect.poll(() => app.called('safeStorage.decryptStringAsync').length).toBeGreaterThan(0)
  })
})

test.describe('a system without a keyring, where Chromium encrypts with a public key', () => {
  test.use({ shellOptions: { env: { PARLEY_DOUBLE_KEYRING: 'none' } } })

  test('warns a person before a key is entered, and stores nothing encrypted with it (SEC-18)', async ({ page, app }) => {
    await test.step('a person is told before a key is entered', async () => {
      await goTo(page, 'Settings')
      await page.getByRole('button', { name: 'Add provider' }).first().click()
      const key = page.getByRole('dialog').getByRole('textbox', { name: 'API key' })
      await expect(key).toHaveAccessibleDescription(
        /unencrypted in a file that only your account can read, since this system has no key store/,
      )
    })
    await test.step('nothing is sealed with it', async () => {
      await saveKey(app)
      await expect.poll(() => written(app.folder)).toContain('Local')
      expect(await written(app.folder)).not.toContain('electron-safeStorage')
    })
  })
})
