import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FILESYSTEM = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js', import.meta.url),
)

/** A search path with an `npx` that starts the installed filesystem server, so that a test has a published server without a registry. */
export function pathWithNpx(): string {
  const bin = mkdtempSync(join(tmpdir(), 'parley-npx-'))
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${FILESYSTEM}" "$@"\n`, { mode: 0o755 })
  return `${bin}${delimiter}${process.env.PATH}`
}

/** The published filesystem server as a person configures it. */
export const filesystemByNpx = (folder: string) => ({
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', folder],
})
