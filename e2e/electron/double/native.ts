import { onOrder, record } from './control.ts'
import { workAreas } from './displays.ts'
import { modelled, onlyKeys } from './modelled.ts'
import { isReady, needsReady } from './readiness.ts'

// A system's dialogs and actions. Nothing is shown: each use is recorded, and people answer only as a test has told them to.

const boxAnswers: number[] = []
const folderAnswers: string[] = []
onOrder('answer-message-box', ({ response }) => void boxAnswers.push(response))
onOrder('answer-folder-dialog', ({ path }) => void folderAnswers.push(path))

/** Of a box that the person leaves open; undefined once it is answered or gone. */
let openBox: ((response: number) => void) | undefined
let leavesNextOpen = false
onOrder('leave-message-box-open', () => {
  leavesNextOpen = true
})
onOrder('answer-open-box', ({ response }) => {
  openBox?.(response)
  return openBox !== undefined
})

interface BoxOptions {
  readonly buttons: readonly string[]
  readonly cancelId: number
  readonly defaultId: number
  readonly signal?: AbortSignal
}

export const dialog = modelled('dialog', {
  async showMessageBox(...args: unknown[]) {
    needsReady('dialog')
    // Without one, Electron blocks everything on a Mac until the person answers, and a signal does nothing.
    if (args.length < 2) throw new Error('not modelled: a message box without a window to be on')
    const options = args.at(-1) as BoxOptions
    const { signal, ...shown } = options
    const macOnly = process.platform === 'darwin' ? ['textWidth'] : []
    onlyKeys('message box', shown, [
      'type',
      'title',
      'message',
      'detail',
      'buttons',
      'defaultId',
      'cancelId',
      'noLink',
      ...macOnly,
    ])
    for (const id of [options.defaultId, options.cancelId])
      if (!options.buttons[id]) throw new Error(`A message box has no button ${id}`)
    record('dialog.showMessageBox', shown)
    const response = signal?.aborted ? options.cancelId : await answered(options)
    return { response, checkboxChecked: false }
  },
  async showOpenDialog(...args: unknown[]) {
    record('dialog.showOpenDialog', args.at(-1))
    const path = folderAnswers.shift()
    return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
  },
  showErrorBox: (title: string, content: string) => record('dialog.showErrorBox', title, content),
})

/** A box that is left open ends with the person, or with the app's signal. */
async function answered({ cancelId, signal }: BoxOptions): Promise<number> {
  if (!leavesNextOpen) return boxAnswers.shift() ?? cancelId
  leavesNextOpen = false
  try {
    return await new Promise((resolve) => {
      openBox = resolve
      signal?.addEventListener('abort', () => resolve(cancelId))
    })
  } finally {
    openBox = undefined
  }
}

export const shell = modelled('shell', {
  /** An empty string is success. */
  openPath: async (path: string) => {
    record('shell.openPath', path)
    return ''
  },
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

export const nativeTheme = modelled('nativeTheme', { shouldUseDarkColors: false })

export const screen = modelled('screen', {
  getAllDisplays() {
    needsReady('screen')
    return workAreas().map((workArea) => modelled('display', { workArea }))
  },
})

interface PermissionDetails {
  readonly requestingUrl: string
  readonly isMainFrame: boolean
}

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (granted: boolean) => void,
  details: PermissionDetails,
) => void
type CheckHandler = (contents: unknown, permission: string, origin: string, details: PermissionDetails) => boolean
const permissions: { request?: RequestHandler; check?: CheckHandler; device?: () => boolean } = {}

onOrder('ask-permission', async ({ permission, url, isMainFrame }) => {
  const details = { requestingUrl: url, isMainFrame }
  const requested = await new Promise<boolean>((resolve) => {
    if (!permissions.request) throw new Error('The app has no permission handler')
    permissions.request({}, permission, resolve, details)
  })
  return { requested, checked: permissions.check?.({}, permission, url, details), device: permissions.device?.() }
})

let knowsWhere = false

/**
 * A session looks for dictionaries as soon as it exists, even if nothing is to be checked. It asks Chromium's server for those that it
 * does not find, unless another address was named by then.
 */
function used(): void {
  if (!knowsWhere) record('session asks for a dictionary')
  knowsWhere = true
}

const bareSession = {
  /** Chromium's, of which the app takes those of the system. */
  availableSpellCheckerLanguages: ['de', 'en-GB', 'en-US', 'fr'],
  setSpellCheckerEnabled: (on: boolean) => record('session.setSpellCheckerEnabled', on),
  setSpellCheckerLanguages: (languages: readonly string[]) => record('session.setSpellCheckerLanguages', languages),
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
}

export const defaultSession = modelled('session.defaultSession', {
  ...(Object.fromEntries(
    Object.entries(bareSession).map(([name, value]) => [
      name,
      typeof value === 'function'
        ? (...args: never[]) => {
            used()
            return (value as (...args: never[]) => unknown)(...args)
          }
        : value,
    ]),
  ) as typeof bareSession),
  setSpellCheckerDictionaryDownloadURL(url: string) {
    knowsWhere = true
    record('session.setSpellCheckerDictionaryDownloadURL', url)
  },
})

export const session = modelled('session', {
  get defaultSession() {
    needsReady('session')
    return defaultSession
  },
  /** One that keeps nothing, and is only handed on. */
  fromPartition(_name: string) {
    needsReady('session')
    used()
    return modelled('session of a partition', {})
  },
})
