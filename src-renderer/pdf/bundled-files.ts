/** Fonts and character maps that files refer to without bringing them; they lie in the frame's own document, as base64. */
type Bundled = Readonly<Record<string, Readonly<Record<string, string>>>>

let bundled: Bundled | undefined

function files(): Bundled {
  // Written by our own build.
  bundled ??= JSON.parse(document.getElementById('bundled-files')?.textContent ?? '{}') as Bundled
  return bundled
}

/** Gives pdf.js what it would fetch by itself. The frame can fetch nothing. */
export class BundledFiles {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const group = files()[kind]
    const text = group && Object.hasOwn(group, filename) ? group[filename] : undefined
    if (text === undefined) throw new Error(`There is no ${filename} in this frame`)
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  }
}
