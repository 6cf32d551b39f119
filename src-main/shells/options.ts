import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataFolder } from '../storage/data-folder.ts'

export interface ShellOptions {
  /** Absolute. */
  readonly folder: string
  /** True when the person named the folder. */
  readonly ownFolder: boolean
  readonly port: number
  readonly open: boolean
  readonly dev: boolean
}

/** Reads a shell's command line; throws an Error whose message is for the person. */
export function readShellOptions(argv: readonly string[]): ShellOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
    },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port needs a number from 0 to 65535, not "${values.port}"`)
  if (values.data === '') throw new Error('--data needs the path of a folder')
  return {
    folder: values.data === undefined ? defaultDataFolder(process.platform, process.env) : resolve(values.data),
    ownFolder: values.data !== undefined,
    port,
    open: !values['no-open'],
    dev: values.dev,
  }
}
