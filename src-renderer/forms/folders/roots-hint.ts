import type { ServerOptions } from '../../../src-shared/contract/servers.ts'

/** Sharing a folder tells a server of it, and opens none. */
export const rootsHint = (options: Pick<ServerOptions, 'fence'> | undefined): string =>
  options?.fence
    ? 'Roots are a hint: its fence says which folders it reaches.'
    : 'Roots are a hint, not a sandbox: a local program can still reach all your files.'
