const COLOURS = /\u001b\[[0-9;]{0,40}m/g

/** Removes colour codes from the output of a program. All other control characters stay and are shown. */
export function withoutColours(text: string): string {
  return text.replace(COLOURS, '')
}
