interface DiffCodeLine {
  /** `place` is the head of a hunk, `about` names files. */
  readonly kind: 'same' | 'removed' | 'added' | 'place' | 'about'
  readonly text: string
}

const FILE_HEADER = /^(?:diff |index |(?:---|\+\+\+) |Index: |=+$|(?:new|deleted) file |rename |similarity )/

/** Classifies the lines of a unified diff, or of one that has only signs. */
export function diffKinds(code: string): readonly DiffCodeLine[] {
  // Within a hunk a removed line may itself begin with dashes.
  let left = { removed: 0, added: 0 }
  return code.split('\n').map((text) => {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text)
    if (hunk) {
      left = { removed: Number(hunk[1] ?? 1), added: Number(hunk[2] ?? 1) }
      return { kind: 'place', text }
    }
    const within = left.removed > 0 || left.added > 0
    if (text.startsWith('@@')) return { kind: 'place', text }
    if (!within && FILE_HEADER.test(text)) return { kind: 'about', text }
    if (text.startsWith('-')) {
      left.removed -= 1
      return { kind: 'removed', text }
    }
    if (text.startsWith('+')) {
      left.added -= 1
      return { kind: 'added', text }
    }
    left = { removed: left.removed - 1, added: left.added - 1 }
    return { kind: 'same', text }
  })
}
