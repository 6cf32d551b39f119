import { join } from 'node:path'
import { build } from 'vite'
import { root } from './run.mjs'

/** Bundles a program of the tests with what it uses of ours, as the app ships it; resolves with where it lies. */
export async function bundle({ source, folder, name }) {
  const outDir = join(root, 'out', folder)
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        input: { [name]: join(root, source), 'schema-worker': join(root, 'src-main', 'schemas', 'schema-worker.ts') },
        output: { entryFileNames: (entry) => (entry.name === name ? '[name].mjs' : '[name].js') },
      },
    },
  })
  return join(outDir, `${name}.mjs`)
}
