import { HostError } from '../../../src-shared/contract/errors.ts'
import type { FolderChoice, Place } from '../../../src-shared/contract/projects.ts'
import { lowered } from '../../consent/touches.ts'
import { resolveRoot } from '../client-features/roots.ts'
import type { HostCore } from '../core/host-core.ts'

/**
 * Normalizes a place to the spelling of calls: real paths of folders, hosts as in URLs, recipients in lower case. Throws HostError
 * `invalid-params`, or `refused` for a folder that no person chose. Folders of `before` are not checked again, unless files may
 * change in them from now on: one that is missing today stays.
 */
export async function tidyPlace(
  { folders, hosts, recipients }: Place,
  before: Place,
  { storage, folders: chosen }: Pick<HostCore, 'storage' | 'folders'>,
): Promise<Place> {
  const resolved = new Map<string, FolderChoice>()
  for (const folder of folders) {
    const known = before.folders.find(({ path }) => path === folder.path)
    if (!known) chosen.check(folder.path)
    const same = known && (known.editable || !folder.editable)
    const verdict = same
      ? { ok: true as const, path: folder.path }
      : await resolveRoot(folder.path, [storage.folder], folder.editable)
    if (!verdict.ok) throw new HostError('invalid-params', verdict.why)
    resolved.set(verdict.path, { ...folder, path: verdict.path })
  }
  return {
    folders: [...resolved.values()],
    hosts: [...new Set(hosts.map(hostOf))],
    recipients: [...new Set(recipients.map(recipientOf))],
  }
}

/** The host of `example.org`, `example.org:8080`, or an address there. */
function hostOf(typed: string): string {
  const text = typed.trim()
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const host = /\s|@/.test(text) || !URL.canParse(address) ? '' : new URL(address).host
  if (host === '') throw new HostError('invalid-params', `“${text.slice(0, 80)}” is not a site. Write it like “example.org”.`)
  return host
}

function recipientOf(typed: string): string {
  const address = lowered(typed.trim())
  if (address === '' || /[\p{Cc}\p{Cf}]/u.test(address)) {
    throw new HostError('invalid-params', `“${address.slice(0, 80)}” is not a recipient.`)
  }
  return address
}
