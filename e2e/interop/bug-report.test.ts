import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bugReport } from '../../src-renderer/servers/log/bug-report.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { answer, question } from '../test-hosts/open-question.ts'
import { ServerHost, small } from '../test-hosts/server-host.ts'
import { SignInHost } from '../test-hosts/sign-in-host.ts'

/** The page's bug report of a server: the doctor's report, and all that is kept of its traffic. */
async function reportOf({ host }: ServerHost, name: string): Promise<string> {
  const { id, traffic } = host.servers.configured.get(name as ServerId)
  const { report } = await host.servers.doctor.diagnose(id, new AbortController().signal)
  return bugReport(name, report, traffic.read(undefined).entries, '1.2.3')
}

/** In the forms that a secret travels in. */
const forms = (secret: string) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]

function expectNone(report: string, secrets: readonly string[]): void {
  expect(secrets.flatMap(forms).filter((form) => report.includes(form))).toEqual([])
}

describe('a bug report', () => {
  it('of a local server has no value of a variable and no secret of its arguments, even when the server repeats them (SEC-25)', async () => {
    const secrets = ['canary-variable-0001', 'canary-flag-0002', 'canary-word-0003', 'canary-docker-0004']
    const [variable = '', flag = '', word = '', docker = ''] = secrets
    const args = ['--token', word, `--api-key=${flag}`, '-e', `DB_PASSWORD=${docker}`, '--verbose', 'kept']
    const host = await ServerHost.open()
    const id = await host.ready('local', small('ok.mjs', args, { API_TOKEN: { text: variable }, CITY: { text: 'Rome' } }))
    expect(await host.call(id, 'env')).toContain(variable)
    const report = await reportOf(host, id)
    expect(report).toContain('--verbose kept')
    expect(report).toContain('Variables: API_TOKEN, CITY')
    expect(report).toContain('"method":"tools/call"')
    expectNone(report, secrets)
  })

  it('of a remote server has no header, no token of its address and none of its sign-in, even when it repeats them (SEC-25, AUTH-16)', async () => {
    const secrets = ['canary-header-0001', 'canary-query-0002', 'canary-basic-0003']
    const [header = '', query = '', basic = ''] = secrets
    const server = createServer((request, response) => {
      const { authorization } = request.headers
      const said = `${request.headers['x-api-key']} came by ${request.url}; authorization: ${authorization}`
      response.writeHead(500, { 'content-type': 'text/plain', 'set-cookie': `session=${query}` }).end(said)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?access_token=${query}`
    const headers = { 'X-Api-Key': { text: header }, Authorization: { text: `Basic ${basic}` } }
    const host = await ServerHost.open()
    await host.host.servers.edits.add({ name: 'far', launch: { type: 'remote', url, headers } })
    await host.answer('far', 'allow')
    await host.until('far', 'failed')
    const report = await reportOf(host, 'far')
    expect(report).toContain('/mcp?access_token=')
    expect(report).toContain('Headers: X-Api-Key, Authorization')
    expect(report).toContain('came by')
    expectNone(report, secrets)
  })

  it('has nothing that was typed into a form with a secret (ELIC-28, SEC-25)', async () => {
    const host = await ServerHost.open()
    const id = await host.ready('asks', small('asks.mjs'))
    const called = host.host.byHand.call(id, 'ask', { what: 'secrets' }, new AbortController().signal)
    await question(host.host, 'elicitation-form')
    const content = { q1: 'canary "word" 0001', pin: '417', note: 'kept-note' }
    await answer(host.host, 'elicitation-form', { action: 'accept', content })
    expect(JSON.stringify(await called)).toContain('417')
    const report = await reportOf(host, id)
    expect(report).toContain('kept-note')
    expectNone(report, ['canary "word" 0001', 'canary'])
    expect(report).not.toMatch(/pin\W{1,8}417/)
  })

  it('has no tokens, codes and verifiers of a sign-in (AUTH-16, SEC-25)', async () => {
    const signing = await SignInHost.open()
    await signing.ready()
    await signing.call()
    signing.auth.expire()
    await signing.call()
    Object.assign(signing.server.protection, { leaks: true })
    await signing.call().catch(() => {})
    const report = await reportOf(signing.host, signing.name)
    expect(signing.auth.tokens.size).toBeGreaterThan(1)
    const secrets = [...signing.auth.tokens.keys(), ...signing.auth.refreshTokens.keys()]
    expect(report).toContain('/oauth2/token')
    expect(report).toContain('→ 500')
    expectNone(report, secrets)
    for (const name of ['code', 'code_verifier', 'refresh_token', 'access_token']) {
      expect(report).not.toMatch(new RegExp(`[?&"]${name}"?[=:]\\s*"?[A-Za-z0-9]`))
    }
  })
})
