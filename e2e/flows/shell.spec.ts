import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../shells/shell-test.ts'
import { trustServer } from '../shells/start-shell.ts'
import { answer, card, expectServerState, expectStatus, newConversation, official, send, trust } from './steps.ts'

test.use({
  shellOptions: {
    prepare: (folder) => {
      const everything = { command: process.execPath, args: [official('server-everything'), 'stdio'] }
      return writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { everything } }))
    },
  },
})

test('the answer about a server is kept, an image of a tool is sandboxed, and the page runs no inline code, no eval and reaches no other host (SEC-19, SEC-22, ARCH-02)', async ({
  page,
  shell,
}) => {
  await test.step('a question survives a reload, and its answer counts', async () => {
    await expect(trust(page)).toBeVisible()
    await page.reload()
    await expect(trust(page)).toContainText(official('server-everything'))
    await trustServer(page, 'allow')
    await expectServerState(page, 'everything', 'Ready')
  })
  await test.step('what was trusted is not asked about again after a restart', async () => {
    const page = await shell.restart()
    await expectServerState(page, 'everything', 'Starts when needed')
    await expect(trust(page)).toBeHidden()
  })
  await test.step('an image of a tool is shown from its blob, sandboxed', async () => {
    const { page } = shell
    await newConversation(page)
    const served = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith('/blob/'))
    await send(page, 'use get-tiny-image')
    await answer(page, 'Allow once')
    await expectStatus(card(page, 'get-tiny-image'), 'Finished')
    const image = card(page, 'get-tiny-image').getByRole('img').first()
    await expect
      .poll(() => image.evaluate((shown) => (shown instanceof HTMLImageElement ? shown.naturalWidth : 0)))
      .toBeGreaterThan(0)
    expect((await served).headers()).toMatchObject({ 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' })
  })
  await test.step('a denied server does not run, and is not asked about again by a reload', async () => {
    const started = (...args: string[]) => ({ command: process.execPath, args: [official('server-everything'), ...args] })
    const mcpServers = { everything: started('stdio'), refused: started('stdio', 'again') }
    await writeFile(join(shell.folder, 'mcp.json'), JSON.stringify({ mcpServers }))
    await shell.trustServer('deny')
    await shell.page.reload()
    await expectServerState(shell.page, 'refused', /Denied|Stopped|Not allowed/i)
    await expect(trust(shell.page)).toBeHidden()
  })
  await test.step('the page runs no inline code, no eval and reaches no other host', async () => {
    shell.forgivePageErrors()
    const tried = await shell.page.evaluate(async () => {
      // A turn later: during an evaluation by the browser's own tools, Chromium lets eval pass.
      await new Promise((resolve) => setTimeout(resolve))
      const failed = (run: () => unknown) => {
        try {
          run()
          return false
        } catch {
          return true
        }
      }
      const script = document.createElement('script')
      script.textContent = 'globalThis.inlineRan = true'
      document.body.append(script)
      const image = new Image()
      const imageFailed = new Promise((resolve) => {
        image.onerror = () => resolve(true)
        image.onload = () => resolve(false)
      })
      image.src = 'https://example.com/track.png'
      const foreign = document.createElement('script')
      const foreignScript = new Promise((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          if (blockedURI === foreign.src) resolve(effectiveDirective)
        })
        // The policy speaks before the element does.
        foreign.onerror = () => setTimeout(resolve, 0, 'not by the policy')
        foreign.onload = () => resolve('loaded')
      })
      foreign.src = 'https://example.com/code.js'
      document.head.append(foreign)
      return {
        // biome-ignore lint/security/noGlobalEval: it has to fail
        evalFailed: failed(() => eval('1')),
        inlineRan: Reflect.has(globalThis, 'inlineRan'),
        fetchFailed: await fetch('https://example.com/').then(
          () => false,
          () => true,
        ),
        imageFailed: await imageFailed,
        foreignScript: await foreignScript,
      }
    })
    expect(tried).toEqual({
      evalFailed: true,
      inlineRan: false,
      fetchFailed: true,
      imageFailed: true,
      foreignScript: 'script-src-elem',
    })
    await expect.poll(() => shell.pageErrors.join('\n')).toContain('Content Security Policy')
  })
})
