import type { ImportSource } from '../../src-shared/contract/imports.ts'
import { MAX_TEXT_LENGTH } from '../../src-shared/contract/schema-parts.ts'
import { attempt } from './attempt.ts'
import { announce, showFailure } from './view-store.ts'

/** By name: bundles are ZIP files, and so are many other files. */
export const isBundle = ({ name }: Pick<File, 'name'>): boolean => /\.(?:mcpb|dxt)$/i.test(name)

/** Reads a dropped or chosen file for review by `show`: a configuration as text, or a bundle. */
export async function importFile(file: File, show: (source: ImportSource) => void): Promise<void> {
  if (isBundle(file)) {
    announce(`Reading ${file.name}`)
    const { sendBundle } = await import('./send-bundle.ts')
    const [source] = (await attempt(sendBundle(file))) ?? []
    if (source) show(source)
    return
  }
  try {
    if (file.size > MAX_TEXT_LENGTH) throw new Error('too large')
    show({ text: await file.text(), name: file.name })
  } catch {
    showFailure(
      file.size > MAX_TEXT_LENGTH ? `${file.name} is too large for a configuration.` : `${file.name} cannot be read as a file.`,
    )
  }
}
