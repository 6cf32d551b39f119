import { onTestFinished } from 'vitest'
import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization, type AuthorizationParts } from '../../src-main/auth/authorization.ts'
import { type LookUp, Reachable } from '../../src-main/auth/reachable.ts'
import { TokenStore } from '../../src-main/auth/token-store.ts'
import { type Connector, createConnector } from '../../src-main/transports/http/connector.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { MemoryBox, WillingPerson } from './willing-person.ts'

/** A connector of the test's own. */
export function testConnector(): Connector {
  const connector = createConnector({})
  onTestFinished(() => connector.close())
  return connector
}

/** The HTTP of discovery and sign-in, on the real network of this computer. */
export function signInHttp(serverUrl: string, lookUp?: LookUp): AuthHttp {
  return new AuthHttp({
    fetch: testConnector().request,
    reachable: new Reachable(serverUrl, lookUp),
    clock: systemClock,
  })
}

/** One server's authorization with a willing person, as the host would make it. */
export function testAuthorization(serverUrl: string, parts: Partial<AuthorizationParts> = {}, person = new WillingPerson()) {
  const box = new MemoryBox()
  const store = new TokenStore({ secrets: box, owner: 'test' })
  const authorization = new Authorization({
    serverUrl,
    store,
    http: signInHttp(serverUrl),
    clock: systemClock,
    person: () => person,
    signal: new AbortController().signal,
    ...parts,
  })
  return { authorization, person, store, box }
}
