import { homedir, totalmem } from 'node:os'
import {
  app,
  type BrowserWindow,
  dialog,
  type MessageBoxOptions,
  Notification,
  type OpenDialogOptions,
  safeStorage,
  shell,
} from 'electron'
import { defined } from '../../../src-shared/base/defined.ts'
import { HostError } from '../../../src-shared/contract/errors.ts'
import type { Platform, Updates } from '../../host/core/platform.ts'
import type { BlobLinks } from '../blob-links.ts'
import { version } from '../version.ts'
import { callBoxes } from './call-box.ts'
import { dataBoxes } from './data-box.ts'
import type { Notifier } from './desktop/notifier.ts'
import { desktopPowers, type System } from './desktop/system-settings.ts'
import { ALLOW } from './native-boxes.ts'
import { networkBoxes } from './network-box.ts'
import { systemCipher } from './system-cipher.ts'
import { trustBoxes } from './trust-box.ts'

interface Desktop {
  /** The window for dialogs, opened if needed. */
  window(): Promise<BrowserWindow>
  readonly notifier: Notifier
  readonly system: System
  readonly updates: Updates | undefined
  /** Ends the app and starts it again. */
  readonly restart: () => void
}

/** The platform of the desktop app. Call it once the app is ready. */
export async function electronPlatform(links: BlobLinks, desktop: Desktop): Promise<Platform> {
  const { notifier, system, updates, restart } = desktop
  const cipher = await systemCipher(safeStorage, system.os)
  return {
    shell: 'electron',
    version,
    os: system.os,
    memory: totalmem(),
    desktop: desktopPowers(system, { notify: Notification.isSupported(), update: updates !== undefined }),
    ...defined({ updates, cipher }),
    // The person has seen this address in full, so http is allowed, unlike for links of a page.
    openExternal: (url) => openOutside(url, ['https:', 'http:']),
    pickFolder: (title) => pick(desktop, title, ['openDirectory', 'createDirectory']),
    pickFile: (title) => pick(desktop, title, ['openFile']),
    async showFolder(path) {
      const failed = await shell.openPath(path)
      if (failed) throw new HostError('unavailable', `The folder could not be shown: ${failed}`)
    },
    restart,
    ...confirmations(desktop),
    notify: (news) => notifier.tell(news),
    proxyFor: (url) => app.resolveProxy(url),
    blobLink: (blob, mimeType, name) => links.path(blob, mimeType, name),
  }
}

async function pick({ window }: Desktop, title: string, properties: OpenDialogOptions['properties']): Promise<string | null> {
  // Electron's default is the downloads folder.
  const options = { title, defaultPath: homedir(), ...(properties && { properties }) }
  const { canceled, filePaths } = await dialog.showOpenDialog(await window(), options)
  return canceled ? null : (filePaths[0] ?? null)
}

const TOO_LONG = {
  data: 'The instructions in this backup are too long to read here. Shorten them where the backup was made.',
  network: 'There are too many certificates to read. Choose a file with fewer.',
  trust: 'Its command and variables are too long to read. Shorten them, then start it.',
  call: 'The arguments are too long to read before they are sent. Shorten them.',
}

type Confirmations = Required<Pick<Platform, 'confirmData' | 'confirmNetwork' | 'confirmTrust' | 'confirmCall'>>

/** Permissions that no page can give: the person allows them in boxes of the system. */
function confirmations({ window }: Desktop): Confirmations {
  let confirming = false
  /** True when the person allows all boxes; `tooLong` is told when there are none. */
  const allowed = async (boxes: readonly MessageBoxOptions[] | undefined, tooLong: string, signal: AbortSignal) => {
    if (!boxes) throw new HostError('refused', tooLong)
    for (const box of boxes) {
      const { response } = await dialog.showMessageBox(await window(), { ...box, signal })
      signal.throwIfAborted()
      if (response !== ALLOW) return false
    }
    return true
  }
  return {
    confirmData: (what, signal) => allowed(dataBoxes(what), TOO_LONG.data, signal),
    confirmNetwork: (change, signal) => allowed(networkBoxes(change), TOO_LONG.network, signal),
    confirmTrust: (servers, signal) => allowed(trustBoxes(servers), TOO_LONG.trust, signal),
    async confirmCall(call, signal) {
      // One at a time: a compromised page could fill the screen with boxes.
      if (confirming) throw new HostError('conflict', 'Another call waits for your answer.')
      confirming = true
      try {
        return await allowed(callBoxes(call), TOO_LONG.call, signal)
      } finally {
        confirming = false
      }
    },
  }
}

/** Opens a link in the person's browser. Rejects for other schemes, which can start programs. */
export async function openOutside(url: string, schemes: readonly string[] = ['https:']): Promise<void> {
  const parsed = URL.parse(url)
  if (!parsed || !schemes.includes(parsed.protocol)) throw new HostError('refused', 'Only https links can be opened.')
  await shell.openExternal(parsed.href)
}
