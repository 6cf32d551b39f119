// Which era each published version of the official server package is found to speak: fetches them from npm into a temporary folder,
// starts the same server on each, and asks with our client. `node e2e/scripts/package-eras.mjs [version …]`; wants Node 24.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectClient } from '../../src-main/client/connect-client.ts'
import { DEFAULT_LIMITS } from '../../src-main/protocol/shapes/limits.ts'
import { startStdio } from '../../src-main/transports/stdio.ts'
import { systemClock } from '../../src-shared/base/clock.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import { root } from './run.mjs'

const PACKAGE = '@modelcontextprotocol/server'
const run = promisify(execFile)
const named = process.argv.slice(2)
const { stdout } = await run('npm', ['view', PACKAGE, 'versions', '--json'])
const versions = named.length > 0 ? named : JSON.parse(stdout)
const folder = mkdtempSync(join(tmpdir(), 'parley-eras-'))
try {
  for (const version of versions) {
    const own = join(folder, version)
    mkdirSync(own)
    writeFileSync(join(own, 'package.json'), '{"private":true,"type":"module"}')
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', `${PACKAGE}@${version}`], { cwd: own })
    cpSync(join(root, 'e2e', 'servers', 'sdk', 'modern'), own, { recursive: true })
    for (const legacy of ['serve', 'reject']) console.log(`${version}, ${legacy}: ${await found(own, legacy)}`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function found(cwd, legacy) {
  const lifetime = new Lifetime('era')
  let told = ''
  const said = []
  try {
    const args = [join(cwd, 'stdio.mjs'), legacy]
    const env = { PATH: process.env.PATH ?? '' }
    const stdio = { command: process.execPath, args, env, cwd, limits: DEFAULT_LIMITS, clock: systemClock }
    const client = await connectClient({
      open: () => startStdio({ ...stdio, onStderr: (line) => said.push(line) }),
      onEra: ({ era, by }) => {
        told = `${era}, by ${by}`
      },
      features: {},
      clientInfo: { name: 'parley', version: '0.1.0' },
      lifetime,
      signal: lifetime.signal,
      clock: systemClock,
      checkValue: async () => ({ is: 'valid' }),
      requestTimeout: 10_000,
      maxRequestTime: 10_000,
    })
    const { content } = await client.callTool('echo', { message: 'hello' }, { signal: lifetime.signal })
    return `${client.hello.protocolVersion} (${told}), echo says ${content[0]?.text}`
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} ${said.find((line) => /Error/.test(line)) ?? ''}`
  } finally {
    await lifetime.end()
  }
}
