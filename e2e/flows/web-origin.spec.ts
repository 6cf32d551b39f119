import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test as base, expect } from '../shells/shell-test.ts'
import { WebShell } from '../shells/web-shell.ts'
import { trust } from './steps.ts'

/** A page on another port of the same machine: what any local program, or a site that it serves, could be. */
const test = base.extend<{ elsewhere: string; web: WebShell }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  elsewhere: async ({}, use) => {
    const server: Server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><title>Elsewhere</title><p>Elsewhere</p>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    server.closeAllConnections()
    server.close()
  },
  web: async ({ shell }, use) => {
    if (!(shell instanceof WebShell)) throw new Error('This spec is about the web shell')
    await use(shell)
  },
})

test.use({
  shellOptions: {
    prepare: (folder) =>
      writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { canary: { command: 'node', args: ['canary.mjs'] } } })),
  },
})

test('a page of another port in the same browser learns nothing and can answer nothing, even with a stolen session (SEC-19, ARCH-06)', async ({
  web,
  elsewhere,
}) => {
  await test.step('even a stolen session is of no use to another origin', async () => {
    await expect(trust(web.page)).toBeVisible()
    const secret = await web.page.evaluate(() => Object.values(sessionStorage).find((value) => value.length >= 40))
    expect(secret).toBeDefined()
    const attacker = await web.context.newPage()
    await attacker.goto(elsewhere)
    const opened = await attacker.evaluate(
      ([url, session]) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url as string, ['parley.1', `session.${session}`])
          socket.onopen = () => resolve('opened')
          socket.onerror = () => resolve('refused')
        }),
      [`${new URL(web.page.url()).origin.replace('http', 'ws')}/channel`, secret],
    )
    expect(opened).toBe('refused')
  })
  await test.step('a page of another port in the same browser learns nothing and can answer nothing', async () => {
    await expect(trust(web.page)).toBeVisible()
    const { origin } = new URL(web.page.url())
    const attacker = await web.context.newPage()
    await attacker.goto(elsewhere)
    const learned = await attacker.evaluate(async (target) => {
      const reads = async (path: string, init?: RequestInit) => {
        try {
          const response = await fetch(target + path, init)
          return `${response.type} ${response.status} ${await response.text()}`
        } catch {
          return 'nothing'
        }
      }
      const connects = (protocols: string[]) =>
        new Promise<string>((resolve) => {
          const socket = new WebSocket(`${target.replace('http', 'ws')}/channel`, protocols)
          socket.onopen = () => {
            socket.send(JSON.stringify({ t: 'hello', contract: 1 }))
            socket.onmessage = (event) => resolve(String(event.data))
          }
          socket.onclose = () => resolve('nothing')
        })
      const frames = (url: string) =>
        new Promise<string>((resolve) => {
          const frame = document.createElement('iframe')
          frame.src = url
          frame.onload = () => {
            try {
              resolve(frame.contentDocument?.body.textContent ?? 'nothing')
            } catch {
              resolve('nothing')
            }
          }
          document.body.append(frame)
        })
      const loads = (url: string) =>
        new Promise<string>((resolve) => {
          const script = document.createElement('script')
          script.onload = () => resolve('loaded')
          script.onerror = () => resolve('nothing')
          script.src = url
          document.body.append(script)
        })
      const json = { 'content-type': 'application/json' }
      return {
        page: await reads('/'),
        pageWithCookies: await reads('/', { credentials: 'include' }),
        session: await reads('/session', { method: 'POST', headers: json, body: '{"token":"guess"}' }),
        simpleSession: await reads('/session', { method: 'POST', body: '{"token":"guess"}' }),
        socket: await connects(['parley.1']),
        socketWithGuess: await connects(['parley.1', `session.${'A'.repeat(43)}`]),
        frame: await frames(target),
        script: await loads(`${target}/index.html`),
        storage: `${sessionStorage.length} ${localStorage.length} ${document.cookie}`,
      }
    }, origin)
    expect(learned).toEqual({
      page: 'nothing',
      pageWithCookies: 'nothing',
      session: 'nothing',
      simpleSession: 'nothing',
      socket: 'nothing',
      socketWithGuess: 'nothing',
      frame: 'nothing',
      script: 'nothing',
      storage: '0 0 ',
    })
    // A frame of another origin tells its page nothing in any case; this one holds nothing of ours to click on, either.
    expect(attacker.frames().map((frame) => frame.url())).not.toContain(`${origin}/`)
    // The question is as open as before, and our own page still answers it.
    await expect(trust(web.page)).toBeVisible()
    await web.trustServer('deny')
  })
})

test('the address keeps no token, a fresh link shows the same question, and a used one says where to get another', async ({
  web,
}) => {
  await test.step('the address keeps no token after the page has used it', async () => {
    await expect(trust(web.page)).toBeVisible()
    expect(web.page.url()).not.toContain('#t=')
    expect(await web.context.cookies()).toEqual([])
  })
  await test.step('a link that was used says where to get another', async () => {
    const link = await web.freshLink()
    const first = await web.context.newPage()
    await first.goto(link)
    await expect(trust(first)).toBeVisible()
    const second = await web.context.newPage()
    await second.goto(link)
    await expect(second.locator('body')).toContainText(/terminal/i)
    await expect(trust(second)).toBeHidden()
  })
  await test.step('a second window of a fresh link shows the same question, and one answer settles both', async () => {
    await expect(trust(web.page)).toBeVisible()
    const second = await web.openWindow()
    await expect(trust(second)).toBeVisible()
    await trust(second).getByRole('button', { name: 'Deny' }).click()
    await expect(trust(web.page)).toBeHidden()
  })
})
