/** Fonts and character maps that PDF files may refer to, embedded in the frame's document as base64. */
type BundledGroups = Readonly<Record<string, Readonly<Record<string, string>>>>

let bundled: BundledGroups | undefined

function files(): BundledGroups {
  bundled ??= JSON.parse(document.getElementById('bundled-files')?.textContent ?? '{}') as BundledGroups
  return bundled
}

/** Replaces the fetching of pdf.js, since the frame cannot fetch. */
export class BundledFiles {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const group = files()[kind]
    const text = group && Object.hasOwn(group, filename) ? group[filename] : undefined
    if (text === undefined) throw new Error(`There is no ${filename} in this frame`)
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  }
}
