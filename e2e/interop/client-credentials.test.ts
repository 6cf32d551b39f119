import { generateKeyPairSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SignInClients } from '../../src-main/host/launch/sign-in-clients.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import type { SignInConfig } from '../../src-shared/contract/authorization.ts'
import { CLIENT_CREDENTIALS } from '../../src-shared/mcp/extensions.ts'
import { until } from '../support/until.ts'
import { small } from '../test-hosts/server-host.ts'
import { SignInHost } from '../test-hosts/sign-in-host.ts'

const SECRET = 'canary-client-secret'
const bySecret: SignInConfig = { by: 'client', clientId: 'robot', proof: { secret: SECRET }, scopes: [] }

/** A host, and a server at whose sign-in the client `robot` was registered beforehand. */
async function registered(...[behaviour, ...more]: Parameters<typeof SignInHost.open>): Promise<SignInHost> {
  const signIn = await SignInHost.open({ registration: 'closed', refreshTokens: false, ...behaviour }, ...more)
  signIn.auth.clients.set('robot', { redirectUris: [], secret: SECRET, method: 'client_secret_basic' })
  return signIn
}

async function add({ host, server, name }: SignInHost, signIn: SignInConfig): Promise<void> {
  await host.host.servers.edits.add({ name, launch: { type: 'remote', url: server.url, headers: {} }, signIn })
  await host.answer(name, 'allow')
}

/** One for each first message of a connection to the server: true if it declared client credentials. */
function declared({ host, name }: SignInHost): readonly boolean[] {
  const { entries } = host.host.servers.configured.get(name).traffic.read(undefined)
  const hellos = entries.filter(({ text }) => text.includes('"initialize"') || text.includes('"server/discover"'))
  return hellos.map(({ text }) => text.includes(CLIENT_CREDENTIALS))
}

const asked = ({ host }: SignInHost) => host.host.state.snapshot.interactions
const requests = ({ auth }: SignInHost) => auth.seen.filter(({ params }) => params.grant_type !== undefined)

