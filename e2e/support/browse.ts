export interface Ended {
  readonly url: string
  readonly status: number
  readonly text: string
}

/** Follows redirects like a browser, until an address does not answer. */
export async function browse(first: string): Promise<Ended> {
  let url = first
  for (let hops = 0; hops < 10; hops++) {
    let response: Response
    try {
      response = await fetch(url, { redirect: 'manual' })
    } catch {
      return { url, status: 0, text: '' }
    }
    const next = response.headers.get('location')
    if (next === null) return { url, status: response.status, text: await response.text() }
    await response.body?.cancel()
    url = new URL(next, url).href
  }
  throw new Error('The browser went in circles.')
}
