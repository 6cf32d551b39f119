import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '../shells/shell-test.ts'
import { answer, card, expectServerState, expectStatus, newConversation, official, openCall, send, trust } from './steps.ts'

test.use({
  shellOptions: {
    npm: true,
    prepare: (folder) => {
      // By its bare name, so that the PATH decides which one it is.
      const everything = { command: 'node', args: [official('server-everything'), 'stdio'] }
      return writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { everything } }))
    },
  },
})

test("a server sees none of npm start’s environment, and gets the machine's own Node (SEC-22)", async ({ shell }) => {
  const { page } = shell
  await expect(trust(page)).not.toContainText('node_modules/.bin')
  await shell.trustServer('allow')
  await expectServerState(page, 'everything', 'Ready')
  await newConversation(page)
  await send(page, 'use get-env')
  await answer(page, 'Allow once')
  const call = card(page, 'get-env')
  await expectStatus(call, 'Finished')
  await openCall(call)
  await expect(call).toContainText('PATH')
  const seen = (await call.textContent()) ?? ''
  expect(seen).not.toContain('node_modules/.bin')
  expect(seen).not.toContain('node-gyp-bin')
  expect(seen).not.toMatch(/npm_(config|lifecycle|package|execpath)/)
})
