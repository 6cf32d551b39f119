import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { Reachable } from '../src-main/auth/reachable.ts'
import { refusedProblem } from '../src-main/host/doctor/remote-problems.ts'
import { SignInClients } from '../src-main/host/launch/sign-in-clients.ts'
import { toStored } from '../src-main/host/models/provider-records.ts'
import { TransportError } from '../src-main/protocol/peer/transport.ts'
import { readFeed } from '../src-main/shells/electron/updates/update-feed.ts'
import { checkedUrl } from '../src-main/transports/http/http-fetch.ts'
import type { ProviderId } from '../src-shared/contract/ids.ts'
import { addressProblem } from '../src-shared/contract/server-rules.ts'

const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
const refused = new TransportError('refused', 'It is not encrypted.')

/** Every place that lets plain http pass on this computer alone; each throws, or says a problem, for another computer. */
const PLACES: Readonly<Record<string, (address: string) => unknown>> = {
  'the form of a server': addressProblem,
  'a request to a server': (address) => void checkedUrl(address),
  'the doctor': (address) => (refusedProblem(refused, address).code === 'not-encrypted' ? 'not encrypted' : undefined),
  'the discovery of a sign-in': (address) => new Reachable('http://localhost/mcp').check(address, 'it').then(() => undefined),
  'the issuer of client credentials': (issuer) =>
    void SignInClients.of(
      { by: 'client', clientId: 'night', proof: { secret: 'hush' }, scopes: [], issuer },
      'https://mcp.example/mcp',
      undefined,
    ),
  'the address of a model': (baseUrl) =>
    void toStored('p' as ProviderId, { kind: 'openai-compatible', name: 'Own', baseUrl, models: [], headers: {} }),
  'the feed of updates': (url) => void readFeed({ url, key }),
}

const HERE = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'app.localhost',
  '127.0.0.1',
  '127.255.0.9',
  '127.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
]
const ELSEWHERE = [
  'localhost.example',
  'notlocalhost',
  '127.0.0.1.example',
  '128.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '[::2]',
  '[::ffff:7f00:1]',
]

const passes = async (place: (address: string) => unknown, host: string) => {
  try {
    return (await place(`http://${host}:8080/x`)) === undefined
  } catch {
    return false
  }
}

it.each(Object.entries(PLACES))(
  '%s takes plain http from this computer alone, by the one judge of loopback',
  async (_name, place) => {
    const passed = await Promise.all([...HERE, ...ELSEWHERE].map(async (host) => ((await passes(place, host)) ? host : '')))
    expect(passed.filter((host) => host !== '')).toEqual(HERE)
  },
)
