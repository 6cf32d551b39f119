import type { AuthorizationRequest, ClientQuestion, Person, TakeAddress, TypedClient } from '../../src-main/auth/person.ts'
import type { SecretBox } from '../../src-main/auth/token-store.ts'
import { browse } from './browse.ts'

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

/** A person who signs in wherever they are sent; records the questions. */
export class WillingPerson implements Person {
  readonly asked: AuthorizationRequest[] = []
  readonly clientsAsked: ClientQuestion[] = []
  /** The client that they enter when asked for one. */
  client: TypedClient | undefined

  async confirm(request: AuthorizationRequest, _take: TakeAddress, _signal: AbortSignal): Promise<boolean> {
    this.asked.push(request)
    void browse(request.url)
    return true
  }

  wait(_request: AuthorizationRequest, _take: TakeAddress, signal: AbortSignal): Promise<void> {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  }

  async clientFor(question: ClientQuestion): Promise<TypedClient | undefined> {
    this.clientsAsked.push(question)
    return this.client
  }
}
