/** The view of a resource. HTML and SVG are code: nothing that can act is ever rendered (RES-30). */
export type ResourceKind =
  | { readonly is: 'text' | 'markdown' | 'json' | 'csv' | 'image' | 'audio' | 'pdf' | 'bytes' }
  | { readonly is: 'code'; readonly language: string }

/** Image types that the shells serve inline; SVG is missing because it can hold scripts. */
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/

const LANGUAGES: Readonly<Record<string, string>> = {
  c: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  diff: 'diff',
  go: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  html: 'html',
  java: 'java',
  js: 'javascript',
  jsx: 'tsx',
  kt: 'kotlin',
  mjs: 'javascript',
  patch: 'diff',
  php: 'php',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  sql: 'sql',
  svg: 'xml',
  swift: 'swift',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'tsx',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
}

const TYPES: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'image/svg+xml': 'xml',
  'text/xml': 'xml',
  'application/xml': 'xml',
  'text/css': 'css',
  'text/javascript': 'javascript',
  'application/javascript': 'javascript',
  'application/typescript': 'typescript',
  'text/x-python': 'python',
  'application/x-sh': 'bash',
  'application/sql': 'sql',
  'application/toml': 'toml',
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
}

/** Decides by the declared type, else by the extension; otherwise text is plain text and bytes are bytes (RES-26). */
export function resourceKind(uri: string, mimeType: string | undefined, holds: 'text' | 'blob'): ResourceKind {
  const type = (mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const ending = /\.([a-z0-9]{1,8})(?:[?#]|$)/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  if (holds === 'blob') {
    if (PICTURES.test(type)) return { is: 'image' }
    if (type === 'application/pdf' || (anyBytes(type) && ending === 'pdf')) return { is: 'pdf' }
    return { is: type.startsWith('audio/') ? 'audio' : 'bytes' }
  }
  if (type === 'text/markdown' || (plain(type) && (ending === 'md' || ending === 'markdown'))) return { is: 'markdown' }
  if (/^(application|text)\/json$|\+json$/.test(type) || (plain(type) && ending === 'json')) return { is: 'json' }
  if (/^text\/(csv|tab-separated-values)$/.test(type) || (plain(type) && /^[ct]sv$/.test(ending))) return { is: 'csv' }
  const language = Object.hasOwn(TYPES, type)
    ? TYPES[type]
    : plain(type) && Object.hasOwn(LANGUAGES, ending)
      ? LANGUAGES[ending]
      : undefined
  return language === undefined ? { is: 'text' } : { is: 'code', language }
}

const anyBytes = (type: string) => type === '' || type === 'application/octet-stream'
const plain = (type: string) => type === '' || type === 'text/plain'

/** True if the shells serve the type inline. */
export function isPicture(mimeType: string): boolean {
  return PICTURES.test(mimeType.toLowerCase())
}

/** True for a folder (RES-19). */
export function isFolder(mimeType: string | undefined): boolean {
  return mimeType?.toLowerCase() === 'inode/directory'
}

/** A name for the saved file: the end of the URI, without characters that file systems treat specially. */
export function uriFileName(uri: string): string {
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:/i, '').split(/[?#]/, 1)[0] ?? ''
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  const safe = decoded(last)
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 100)
  return safe || 'resource'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
