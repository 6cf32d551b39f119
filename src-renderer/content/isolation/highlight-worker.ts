import { createHighlighterCore, type HighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { CodeLines, HighlightAsk } from './highlight.ts'
import { serveThread } from './serve-thread.ts'

const LIGHT = 'github-light-high-contrast'
const DARK = 'github-dark-high-contrast'

const LANGUAGES = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
} as const

type Language = keyof typeof LANGUAGES

const ALIASES: Readonly<Record<string, Language>> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  js: 'javascript',
  jsx: 'tsx',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

let loading: Promise<HighlighterCore> | undefined

/** Uses neither WebAssembly nor HTML strings, which the content policy forbids. */
function highlighter(): Promise<HighlighterCore> {
  loading ??= createHighlighterCore({
    themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark-high-contrast.mjs')],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  return loading
}

/** Undefined for an unknown language. */
async function highlight({ code, language }: HighlightAsk): Promise<CodeLines | undefined> {
  const wanted = language.toLowerCase()
  const known = Object.hasOwn(LANGUAGES, wanted) ? (wanted as Language) : ALIASES[wanted]
  if (!known) return undefined
  const core = await highlighter()
  await core.loadLanguage(LANGUAGES[known]())
  const { tokens } = core.codeToTokens(code, { lang: known, themes: { light: LIGHT, dark: DARK }, defaultColor: false })
  return tokens.map((line) => line.map((token) => ({ at: token.offset, text: token.content, style: { ...token.htmlStyle } })))
}

serveThread(highlight)