describe('a remote server with client credentials', () => {
  it('is used without a person, with a secret, for its resource, and again over a restart (XAUTH-1, XAUTH-2, XAUTH-3)', async () => {
    const signIn = await registered({ registration: 'open' }, { scopes: ['read'] })
    await add(signIn, bySecret)
    await signIn.host.until(signIn.name, 'ready')
    expect(await signIn.call()).toContain('knows you')
    expect(asked(signIn)).toEqual([])
    expect([...signIn.auth.clients.keys()]).toEqual(['robot'])
    expect(requests(signIn).map(({ params }) => params)).toEqual([
      { grant_type: 'client_credentials', resource: signIn.server.url, scope: 'read' },
    ])
    const record = signIn.host.record(signIn.name)
    expect(record.signsInAs).toEqual({ clientId: 'robot', proof: 'secret', scopes: [], issuer: signIn.auth.issuer })
    expect(record.signIn).toMatchObject({ is: 'signed-in' })
    expect(JSON.stringify(signIn.host.host.state.snapshot)).not.toContain('canary')
    expect(await readFile(join(signIn.host.folder, 'mcp.json'), 'utf8')).not.toContain('robot')
    const sent = signIn.host.host.servers.configured.get(signIn.name).traffic.read(undefined).entries
    expect(JSON.stringify(sent)).toContain('io.modelcontextprotocol/oauth-client-credentials')
    expect(JSON.stringify(sent)).not.toContain('canary')
    const again = await signIn.restarted()
    await again.host.until(again.name, 'idle')
    expect(await again.call()).toContain('knows you')
    expect(asked(again)).toEqual([])
  })

  it('keeps its client from a program in its place, which is told of no such extension; a new program gets none either (XAUTH-1)', async () => {
    const signIn = await registered()
    await add(signIn, bySecret)
    await signIn.host.until(signIn.name, 'ready')
    const before = declared(signIn)
    expect(before).toContain(true)
    const launch = small('ok.mjs')
    const { command, args } = launch
    const byHand = { mcpServers: { [signIn.name]: { command, args } } }
    await writeFile(signIn.host.storage.serverFile.path, JSON.stringify(byHand))
    await signIn.host.answer(signIn.name, 'allow')
    await until(() => declared(signIn).length > before.length, 'the program')
    await signIn.host.until(signIn.name, 'ready')
    expect(declared(signIn).slice(before.length)).not.toContain(true)
    await until(() => !signIn.host.record(signIn.name).signsInAs, 'the client to be said no longer')
    expect(signIn.host.record(signIn.name).signIn).toBeUndefined()
    const { edits } = signIn.host.host.servers
    await edits.change(signIn.name, { name: signIn.name, launch })
    expect(signIn.host.record(signIn.name).signsInAs).toBeUndefined()
    const { serverId } = await edits.add({ name: 'program', launch, signIn: bySecret })
    for (const id of [signIn.name, serverId])
      expect(await signIn.host.storage.secrets.get(SignInClients.secretId(id)), id).toBeUndefined()
  })

  it('is used with a signed key, which is sent to nobody (XAUTH-2, XAUTH-5)', async () => {
    const signIn = await registered()
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    signIn.auth.clients.set('signer', { redirectUris: [], publicKey, method: 'private_key_jwt' })
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await add(signIn, { by: 'client', clientId: 'signer', proof: { key }, scopes: ['write'] })
    await signIn.host.until(signIn.name, 'ready')
    expect(await signIn.call()).toContain('knows you')
    expect(requests(signIn)[0]?.params).toMatchObject({ grant_type: 'client_credentials', scope: 'write' })
    expect(JSON.stringify(signIn.auth.seen)).not.toContain('PRIVATE KEY')
  })

  it('shows its secret as the metadata names it, and signs with no algorithm that it does not list (XAUTH-2)', async () => {
    const posts = await registered({ authMethods: ['client_secret_post'] })
    posts.auth.clients.set('robot', { redirectUris: [], secret: SECRET, method: 'client_secret_post' })
    await add(posts, bySecret)
    await posts.host.until(posts.name, 'ready')
    expect(requests(posts).map(({ headers }) => headers.authorization)).toEqual([undefined])
    const lists = await registered({ claims: { token_endpoint_auth_signing_alg_values_supported: ['ES256'] } })
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    await add(lists, { by: 'client', clientId: 'signer', proof: { key }, scopes: [] })
    await lists.host.until(lists.name, 'needs-sign-in')
    expect(lists.signIn?.is === 'needed' && lists.signIn.problem?.what).toContain('it accepts ES256')
    expect(requests(lists)).toEqual([])
  })

  it('gets another token before one ends, and when the server rejects it, without a question (XAUTH-3)', async () => {
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const signIn = await registered({ tokenLife: 3_600 }, {}, { clock })
    await add(signIn, bySecret)
    await signIn.host.until(signIn.name, 'ready')
    const rejected = () => signIn.server.seen.filter(({ status }) => status === 401).length
    const before = rejected()
    ahead = 3_599_000
    expect(await signIn.call()).toContain('knows you')
    expect([requests(signIn).length, rejected()]).toEqual([2, before])
    for (const token of signIn.auth.tokens.values()) token.alive = false
    expect(await signIn.call()).toContain('knows you')
    expect(requests(signIn).length).toBe(3)
    expect(asked(signIn)).toEqual([])
  })

  it('gets no token and a reason: a wrong secret, a client without the right, a sign-in without this grant (XAUTH-4)', async () => {
    const signIn = await registered()
    await add(signIn, { ...bySecret, proof: { secret: 'wrong' } })
    await signIn.host.until(signIn.name, 'needs-sign-in')
    const what = () => (signIn.signIn?.is === 'needed' ? signIn.signIn.problem?.what : undefined)
    expect(what()).toContain('client “robot” or its secret is unknown (invalid_client)')
    const launch = { type: 'remote' as const, url: signIn.server.url, headers: {} }
    const change = (to: SignInConfig) =>
      signIn.host.host.servers.edits.change(signIn.name, { name: signIn.name, launch, signIn: to })
    for (const [error, words] of [
      ['unauthorized_client', 'may not sign in by itself'],
      ['unsupported_grant_type', 'it does not offer this way to sign in'],
      ['invalid_scope', 'it does not know the permissions'],
    ] as const) {
      signIn.auth.behaviour.tokenError = error
      await change({ ...bySecret, scopes: [error] })
      await until(() => what()?.includes(words), words)
    }
    signIn.auth.behaviour.tokenError = undefined
    await change(bySecret)
    await signIn.host.until(signIn.name, 'ready')
  })

  it('gets the secret for the issuer it was first used at, and no other does (XAUTH-3)', async () => {
    const signIn = await registered()
    const other = await SignInHost.open({ registration: 'closed' })
    await add(signIn, bySecret)
    await signIn.host.until(signIn.name, 'ready')
    signIn.server.protection.claims = { authorization_servers: [other.auth.issuer] }
    for (const token of signIn.auth.tokens.values()) token.alive = false
    await expect(signIn.call()).rejects.toThrow(/is for 127\.0\.0\.1.*Nothing was sent there/)
    expect(requests(other)).toEqual([])
  })

  it('is reconnected without it once a person is to sign in; a saved secret is for no other place (EXT-1, EXT-5, XAUTH-3)', async () => {
    const signIn = await registered()
    await add(signIn, bySecret)
    await signIn.host.until(signIn.name, 'ready')
    const { edits } = signIn.host.host.servers
    const at = (url: string) => ({ name: signIn.name, launch: { type: 'remote' as const, url, headers: {} } })
    const kept: SignInConfig = { ...bySecret, proof: { kept: 'secret' } }
    await expect(edits.change(signIn.name, { ...at('https://evil.example/mcp'), signIn: kept })).rejects.toMatchObject({
      code: 'invalid-params',
    })
    await edits.change(signIn.name, { ...at(signIn.server.url), signIn: kept })
    await signIn.host.until(signIn.name, 'ready')
    expect(await signIn.call()).toContain('knows you')
    const before = declared(signIn)
    expect(before).toContain(true)
    await edits.change(signIn.name, { ...at(signIn.server.url), signIn: { by: 'browser' } })
    await until(() => declared(signIn).length > before.length, 'another connection')
    expect(declared(signIn).slice(before.length)).not.toContain(true)
    expect(signIn.host.record(signIn.name).signsInAs).toBeUndefined()
    expect(signIn.host.record(signIn.name).credentials).toEqual([])
    const { log } = signIn.host.host.servers.configured.get(signIn.name)
    expect(log.since(0, 'host')).toContain('Its way of signing in changed, so it was reconnected.')
    await signIn.host.host.servers.edits.remove(signIn.name)
    await signIn.host.end()
    const files = await readdir(signIn.host.folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile())) {
      expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(SECRET)
    }
  })
})
