import { onTestFinished } from 'vitest'
import { AuthHttp } from '../../src-main/auth/auth-http.ts'
import { Authorization, type AuthorizationParts } from '../../src-main/auth/authorization.ts'
import type { Person, SignInQuestion, TakeAddress } from '../../src-main/auth/person.ts'
import { type LookUp, Reachable } from '../../src-main/auth/reachable.ts'
import type { ConfiguredClient } from '../../src-main/auth/registration.ts'
import { type SecretBox, TokenStore } from '../../src-main/auth/token-store.ts'
import { type Connector, createConnector } from '../../src-main/transports/connector.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { browse } from './sign-in-host.ts'

/** A connector of the test's own. */
export function testConnector(): Connector {
  const connector = createConnector({})
  onTestFinished(() => connector.close())
  return connector
}

/** What discovery and sign-in for a server use, on the real network of this computer. */
export function signInHttp(serverUrl: string, lookUp?: LookUp): AuthHttp {
  return new AuthHttp({
    fetch: testConnector().request,
    reachable: new Reachable(serverUrl, lookUp),
    clock: systemClock,
  })
}

/** Secrets in memory, readable by the test. */
export class MemoryBox implements SecretBox {
  readonly texts = new Map<string, string>()

  async get(id: string): Promise<string | undefined> {
    return this.texts.get(id)
  }

  async set(id: string, value: string): Promise<void> {
    this.texts.set(id, value)
  }

  async remove(id: string): Promise<void> {
    this.texts.delete(id)
  }
}

/** A person who signs in wherever they are sent, and what they were asked. */
export class WillingPerson implements Person {
  readonly asked: SignInQuestion[] = []
  readonly clientsAsked: { readonly host: string; readonly redirectUri: string }[] = []
  /** What they enter when they are asked for a client. */
  client: ConfiguredClient | undefined

  async confirm(question: SignInQuestion, _take: TakeAddress, _signal: AbortSignal): Promise<boolean> {
    this.asked.push(question)
    void browse(question.url)
    return true
  }

  wait(_question: SignInQuestion, _take: TakeAddress, signal: AbortSignal): Promise<void> {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  }

  foreign(): void {}

  async clientFor(host: string, redirectUri: string): Promise<ConfiguredClient | undefined> {
    this.clientsAsked.push({ host, redirectUri })
    return this.client
  }
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
