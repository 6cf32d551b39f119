import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { ReviewedPackage } from '../../../src-shared/contract/imports.ts'
import type { InstalledBundle } from '../../bundles/bundles.ts'
import { bundleAt, readReceipt } from '../../bundles/kept-bundle.ts'
import type { BundleManifest } from '../../bundles/manifest.ts'
import type { ServerFileEntry } from '../../storage/base/storage.ts'
import { gained, lineChange, versionChange } from './launch-changes.ts'

/**
 * The installed server that a bundle updates: one from a bundle with the same name and author. Any other with that name is
 * another server, and never replaced.
 */
export async function bundleUpdate(
  { manifest, sha256, files }: InstalledBundle,
  here: readonly ServerFileEntry[],
  dataFolder: string,
): Promise<ReviewedPackage['updates']> {
  for (const { name, launch } of here) {
    const at = launch?.type === 'local' && launch.cwd !== undefined ? bundleAt(dataFolder, launch.cwd) : undefined
    const before = at && at.sha256 !== sha256 ? await readReceipt(dataFolder, at.sha256) : undefined
    if (before?.manifest.name !== manifest.name || before.manifest.author !== manifest.author) continue
    const changes = manifestChanges(before.manifest, manifest)
    const [was, is] = [Object.keys(before.files).length, Object.keys(files).length]
    return { serverId: name as ServerId, changes: was === is ? changes : [...changes, `It had ${was} files and now has ${is}.`] }
  }
  return undefined
}

/** A sentence for each difference that matters to a person. */
function manifestChanges(was: BundleManifest, is: BundleManifest): string[] {
  const launch = ({ command, args }: BundleManifest) => [command, ...args].join(' ')
  return [
    was.version === is.version
      ? `Its version is still ${is.version}, but its files differ.`
      : versionChange(was.version, is.version),
    ...lineChange('command', launch(was), launch(is)),
    ...gained('variable', Object.keys(was.env), Object.keys(is.env)),
    ...gained('setting', Object.keys(was.fields), Object.keys(is.fields)),
    ...gained('tool', was.tools, is.tools),
    ...gained('privacy policy', was.privacyPolicies.map(hostIn), is.privacyPolicies.map(hostIn)),
  ]
}

const hostIn = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)
