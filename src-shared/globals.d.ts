// The only runtime globals that shared code may use: present in Node and in every browser.
declare class AbortSignal {
  static any(signals: readonly AbortSignal[]): AbortSignal
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}
declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
declare class DOMException extends Error {
  constructor(message?: string, name?: string)
}
declare class URL {
  static canParse(url: string): boolean
  static parse(url: string): URL | null
  constructor(url: string, base?: string)
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly hostname: string
  readonly host: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly username: string
  readonly password: string
}
declare class TextEncoder {
  encode(text: string): Uint8Array
}
declare function setTimeout(run: () => void, ms: number): unknown
declare function clearTimeout(timer: unknown): void
declare function structuredClone<T>(value: T): T
