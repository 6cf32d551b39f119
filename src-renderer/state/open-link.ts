import { HostError } from '../../src-shared/contract/errors.ts'
import { ask } from './ask.ts'
import { useHost } from './host-store.ts'

/** Opens an address outside. In a browser the page itself does: the host may run on another computer. */
export async function openLink(url: string): Promise<void> {
  if (useHost.getState().host.shell === 'electron') {
    await ask('platform.openLink', { url })
    return
  }
  if (URL.parse(url)?.protocol !== 'https:') throw new HostError('refused', 'Only https links are opened.')
  openInNewTab(url)
}

/** By a link of its own, within the click, so that the page that opens learns nothing of this one and holds nothing of it. */
export function openInNewTab(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) return
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}
