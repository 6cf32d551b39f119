// Bundles our client as the app ships it, into out/bench/ours.mjs: the adapter that the client benchmark loads.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../scripts/run.mjs'

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: join(root, 'e2e', 'bench', 'client-adapter.ts'),
    outDir: join(root, 'out', 'bench'),
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'ours.mjs' } },
  },
})
