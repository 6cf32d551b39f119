import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import electron from '../../node_modules/electron/package.json' with { type: 'json' }

// Loaded before the built main.js, so that its `import … from 'electron'` finds the double.
const double = new URL('./double/electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
})

// A test may have the app behave as it does on another system; everything of the app asks for this alone.
const os = process.env.PARLEY_DOUBLE_OS
if (os) Object.defineProperty(process, 'platform', { value: os })

// Electron's program, or the app's own with its resources beside it. Neither is there to be run: what starts it again as Node fails,
// as it does with the fuse for that off.
const archive = process.env.PARLEY_DOUBLE_ARCHIVE
const folder = archive === undefined ? join(tmpdir(), 'no-electron') : dirname(dirname(archive))
const ending = process.platform === 'win32' ? '.exe' : ''
process.execPath = join(folder, (archive === undefined ? 'electron' : 'Parley') + ending)
Object.defineProperty(process, 'resourcesPath', { value: join(folder, 'resources') })
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: electron.version } })
if (isMainThread) {
  Object.defineProperty(process, 'type', { value: 'browser' })
  // The app's own program is not started with a script.
  if (archive !== undefined) process.argv.splice(1, 1)
}
