import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../e2e/support/until.ts'
import { ServerHost, small, temporaryFolder } from '../../../e2e/test-hosts/server-host.ts'
import type { ConversationId, ServerId, TurnId } from '../../../src-shared/contract/ids.ts'

/** A runner of packages that starts the same server whatever the version. */
async function runner() {
  const bin = join(await temporaryFolder(), 'bin')
  await mkdir(bin, { recursive: true })
  const { command, args } = small('ok.mjs')
  await writeFile(join(bin, 'npx'), `#!/bin/sh\nexec "${command}" "${args[0]}"\n`)
  await chmod(join(bin, 'npx'), 0o755)
  const env = { PATH: { text: `${bin}:/usr/bin:/bin` } }
  return (...words: string[]) => ({ type: 'local' as const, command: 'npx', args: ['-y', ...words], env })
}

/** A host with a rule that allows two tools with any arguments. */
async function ruled(launch: Awaited<ReturnType<typeof runner>>) {
  const parley = await ServerHost.open()
  const id = await parley.ready('notes', launch('acme-notes@1.2.0'))
  const { consent, servers } = parley.host
  const tools = ['echo', 'level'].flatMap((name) => servers.tools.find(id, name) ?? [])
  await consent.rules.remember(
    {
      serverId: id,
      launchIdentity: parley.record('notes').launchIdentity,
      tools: Object.fromEntries(tools.map(({ tool, fingerprint }) => [tool.name, fingerprint])),
      powers: ['reads', 'brings-in', 'changes', 'destroys', 'sends'],
      limits: [{ is: 'any' }],
      scope: 'always',
    },
    { conversationId: 'c' as ConversationId, turnId: 't' as TurnId },
    tools,
  )
  const is = async (tool: string) => (await consent.simulate(id, tool, {})).is
  const update = async (...words: string[]) => {
    const before = parley.record('notes').launchIdentity
    await servers.edits.change(id as ServerId, { name: 'notes', launch: launch(...words) })
    await parley.answer('notes', 'allow')
    await until(() => parley.record('notes').launchIdentity !== before, 'the change to be taken')
    await parley.until('notes', 'ready')
  }
  return { parley, id, rules: consent.rules, is, update }
}

it('rules pause when the version changes, and one answer resumes those of unchanged tools', async () => {
  const { parley, id, rules, is, update } = await ruled(await runner())
  const old = parley.record('notes').launchIdentity
  expect(await is('level')).toBe('allow')
  expect(rules.pausedByUpdate(id).rules).toBe(0)
  await update('acme-notes@1.3.0')
  expect([await is('level'), await is('echo')]).toEqual(['ask', 'ask'])
  expect(rules.pausedByUpdate(id)).toEqual({ rules: 1, same: ['echo', 'level'], changed: [], gone: [] })
  await parley.call(id, 'grow')
  await until(() => rules.pausedByUpdate(id).changed.length > 0, 'the new definition')
  expect(rules.pausedByUpdate(id)).toEqual({ rules: 1, same: ['level'], changed: ['echo'], gone: [] })
  await expect(rules.resume(id, old)).rejects.toMatchObject({ code: 'conflict' })
  expect(await is('level')).toBe('ask')
  await rules.resume(id, parley.record('notes').launchIdentity)
  expect([await is('level'), await is('echo')]).toEqual(['allow', 'ask'])
  expect(rules.pausedByUpdate(id).rules).toBe(0)
  expect(rules.list()[0]?.paused).toBeUndefined()
})

it('rules resume over two updates, and not when anything but the version changed', async () => {
  const { parley, id, rules, is, update } = await ruled(await runner())
  await update('acme-notes@1.3.0')
  await update('acme-notes@2.0.0')
  expect(rules.pausedByUpdate(id).rules).toBe(1)
  await update('acme-notes@2.0.0', '--root')
  expect(rules.pausedByUpdate(id).rules).toBe(0)
  await rules.resume(id, parley.record('notes').launchIdentity)
  expect(await is('level')).toBe('ask')
  await update('acme-notes@3.0.0', '--root')
  expect(rules.pausedByUpdate(id).rules).toBe(0)
})
