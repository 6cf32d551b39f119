/** Markdown without its marks, for where it would be read as it stands: link targets stay behind their words. */
export function plainText(markdown: string): string {
  let code = false
  const lines: string[] = []
  for (const line of markdown.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) code = !code
    else if (code) lines.push(line)
    else if (!/^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?)?\s*$/.test(line)) lines.push(withoutMarks(line))
  }
  return lines.join('\n').trim()
}

function withoutMarks(line: string): string {
  return line
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
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replace(/~~(?=\S)(.+?)(?<=\S)~~/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
}
