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
    ssr: true,
    outDir: join(root, 'out', 'bench'),
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: {
        ours: join(root, 'e2e', 'bench', 'client-adapter.ts'),
        'schema-worker': join(root, 'src-main', 'schemas', 'schema-worker.ts'),
      },
      output: { entryFileNames: ({ name }) => (name === 'ours' ? 'ours.mjs' : '[name].js') },
    },
  },
})
