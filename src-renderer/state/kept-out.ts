import { KEPT_OUT, type ServerOptions, type ServerRecord } from '../../src-shared/contract/servers.ts'

/** The option that keeps more out of a server's fence; the oldest are forgotten. */
export function keptOutToo({ options }: Pick<ServerRecord, 'options'>, names: readonly string[]): Pick<ServerOptions, 'keptOut'> {
  return { keptOut: [...new Set([...options.keptOut, ...names])].slice(-KEPT_OUT) }
}
