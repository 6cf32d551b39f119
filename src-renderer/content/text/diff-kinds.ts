export interface DiffCodeLine {
  /** `place` says where, `about` names files. */
  readonly kind: 'same' | 'removed' | 'added' | 'place' | 'about'
  readonly text: string
}

const ABOUT = /^(?:diff |index |(?:---|\+\+\+) |Index: |=+$|(?:new|deleted) file |rename |similarity )/

/** The lines of a written difference (unified diff, or only signs), each with what it is. */
export function diffKinds(code: string): readonly DiffCodeLine[] {
  // Within a hunk a removed line may begin with dashes of its own.
  let inside = { removed: 0, added: 0 }
  return code.split('\n').map((text) => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text)
    if (hunk) {
      inside = { removed: Number(hunk[1] ?? 1), added: Number(hunk[2] ?? 1) }
      return { kind: 'place', text }
    }
    const within = inside.removed > 0 || inside.added > 0
    if (text.startsWith('@@')) return { kind: 'place', text }
    if (!within && ABOUT.test(text)) return { kind: 'about', text }
    if (text.startsWith('-')) {
      inside.removed -= 1
      return { kind: 'removed', text }
    }
    if (text.startsWith('+')) {
      inside.added -= 1
      return { kind: 'added', text }
    }
    inside = { removed: inside.removed - 1, added: inside.added - 1 }
    return { kind: 'same', text }
  })
}
