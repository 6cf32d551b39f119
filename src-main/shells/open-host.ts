import { type Clock, within } from '../../src-shared/base/clock.ts'
import { defined } from '../../src-shared/base/defined.ts'
import { Lifetime } from '../../src-shared/base/lifetime.ts'
import type { Platform } from '../host/core/platform.ts'
import { type Host, startHost } from '../host/host.ts'
import { createProvider } from '../models/create-provider.ts'
import { playgroundTransport } from '../playground/playground.ts'
import { type RunServer, serveRuns } from '../runs/run-server.ts'
import type { InPlaceOfDamaged } from '../storage/base/damage.ts'
import { type Storage, StorageError } from '../storage/base/storage.ts'
import { type OpenStorage, openStorage } from '../storage/open-storage.ts'
import { createConnector } from '../transports/http/connector.ts'
import { type DamagedChoice, damagedChoice } from './damaged-choice.ts'

/** Milliseconds to quit: six seconds for the host to stop its servers, and one to close the storage. */
const END_LIMIT = 7_000

/** A running host with the data folder that it holds. */
export interface OpenHost {
  readonly host: Host
  readonly storage: Storage
  /** Names this host's address for a second start, and gives the command line fresh links to its page. */
  announce(address: string, link: () => string): Promise<void>
  /** Ends within seven seconds, and marks the lock first, so that a new start waits. Never rejects. */
  end(): Promise<void>
}

/**
 * Opens the data folder and starts the host. A restore on which no host can start is undone. Rejects with a StorageError for the
 * person. `failed`: the error of the previous start; `replace`: the replacement of an unreadable database; `forRun`: the host
 * runs one prompt of the command line, and lets no other in.
 */
export async function openHost(
  folder: string,
  platform: Platform,
  clock: Clock,
  {
    failed,
    replace,
    forRun = false,
  }: { readonly failed?: string; readonly replace?: InPlaceOfDamaged; readonly forRun?: boolean } = {},
): Promise<OpenHost> {
  const lifetime = new Lifetime('shell')
  let restored = false
  try {
    const { shell, cipher } = platform
    const storage = await openStorage({
      folder,
      shell: forRun ? 'run' : shell,
      clock,
      lifetime,
      ...defined({ cipher, failed, replace }),
    })
    restored = storage.backups.restored !== undefined
    // Servers, sign-in and model providers share one proxy and certificates.
    const connector = createConnector(platform.proxyFor ? { proxyFor: platform.proxyFor } : {})
    lifetime.onEnd(() => connector.close())
    const host = await startHost({
      storage,
      runsSchedules: !forRun,
      platform,
      clock,
      lifetime,
      environment: process.env,
      connector,
      providers: ({ kind, name, baseUrl }, key, headers) =>
        createProvider(kind, { name, fetch: connector.fetch, headers, ...(baseUrl && { baseUrl }), ...(key && { key }) }),
      playground: () => playgroundTransport(clock),
    })
    await storage.settled()
    const runs = forRun ? undefined : await openToRuns(host, storage, clock, lifetime)
    let ending: Promise<void> | undefined
    const end = async () => {
      await storage.closing()
      const ended = host.end().then(() => lifetime.end())
      await within(clock, END_LIMIT, ended)
    }
    return {
      host,
      storage,
      announce: async (address, link) => {
        runs?.setLink(link)
        await storage.announce(address)
      },
      end: () => (ending ??= end().catch((error: unknown) => console.error(`Parley did not end cleanly: ${String(error)}`))),
    }
  } catch (error) {
    await lifetime.end().catch(() => {}) // The first error is thrown.
    if (restored) return openHost(folder, platform, clock, { failed: error instanceof Error ? error.message : String(error) })
    throw error
  }
}

async function openToRuns(host: Host, storage: OpenStorage, clock: Clock, lifetime: Lifetime): Promise<RunServer> {
  const runs = await serveRuns(host, clock)
  lifetime.onEnd(async () => runs.close())
  await storage.openToRuns({ port: runs.port, key: runs.key })
  return runs
}

/** The same; for an unreadable database `choose` asks the person whether to start with its replacement. */
export async function openHostOrAsk(
  folder: string,
  platform: Platform,
  clock: Clock,
  choose: (asked: DamagedChoice) => Promise<boolean>,
): Promise<OpenHost> {
  try {
    return await openHost(folder, platform, clock)
  } catch (error) {
    const asked = error instanceof StorageError ? damagedChoice(error) : undefined
    if (!asked || !(await choose(asked))) throw error
    return openHost(folder, platform, clock, { replace: asked.choice })
  }
}
