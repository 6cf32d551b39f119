import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../shells/shell-test.ts'
import { type ModelReply, startModelApi } from '../support/model-api.ts'
import {
  addLocalServer,
  answer,
  chooseModel,
  expectServerState,
  expectShown,
  expectStatus,
  goTo,
  newConversation,
  send,
  server,
  serverRow,
  trust,
} from './steps.ts'

const node = process.execPath

test.describe('a server that cannot work', () => {
  const CASES = [
    {
      name: 'missing',
      command: 'no-such-program-anywhere',
      args: '',
      says: [/no-such-program-anywhere.* was not found/, /full path/],
    },
    { name: 'leaver', command: node, args: `"${server('small/exits-at-once.mjs')}"`, says: [/API_BASE/, /exit code 3/] },
    { name: 'oldtimer', command: node, args: `"${server('small/wrong-version.mjs')}"`, says: [/revision|version/i] },
  ] as const

  test('says in its row, page or log what failed and what to do, and mcp.json is followed live, and never overwritten while broken (SEC-07, TRAN-06, TRAN-12)', async ({
    shell,
    page,
  }) => {
    for (const { name, command, args, says } of CASES) {
      await test.step(name, async () => {
        await addLocalServer(page, { name, command, args })
        await shell.trustServer('allow')
        await expectServerState(page, name, 'Failed')
        await page.getByRole('main').getByRole('link', { name, exact: true }).click()
        for (const words of says) await expect(page.getByRole('main')).toContainText(words)
        await expect(page.getByRole('button', { name: /Try again|Start server/ }).first()).toBeVisible()
      })
    }
    // Before the last server, which stays “Starting” for 30 s: a message waits for that.
    await newConversation(page)
    await send(page, 'use playground/add with a=1 b=2')
    await answer(page, 'Allow once')
    await expectShown(page, 'add', '1 + 2 = 3')
    await test.step('one that prints garbage has it in its log', async () => {
      await addLocalServer(page, { name: 'babbler', command: node, args: `"${server('small/garbage.mjs')}"` })
      await shell.trustServer('allow')
      await expectServerState(page, 'babbler', /Starting|Failed/)
      await page.getByRole('main').getByRole('link', { name: 'babbler', exact: true }).click()
      await page.getByRole('tab', { name: 'Log' }).click()
      await expect(page.getByRole('main')).toContainText(/not JSON|no JSON|is no/i)
    })
    await test.step('alwaysAllow, autoApprove and trust in mcp.json are kept and never obeyed', async () => {
      const path = join(shell.folder, 'mcp.json')
      const entry = { command: node, args: [server('small/ok.mjs')], alwaysAllow: ['echo'], autoApprove: ['*'], trust: true }
      await goTo(page, 'Servers')
      await writeFile(path, JSON.stringify({ mcpServers: { eager: entry } }))
      await expect(trust(page)).toBeVisible()
      await shell.trustServer('deny')
      expect(JSON.parse(await readFile(path, 'utf8')).mcpServers.eager).toEqual(entry)
    })
    await test.step('mcp.json is followed live; while it does not parse it is never overwritten and Save explains', async () => {
      const path = join(shell.folder, 'mcp.json')
      await goTo(page, 'Servers')
      await writeFile(path, JSON.stringify({ mcpServers: { byhand: { command: node, args: [server('small/ok.mjs')] } } }))
      await shell.trustServer('allow')
      await expectServerState(page, 'byhand', 'Ready')

      const broken = '{ "mcpServers": { "byhand": { "command": \n'
      await writeFile(path, broken)
      await expect(page.getByText(/mcp\.json/).first()).toBeVisible()
      await expect(serverRow(page, 'byhand')).toContainText('Ready')
      await page.getByRole('button', { name: 'Add server' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add server' })
      await dialog.getByRole('textbox', { name: 'Name' }).fill('other')
      await dialog.getByRole('textbox', { name: 'Command' }).fill(node)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dialog).toContainText(/mcp\.json/)
      expect(await readFile(path, 'utf8')).toBe(broken)
    })
  })
})

test.describe('a model that misbehaves', () => {
  type Offered = (tool: string) => string
  async function startModel(page: Parameters<typeof goTo>[0], url: string): Promise<void> {
    await goTo(page, 'Settings')
    await page.getByRole('button', { name: 'Add provider' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('radio', { name: 'OpenAI-compatible', exact: true }).check()
    await form.getByRole('textbox', { name: 'Base URL' }).fill(`${url}/v1`)
    await form.getByRole('button', { name: /^(save|add)$/i }).click()
    await expect(page.getByRole('main')).toContainText('llama3.2')
    await newConversation(page)
    await chooseModel(page, 'llama3.2')
  }

  test('is told about broken arguments and unknown tools, and is stopped when it repeats the same call (TOOL-32, TOOL-16)', {
    tag: '@long',
  }, async ({ page }) => {
    const replies: ((offered: Offered) => ModelReply)[] = []
    const api = await startModelApi(({ body }) => {
      const offered = (tool: string) => new RegExp(`[\\w-]*${tool}\\b`).exec(JSON.stringify(body.tools ?? []))?.[0] ?? tool
      return replies.shift()?.(offered) ?? { calls: [{ name: offered('list-notes'), arguments: '{}' }] }
    })
    const add = (text: string) => (offered: Offered) => ({ calls: [{ name: offered('add'), arguments: text }] })
    try {
      await startModel(page, api.url)
      await test.step('is told what was wrong, and can correct itself', async () => {
        replies.push(
          add('{"a": 1, "b":'),
          () => ({ calls: [{ name: 'no_such_tool', arguments: '{}' }] }),
          add('{"a": "one"}'),
          add('{"a": 1, "b": 2}'),
          () => ({ text: 'Now it worked.' }),
        )
        await send(page, 'add one and two')
        await answer(page, 'Allow once')
        await expect(page.getByText('Now it worked.')).toBeVisible()
        await expectStatus(page.getByRole('group', { name: 'Tool call: no_such_tool', exact: true }), 'Failed')
        await expectShown(page, 'add', '1 + 2 = 3')
        expect(JSON.stringify(api.requests[1]?.body)).toMatch(/JSON/)
      })
      await test.step('is stopped when it asks for the same call forever, with the reason', async () => {
        const before = api.requests.length
        await send(page, 'list my notes for ever')
        await answer(page, 'Allow in this conversation')
        await expect(page.getByRole('main')).toContainText('with the same arguments for the 6th time')
        await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
        expect(api.requests.length - before).toBeLessThan(12)
      })
    } finally {
      await api.close()
    }
  })
})
