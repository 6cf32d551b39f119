import { HostError } from '../../src-shared/contract/errors.ts'
import type { HostRequestName, ParamsOf, ResultOf } from '../../src-shared/contract/requests.ts'
import type { Settings } from '../../src-shared/contract/settings.ts'
import type { Topic } from '../../src-shared/contract/topics.ts'
import type { HostLink } from '../host/host-link.ts'

let link: HostLink | undefined

/** Called once at boot. */
export function attachLink(hostLink: HostLink): void {
  link = hostLink
}

/** Sends a request to the host. Rejects with a HostError, or with the signal's reason. */
export function ask<N extends HostRequestName>(name: N, params: ParamsOf<N>, signal?: AbortSignal): Promise<ResultOf<N>> {
  if (!link) return Promise.reject(new HostError('unavailable', 'Parley is still starting.'))
  return link.request(name, params, signal)
}

export const changeSettings = (settings: Partial<Settings>) => ask('settings.change', { settings })

/** Keeps a topic of the host open. Returns the undo. */
export function follow(topic: Topic): () => void {
  return link?.follow(topic) ?? (() => {})
}
