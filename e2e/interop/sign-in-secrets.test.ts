import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SignInHost } from '../test-hosts/sign-in-host.ts'

/** Every file of a data folder as text; the secret store is the one place where secrets may be. */
async function written(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/^\.?secrets\.json/.test(entry.name))
  return Promise.all(files.map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), 'latin1')] as const))
}

describe('the secrets of a sign-in', () => {
  it('are in the secret store and nowhere else: not in events, the snapshot, the log, the traffic, errors or files (AUTH-18, AUTH-19, AUTH-26)', async () => {
    const signing = await SignInHost.open(
      { registration: 'with-secret', authMethods: ['client_secret_basic'] },
      { scopes: ['basic'] },
    )
    const { host } = signing.host
    const told: string[] = []
    const stop = host.state.onEvent((_seq, event) => told.push(JSON.stringify(event)))
    const failed: string[] = []
    const note = (error: unknown) => {
      for (let cause = error; cause instanceof Error; cause = cause.cause) failed.push(cause.message, cause.stack ?? '')
    }
    await signing.ready()
    await signing.call()
    signing.auth.expire()
    await signing.call()
    Object.assign(signing.server.protection, { leaks: true })
    await signing.call().catch(note)
    Object.assign(signing.server.protection, { leaks: false })
    signing.auth.revokeAll()
    signing.auth.behaviour.tokenError = 'invalid_request'
    const call = signing.call().catch(note)
    await signing.signInOnce()
    await call
    expect(failed.join()).toMatch(/invalid_request/)
    // A start that fails with a body full of secrets.
    Object.assign(signing.auth.behaviour, { tokenError: undefined })
    await host.servers.controls.authorize(signing.name)
    await signing.signInOnce()
    Object.assign(signing.server.protection, { leaks: true })
    await host.servers.controls.stop(signing.name)
    await host.servers.controls.start(signing.name)
    const { problem } = await signing.host.until(signing.name, 'failed')
    expect(problem.said).toContain('confused')

    stop()
    const everything = new Map<string, string>([
      ['events', told.join('\n')],
      ['errors', failed.join('\n')],
      ['snapshot', JSON.stringify(host.state.snapshot)],
      ['traffic', JSON.stringify(host.servers.configured.get(signing.name).traffic.read(undefined))],
      ['log', (await signing.host.log(signing.name)).join('\n')],
      ['addresses', signing.server.seen.map(({ url }) => url).join('\n')],
      ...(await written(signing.host.folder)),
    ])
    const { secrets } = signing.auth
    expect([...secrets].map((secret) => secret.split('-')[1])).toEqual(
      expect.arrayContaining(['client', 'code', 'access', 'refresh']),
    )
    expect(secrets.size).toBeGreaterThan(8)
    for (const secret of secrets) {
      const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')]
      for (const form of forms) {
        expect(
          [...everything].filter(([, text]) => text.includes(form)).map(([name]) => `${secret.slice(0, 20)} in ${name}`),
        ).toEqual([])
      }
    }
    const store = await readFile(join(signing.host.folder, 'secrets.json'), 'utf8')
    expect(store.length).toBeGreaterThan(0)
  })
})
