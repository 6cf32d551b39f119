import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite'
import { decodersInside, FRAME_NAMES, frameDocuments } from './src-main/build-frames.mjs'
import { materials, workerMaterials } from './src-main/build-materials.mjs'
import { stamp } from './src-main/build-stamp.mjs'

const root = import.meta.dirname
const from = (path: string) => resolve(root, path)
const { version } = JSON.parse(readFileSync(from('package.json'), 'utf8')) as { version: string }

/** Where a release looks for updates, and who signs them; nowhere unless both are given. */
const { PARLEY_UPDATE_FEED: url, PARLEY_UPDATE_KEY: key, PARLEY_UPDATE_PUBLISHER: publisher } = process.env
const updates = url && key ? { url, key, ...(publisher && { publisher }) } : undefined

/** Modules outside the bundle: Electron and Node itself, Vite (for --dev only), and two addons that ws can do without. */
const external = ['electron', 'vite', 'bufferutil', 'utf-8-validate', /^node:/]

/** Code for Node 24, everything bundled, so that a package needs no node_modules. */
function node(name: string, input: Readonly<Record<string, string>>, format: 'es' | 'cjs'): EnvironmentOptions {
  const extension = format === 'cjs' ? 'cjs' : 'js'
  return {
    consumer: 'server',
    resolve: { noExternal: true, conditions: ['node', 'import', 'module', 'default'] },
    // An ES module has neither; CommonJS that is bundled into one looks there for its files.
    ...(format === 'es' && { define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' } }),
    build: {
      outDir: from(`out/${name}`),
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).filter(([, file]) => existsSync(file))),
        external,
        // Flat, so that `import.meta.dirname` is out/main in every chunk.
        output: {
          format,
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `[name]-[hash].${extension}`,
          ...(format === 'cjs' && { codeSplitting: false }),
        },
      },
    },
  }
}

/** A frame that shows strangers' content: a document of its own, loaded when it is first needed. */
function frame(name: string): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: from(`out/renderer/${name}`),
      emptyOutDir: true,
      target: 'chrome130',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 5000,
      rolldownOptions: { input: { frame: from(`src-renderer/${name}/frame.ts`) }, output: { codeSplitting: false } },
    },
  }
}

/** WebAssembly, beside the code that loads it: the image codec, and the parser of SQL. */
function wasmModules(): Plugin {
  const { resolve: find } = createRequire(from('package.json'))
  return {
    name: 'parley-wasm-modules',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'main',
    generateBundle() {
      for (const file of ['@cf-wasm/photon/photon.wasm', 'libpg-query/wasm/libpg-query.wasm'])
        this.emitFile({ type: 'asset', fileName: basename(file), source: readFileSync(find(file)) })
    },
  }
}

/** The character maps of PDF files, beside the thread that reads them. */
function characterMaps(): Plugin {
  const folder = from('node_modules/pdfjs-dist/cmaps')
  return {
    name: 'parley-character-maps',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'main',
    generateBundle() {
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.bcmap')))
        this.emitFile({ type: 'asset', fileName: `cmaps/${file}`, source: readFileSync(join(folder, file)) })
    },
  }
}

/** Pictures of the tray and over the icon, next to the code; a Mac finds the one for dense screens by its name. */
function trayPictures(): Plugin {
  const folder = from('assets/icons')
  return {
    name: 'parley-tray-pictures',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'main',
    generateBundle() {
      for (const file of readdirSync(folder).filter((name) => /^(tray|badge)/.test(name)))
        this.emitFile({ type: 'asset', fileName: file, source: readFileSync(join(folder, file)) })
    },
  }
}

export default defineConfig({
  root: from('src-renderer'),
  base: './',
  plugins: [
    react(),
    materials(root, from('src-renderer')),
    frameDocuments(root),
    wasmModules(),
    characterMaps(),
    trayPictures(),
    stamp(root),
  ],
  worker: { plugins: () => [decodersInside(), workerMaterials()] },
  define: { __PARLEY_VERSION__: JSON.stringify(version), __PARLEY_UPDATES__: JSON.stringify(updates ?? null) },
  builder: {
    // Said here, what Vite would do anyhow comes before the plugins that want to be last.
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) await builder.build(environment)
    },
  },
  environments: {
    client: {
      build: {
        outDir: from('out/renderer'),
        emptyOutDir: true,
        target: 'chrome130',
        // Inline assets and the preload polyfill would need holes in the content policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 1500,
        // All that is needed before anything is shown, in one file: each further one would wait for its turn.
        rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
      },
    },
    ...Object.fromEntries(FRAME_NAMES.map((name) => [name, frame(name)])),
    main: node(
      'main',
      {
        electron: from('src-main/shells/electron/main.ts'),
        web: from('src-main/shells/web/main.ts'),
        run: from('src-main/shells/headless/main.ts'),
        'bundle-worker': from('src-main/bundles/bundle-worker.ts'),
        'configuration-worker': from('src-main/host/imports/configuration-worker.ts'),
        'database-worker': from('src-main/storage/database/database-worker.ts'),
        'image-worker': from('src-main/images/image-worker.ts'),
        'document-worker': from('src-main/documents/document-worker.ts'),
        'schema-worker': from('src-main/schemas/schema-worker.ts'),
      },
      'es',
    ),
    preload: node('preload', { preload: from('src-main/shells/electron/preload.ts') }, 'cjs'),
  },
})
