import type { ImportSource } from '../../src-shared/contract/imports.ts'
import { LONGEST_TEXT } from '../../src-shared/contract/schema-parts.ts'
import { navigate, showFailure, useView } from './view-store.ts'

/** Shows the review of a configuration; without one, of those that other apps have on this computer. */
export function openImport(from?: ImportSource): void {
  useView.setState({ importing: from })
  navigate({ section: 'import' })
}

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
