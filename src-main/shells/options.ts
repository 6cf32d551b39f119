import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataFolder } from '../storage/base/data-folder.ts'

interface ShellOptions {
  /** Absolute. */
  readonly folder: string
  readonly port: number
  readonly open: boolean
  readonly dev: boolean
  /** Arguments of no option; empty unless lenient. */
  readonly paths: readonly string[]
}

const OPTIONS = {
  data: { type: 'string' },
  port: { type: 'string', default: '0' },
  'no-open': { type: 'boolean', default: false },
  dev: { type: 'boolean', default: false },
} as const

/** The switches of a command line with their values, without paths; `keepFirst` keeps the first path. */
export function withoutPaths(argv: readonly string[], { keepFirst = false } = {}): string[] {
  const { tokens } = parseArgs({ args: [...argv], strict: false, allowPositionals: true, tokens: true, options: OPTIONS })
  const paths = tokens.filter(({ kind }) => kind === 'positional').slice(keepFirst ? 1 : 0)
  const dropped = new Set(paths.map(({ index }) => index))
  return argv.filter((_, index) => !dropped.has(index))
}

/** Reads a shell's command line; throws an Error for the person. `lenient` allows Chromium's own switches. */
export function readShellOptions(argv: readonly string[], { lenient = false } = {}): ShellOptions {
  const { values, positionals } = parseArgs({
    args: [...argv],
    strict: !lenient,
    allowPositionals: lenient,
    options: OPTIONS,
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port needs a number from 0 to 65535, not "${values.port}"`)
  }
  const { data } = values
  if (data !== undefined && (typeof data !== 'string' || data === '')) throw new Error('--data needs the path of a folder')
  return {
    folder: data === undefined ? defaultDataFolder(process.platform, process.env) : resolve(data),
    port,
    open: values['no-open'] !== true,
    dev: values.dev === true,
    paths: positionals,
  }
}
