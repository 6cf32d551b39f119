import { serveJobs } from '../threads/serve-jobs.ts'
import { BundleError } from './bundle-error.ts'
import type { UnpackAnswer, UnpackJob } from './bundles.ts'
import { readManifest } from './manifest.ts'
import { unpackBundle } from './unpack.ts'

serveJobs<UnpackJob, UnpackAnswer>(async ({ file, folder, os }) => {
  try {
    const { manifest, ...unpacked } = await unpackBundle(file, folder)
    return { ...unpacked, manifest: readManifest(manifest, os) }
  } catch (error) {
    if (error instanceof BundleError) return { problem: error.message }
    if (error instanceof Error && 'code' in error)
      return { problem: 'It could not be written to the disk.', code: String(error.code) }
    throw error
  }
})
