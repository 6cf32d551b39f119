import { ModelError } from './model-provider.ts'

type Fetch = typeof globalThis.fetch

const MOST_REDIRECTS = 5
/** Characters of an address in a sentence. */
const SHOWN = 200

/**
 * A fetch that stays at the origin it was sent to: a request to a model carries the whole conversation and a key. Throws ModelError
 * `redirected` for what leads elsewhere, or round in a circle.
 */
export function sameOriginFetch(fetch: Fetch, name: string): Fetch {
  return async (input, init) => {
    const first = new URL(input instanceof Request ? input.url : input)
    let url = first
    for (let redirects = 0; ; redirects++) {
      const response = await fetch(redirects === 0 ? input : url, { ...init, redirect: 'manual' })
      const target = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (target === null) return response
      const next = URL.parse(target, url.href) ?? undefined
      if (next?.origin !== first.origin || redirects === MOST_REDIRECTS) {
        await response.body?.cancel()
        throw redirected(name, first, next?.origin === first.origin ? undefined : (next?.origin ?? target.slice(0, SHOWN)))
      }
      // Any other status would make a GET of it: what was asked would be lost on the way.
      if (!KEEPING.has(response.status) && (init?.method ?? 'GET') !== 'GET') return response
      await response.body?.cancel()
      url = next
    }
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const KEEPING = new Set([307, 308])

function redirected(name: string, { origin }: URL, elsewhere: string | undefined): ModelError {
  if (elsewhere === undefined) {
    return new ModelError('redirected', `${name} at ${origin} redirects without end.`, {
      todo: 'Correct its address.',
    })
  }
  return new ModelError('redirected', `${name} at ${origin} redirects to ${elsewhere}. Nothing was sent there.`, {
    todo: 'If you trust that place, enter its address instead.',
  })
}
