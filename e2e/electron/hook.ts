import { registerHooks } from 'node:module'

// Loaded before the built main.js, so that its `import … from 'electron'` finds the double.
const double = new URL('./double/electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: double, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
})

// A test may have the app behave as it does on another system; everything of the app asks for this alone.
const os = process.env.PARLEY_DOUBLE_OS
if (os) Object.defineProperty(process, 'platform', { value: os })

// A packaged app is a program of its own, and not one that is started with a script.
if (process.env.PARLEY_DOUBLE_PACKAGED === '1') process.argv.splice(1, 1)
