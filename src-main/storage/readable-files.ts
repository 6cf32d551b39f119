import { homedir } from 'node:os'
import { relative, sep } from 'node:path'

/** Endings of what people write, draw and program: text, pictures and PDF. Keys, databases and profiles of browsers have none of them. */
const ENDINGS = new Set(
  [
    'txt text md mdx markdown rst adoc asciidoc org tex bib log srt vtt po pot pdf png jpg jpeg webp gif svg',
    'csv tsv json jsonl ndjson json5 jsonc geojson ipynb yaml yml toml xml xsd xsl dtd ini cfg conf properties plist ics eml',
    'html htm xhtml css scss sass less styl vue svelte astro js jsx mjs cjs ts tsx mts cts coffee graphql gql wat hbs ejs pug',
    'c h cc cpp cxx hh hpp hxx m mm cs fs fsx vb java kt kts scala groovy gradle go rs zig nim d v vala swift dart',
    'py pyi pyx rb erb php pl pm lua r rmd jl m4 tcl ex exs erl hrl elm hs lhs ml mli clj cljs cljc edn lisp el scm rkt',
    'sh bash zsh fish ps1 psm1 bat cmd awk sed sql proto thrift avsc cue nix tf hcl rego asm s f f90 f95 pas cob cbl adb ads',
    'cmake make mk bazel bzl ninja diff patch lock sum mod sol vy move cairo gd glsl vert frag hlsl wgsl sv vhd vhdl feature',
  ].flatMap((line) => line.split(' ')),
)
/** Files that have no ending by custom. */
const NAMES = new Set(
  'readme license licence copying authors contributors contributing changelog changes news notice todo makefile gnumakefile dockerfile containerfile justfile procfile gemfile rakefile vagrantfile jenkinsfile brewfile codeowners version'.split(
    ' ',
  ),
)
/** Folders below the home folder that systems hide without a dot. */
const HIDDEN_AT_HOME = new Set(['library', 'appdata'])

/**
 * True if a file may be read by a path that a page gives, in a folder that was named: one of a known ending, on a path without anything
 * hidden, whichever folder on it was named. A person who wants to show another file chooses it in a dialog.
 */
export function isReadable(path: string, home = homedir()): boolean {
  const names = path.split(sep).filter((name) => name !== '')
  if (names.some((name) => name.startsWith('.'))) return false
  const [first = ''] = relative(home, path).split(sep)
  if (HIDDEN_AT_HOME.has(first.toLowerCase())) return false
  const name = names.at(-1)?.toLowerCase() ?? ''
  const dot = name.lastIndexOf('.')
  return dot < 0 ? NAMES.has(name) : ENDINGS.has(name.slice(dot + 1))
}

/** True if the contents of a file are, or include, a private key. */
export function holdsPrivateKey(bytes: Uint8Array): boolean {
  return KEY.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
}
const KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File-|AGE-SECRET-KEY-1|BEGIN OPENVPN STATIC KEY/
