import { HostError } from '../../src-shared/contract/errors.ts'
import { ask } from './ask.ts'
import { useHost } from './host-store.ts'

/** Opens an address outside the app. In a browser the page opens it, since the host may run on another computer. */
export async function openLink(url: string): Promise<void> {
  if (useHost.getState().host.shell === 'electron') {
    await ask('platform.openLink', { url })
    return
  }
  if (URL.parse(url)?.protocol !== 'https:') throw new HostError('refused', 'Only https links are opened.')
  openInNewTab(url)
}

/** Opens a new tab by a link within the click, so that the opened page gets neither opener nor referrer. */
export function openInNewTab(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) return
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}
