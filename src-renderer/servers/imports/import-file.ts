import { LONGEST_TEXT } from '../../../src-shared/contract/schema-parts.ts'
import { openImport, showFailure } from '../../state/view-store.ts'

/** Shows the review of a dropped or chosen file. */
export async function importFile(file: File): Promise<void> {
  try {
    if (file.size > LONGEST_TEXT) throw new Error('too large')
    openImport({ text: await file.text(), name: file.name })
  } catch {
    showFailure(
      file.size > LONGEST_TEXT ? `${file.name} is too large for a configuration.` : `${file.name} cannot be read as a file.`,
    )
  }
}
