/** Markdown without its marks, for places that do not render it. Link targets follow their text. */
export function markdownAsPlainText(markdown: string): string {
  let fence: string | undefined
  const lines: string[] = []
  for (const line of markdown.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
    else if (fence !== undefined) lines.push(line)
    else if (!/^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?)?\s*$/.test(line)) lines.push(withoutMarks(line))
  }
  return lines.join('\n').trim()
}

function withoutMarks(line: string): string {
  // Marks inside of code are part of it.
  const codes: string[] = []
  return line
    .replace(/(`+)(.*?[^`])\1(?!`)/g, (_, _marks: string, code: string) => `\0${codes.push(code) - 1}\0`)
    .replace(/^(\s*)#{1,6}\s+/, '$1')
    .replace(/^(\s*)>\s?/, '$1')
    .replace(/^(\s*)[*+]\s+/, '$1- ')
    .replace(/^\s*\|(.*)\|\s*$/, (_, cells: string) =>
      cells
        .split('|')
        .map((cell) => cell.trim())
        .join('\t'),
    )
    .replace(/!?\[([^\][]*)\]\(([^()\s]*)[^()]*\)/g, (_, words: string, target: string) =>
      words === target ? target : `${words} (${target})`,
    )
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '$1')
    .replace(/(?<![\w_])__(?=\S)(.+?)(?<=\S)__(?![\w_])/g, '$1')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '$1')
    .replace(/\0(\d+)\0/g, (mark, at: string) => codes[Number(at)] ?? mark)
}
