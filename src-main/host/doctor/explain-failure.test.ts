import { describe, expect, it } from 'vitest'
import { HandshakeError } from '../../protocol/handshake-error.ts'
import { TransportError } from '../../protocol/peer/transport.ts'
import { ProtocolError } from '../../protocol/shapes/json-rpc.ts'
import { explainFailure, isPassing } from './explain-failure.ts'

const server = {
  name: 'weather',
  launch: { type: 'remote', url: 'https://example.org/mcp', headers: {} },
  stderr: [],
} as const
const explained = (error: unknown, era: 'auto' | 'legacy' | 'modern' = 'auto') => explainFailure(error, { ...server, era })
const version = (theirs: readonly string[]) =>
  new HandshakeError('version', `It speaks ${theirs.join()}; this host speaks 2026-07-28, 2025-11-25.`, {
    offered: '2026-07-28',
    ours: ['2026-07-28', '2025-11-25'],
    theirs,
  })

describe('the failure of a server of 2026-07-28', () => {
  it('names the missing ability, and where to switch it on (V26-NEG-9, V26-ERR-4)', () => {
    const wanting = (ability: string) => new ProtocolError(-32021, 'no', { requiredCapabilities: { [ability]: {} } })
    const problem = explained(wanting('sampling'))
    expect(problem).toMatchObject({ code: 'missing-ability', what: expect.stringContaining('asking your model') })
    expect(problem.todo).toContain('Permissions')
    expect(problem.remedies).toEqual([{ is: 'allow-sampling' }])
    expect(explained(wanting('elicitation')).what).toContain('asking you with forms')
    expect(explained(wanting('roots')).what).toContain('seeing your folders')
  })

  it('leads to no retry where an ability is missing (V26-ERR-4)', () => {
    expect(isPassing(new ProtocolError(-32021, 'no', { requiredCapabilities: { sampling: {} } }))).toBe(false)
  })

  it('says that headers and body differ (V26-HTTP-18)', () => {
    expect(explained(new ProtocolError(-32020, 'Mcp-Name differs'))).toMatchObject({
      code: 'header-mismatch',
      what: expect.stringContaining('headers'),
      said: 'Mcp-Name differs',
    })
  })

  it('shows the versions of both sides when they have none in common (V26-NEG-2, V26-NEG-5)', () => {
    expect(explained(version(['2031-01-01'])).said).toMatch(/2031-01-01.*2026-07-28.*2025-11-25/)
  })

  it.each([
    ['modern', version([])],
    ['modern', new TransportError('http', 'HTTP 404', { status: 404 })],
    ['legacy', version(['2026-07-28'])],
    ['legacy', new ProtocolError(-32601, 'no initialize')],
  ] as const)('points to the choice “%s” when the server speaks another version (V26-NEG-24)', (era, error) => {
    expect(explained(error, era).todo).toMatch(/Automatic/)
    expect(explained(error).todo).not.toMatch(/Automatic/)
  })

  it.each([401, 403, 429, 503])('does not blame the choice for a status of %i (V26-NEG-19)', (status) => {
    expect(explained(new TransportError('http', 'no', { status }), 'modern').todo).not.toMatch(/Automatic/)
  })
})

describe('the failure to reach a remote server', () => {
  const unreachable = (errno: string) => explained(new TransportError('unreachable', 'example.org cannot be reached', { errno }))

  it.each([
    ['ENOTFOUND', 'Could not find “weather”: its host name does not resolve.'],
    ['EAI_AGAIN', 'The host name of “weather” could not be looked up.'],
    ['ECONNREFUSED', 'Nothing is listening on example.org:443.'],
    ['UND_ERR_CONNECT_TIMEOUT', '“weather” did not answer in time.'],
    ['EHOSTUNREACH', 'There is no route to example.org:443.'],
    ['ECONNRESET', 'The connection to “weather” was closed.'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of “weather” is self-signed.'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'The certificate of “weather” was not issued by an authority that this computer trusts.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', '“weather” answered without TLS.'],
    ['EPROTO', 'TLS with “weather” failed (EPROTO).'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS with “weather” failed (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION).'],
    ['ENEW', '“weather” could not be reached (ENEW).'],
  ])('is told for %s once, without a guess', (errno, what) => {
    expect(unreachable(errno)).toMatchObject({ what })
    expect(unreachable(errno).said).toBeUndefined()
  })

  it.each([
    [401, 'rejected the key'],
    [403, 'refused a request with the key'],
  ])('names a rejected key or a refused request (%i)', (status, words) => {
    const launch = { type: 'remote', url: 'https://example.org/mcp', headers: { 'X-Api-Key': { text: 'k' } } } as const
    const { what } = explainFailure(new TransportError('http', 'no', { status }), { ...server, launch })
    expect(what).toBe(`“weather” ${words} in X-Api-Key (${status}).`)
  })

  it('names a redirect by its target, whatever the message says', () => {
    const refused = (details: { readonly redirectsTo?: string }) =>
      explained(new TransportError('refused', 'It redirects to no place.', details)).code
    expect(refused({ redirectsTo: 'https://portal.example/login' })).toBe('redirected')
    expect(refused({})).toBe('refused')
  })

  it('does not claim that a remote server was started', () => {
    const silent = new HandshakeError('timeout', 'It did not answer.', { offered: '2025-11-25', ours: [], theirs: [] })
    expect(explained(silent).what).toBe('“weather” never answered the handshake.')
  })
})
