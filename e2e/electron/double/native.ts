import { onOrder, record } from './control.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { isReady, needsReady } from './readiness.ts'

// What a system would show or do. Nothing is shown: each use is recorded, and people answer only as a test has told them to.

const boxAnswers: number[] = []
const folderAnswers: string[] = []
onOrder('answer-message-box', ({ response }) => void boxAnswers.push(response))
onOrder('answer-folder-dialog', ({ path }) => void folderAnswers.push(path))

export const dialog = modelled('dialog', {
  async showMessageBox(...args: unknown[]) {
    const options = args.at(-1) as { buttons: string[]; cancelId: number; signal?: AbortSignal }
    const { signal, ...shown } = options
    onlyKeys('message box', shown, ['type', 'title', 'message', 'detail', 'buttons', 'defaultId', 'cancelId', 'noLink'])
    record('dialog.showMessageBox', shown)
    return { response: signal?.aborted ? options.cancelId : (boxAnswers.shift() ?? options.cancelId), checkboxChecked: false }
  },
  async showOpenDialog(...args: unknown[]) {
    record('dialog.showOpenDialog', args.at(-1))
    const path = folderAnswers.shift()
    return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
  },
  showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', title, content),
})

export const shell = modelled('shell', {
  openExternal: async (url: string) => record('shell.openExternal', url),
})

/** Linux without a keyring that answers, by a test's word. */
const hasKeyring = process.platform !== 'linux' || process.env.PARLEY_DOUBLE_KEYRING !== 'none'
/** By it Chromium knows again what sealed a value. On Linux `v10` is a key that is the same on every computer, and it seals all the same. */
const tag = process.platform === 'linux' && hasKeyring ? 'v11' : 'v10'

/** A key store that hides text just enough to tell it from the clear. That there is one it says whenever the app is ready. */
export const safeStorage = modelled('safeStorage', {
  isAsyncEncryptionAvailable: async () => isReady(),
  async encryptStringAsync(text: string) {
    needsReady('safeStorage')
    record('safeStorage.encryptStringAsync', text.length)
    return Buffer.concat([Buffer.from(tag), flipped(Buffer.from(text))])
  },
  async decryptStringAsync(bytes: Buffer) {
    needsReady('safeStorage')
    record('safeStorage.decryptStringAsync')
    const by = bytes.subarray(0, 3).toString()
    if (by !== 'v10' && by !== tag) throw new Error('Error while decrypting the ciphertext')
    return { shouldReEncrypt: by !== tag, result: flipped(bytes.subarray(3)).toString() }
  },
})

function flipped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0xa5))
}

export const screen = modelled('screen', {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
})

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: { requestingUrl: string },
) => void
type CheckHandler = (contents: unknown, permission: string, origin: string) => boolean
const permissions: { request?: RequestHandler; check?: CheckHandler; device?: () => boolean } = {}

onOrder('ask-permission', async ({ permission, url }) => {
  const requested = await new Promise<boolean>((resolve) => {
    if (!permissions.request) throw new Error('The app has no permission handler')
    permissions.request({}, permission, resolve, { requestingUrl: url })
  })
  return { requested, checked: permissions.check?.({}, permission, url), device: permissions.device?.() }
})

export const defaultSession = modelled('session.defaultSession', {
  /** Chromium's, of which the app takes those of the system. */
  availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'fr'],
  setSpellCheckerEnabled: (on: boolean) => record('session.setSpellCheckerEnabled', on),
  setSpellCheckerLanguages: (languages: readonly string[]) => record('session.setSpellCheckerLanguages', languages),
  setSpellCheckerDictionaryDownloadURL: (url: string) => record('session.setSpellCheckerDictionaryDownloadURL', url),
  addWordToSpellCheckerDictionary(word: string) {
    record('session.addWordToSpellCheckerDictionary', word)
    return true
  },
  setPermissionRequestHandler(handler: RequestHandler) {
    permissions.request = handler
  },
  setPermissionCheckHandler(handler: CheckHandler) {
    permissions.check = handler
  },
  setDevicePermissionHandler(handler: () => boolean) {
    permissions.device = handler
  },
  async resolveProxy(url: string) {
    record('session.resolveProxy', new URL(url).origin)
    return 'DIRECT'
  },
})

export const session = modelled('session', {
  defaultSession,
  /** One that keeps nothing, and is only handed on. */
  fromPartition: (_name: string) => modelled('session of a partition', {}),
})
