import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { BarePage } from '../shells/bare-page.ts'
import { HostClient } from '../shells/host-client.ts'
import { startWebProcess } from '../shells/web-process.ts'
import { until } from '../support/until.ts'

const SERVER = fileURLToPath(new URL('../servers/small/app.mjs', import.meta.url))

// In the long run: it starts a browser of its own for what rarely breaks.
it.runIf(process.env.PARLEY_LONG === '1')(
  'a view’s process that is killed ends the view alone, which says so and can be opened again (APP-27)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-view-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    await writeFile(
      join(folder, 'mcp.json'),
      JSON.stringify({ mcpServers: { app: { command: process.execPath, args: [SERVER] } } }),
    )
    const shell = await startWebProcess(folder)
    onTestFinished(() => shell.quit().then(() => {}))
    const client = await HostClient.open(shell.link)
    onTestFinished(() => client.close())
    const trust = await client.until(() => client.host.interactions.find(({ kind }) => kind === 'server-trust'), 'the question')
    await client.request('interaction.answer', { id: trust.id, kind: 'server-trust', answer: { decision: 'allow' } })
    await client.until(() => Object.values(client.host.servers).some(({ state }) => state.is === 'ready'), 'the server')
    const { id } = await client.request('conversation.create', {})

    await using page = await BarePage.open(await shell.freshLink())
    await page.shows('Welcome to Parley')
    await page.read(`location.hash = '#/conversations/${id}'`)
    await client.request('conversation.send', { id, text: 'use app/show' })
    const consent = await client.until(() => client.host.interactions.find((open) => open.kind === 'tool-consent'), 'consent')
    const calls = consent.question.calls.map(({ toolCallId }) => toolCallId)
    await client.request('interaction.answer', { id: consent.id, kind: 'tool-consent', answer: { decision: 'allow', calls } })
    const runs = () =>
      until(
        () =>
          page.read(
            `document.querySelector('.app-view-tree')?.shadowRoot?.querySelector('iframe') != null && !document.body.innerText.includes('Starting the view')`,
          ),
        'the view to run',
      )
    await runs()
    expect(await page.killFrames()).toBe(1)
    await page.shows('The view did not respond and was stopped.')
    expect(await page.read(`document.querySelector('.app-view-tree') === null`)).toBe(true)
    await page.click('Open again')
    await runs()
  },
)
