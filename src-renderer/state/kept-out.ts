import { KEPT_OUT, type ServerOptions, type ServerRecord } from '../../src-shared/contract/servers.ts'

/** The option with more names that are never mentioned again; the oldest are forgotten. */
export function keptOutToo({ options }: Pick<ServerRecord, 'options'>, names: readonly string[]): Pick<ServerOptions, 'keptOut'> {
  return { keptOut: [...new Set([...options.keptOut, ...names])].slice(-KEPT_OUT) }
}
