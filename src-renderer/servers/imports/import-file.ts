import type { ImportSource } from '../../../src-shared/contract/imports.ts'
import { MAX_TEXT_LENGTH } from '../../../src-shared/contract/schema-parts.ts'
import { showFailure } from '../../state/view-store.ts'

/** Reads a dropped or chosen file for review by `show`. */
export async function importFile(file: File, show: (source: ImportSource) => void): Promise<void> {
  try {
    if (file.size > MAX_TEXT_LENGTH) throw new Error('too large')
    show({ text: await file.text(), name: file.name })
  } catch {
    showFailure(
      file.size > MAX_TEXT_LENGTH ? `${file.name} is too large for a configuration.` : `${file.name} cannot be read as a file.`,
    )
  }
}
