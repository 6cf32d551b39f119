import { wordSet } from './names.ts'

/**
 * Extensions of files that nothing runs until somebody builds, tests or opens them. Any other one may be obeyed: shell scripts, systemd
 * units, projects of an editor.
 */
const INERT =
  wordSet(`txt md mdx markdown rst adoc org tex bib csv tsv log srt vtt po docx xlsx pptx odt ods odp rtf pdf epub png jpg jpeg gif webp bmp
  tiff mp3 wav ogg flac mp4 webm ts tsx mts cts js jsx mjs cjs py pyi go rs java kt swift c h cc cpp cxx hpp cs php rb scala dart ex hs ml
  vue svelte astro css scss sass less html htm sql graphql proto`)

/** Harmless middle parts of a file name: `discount.test.ts`. By others, as in `vite.config.ts`, a program may find the file. */
const INNER = wordSet(
  'test tests spec d stories story module component service controller model schema types styles min de en es fr it',
)

/** Files that programs find by name and run: builds, tests, installations. */
const RUN =
  wordSet(`package.json package-lock.json npm-shrinkwrap.json composer.json deno.json deno.jsonc bun.lockb pnpm-workspace.yaml turbo.json nx.json
  project.json lerna.json tsconfig.json jsconfig.json mcp.json settings.json tasks.json launch.json devcontainer.json makefile gnumakefile
  cmakelists.txt rakefile gemfile guardfile podfile fastfile dangerfile justfile taskfile.yml taskfile.yaml procfile vagrantfile jenkinsfile
  dockerfile containerfile compose.yml compose.yaml docker-compose.yml docker-compose.yaml pyproject.toml setup.cfg tox.ini pytest.ini cargo.toml
  build.gradle settings.gradle pom.xml build.xml azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml crontab setup.py conftest.py
  noxfile.py fabfile.py tasks.py dodo.py sitecustomize.py usercustomize.py build.rs mix.exs package.swift project.godot gulpfile.js gruntfile.js
  gulpfile.ts gruntfile.ts requirements.txt constraints.txt robots.txt cname.txt sw.js service-worker.js`)

/** Words in the names of files and folders with instructions or memories for models: `AGENTS.md`, `memory-bank/`, `x.prompt.md`. */
const TOLD =
  wordSet(`agent agents claude gemini copilot codex cursor qwen aider cline windsurf warp skill skills memory memories memorybank instruction
  instructions prompt prompts rules conventions persona personas soul identity heartbeat system assistant llm llms chatmode chatmodes mcp`)

/** Folders whose files are run: hooks, jobs, programs, installed packages. */
const RUNNING =
  wordSet(`bin sbin script scripts githooks ci workflows actions node_modules vendor third_party site-packages bower_components venv env
  autostart startup launchagents launchdaemons systemd appdata library plugins addons extensions`)

const pieces = (path: string) => path.split(/[\\/]/).filter(Boolean)
/** As case-insensitive file systems compare names. */
const folded = (name: string) => name.normalize('NFKC').toLowerCase()

/** True for hidden files below the folder, and ones that programs run or models obey. A rule for the folder does not cover changes of them. */
export function isObeyed(path: string, folder: string): boolean {
  const names = pieces(path.slice(folder.length)).map(folded)
  const last = names.at(-1) ?? ''
  return names.some((name) => name.startsWith('.')) || RUN.has(last) || isTold(names)
}

function isTold(names: readonly string[]): boolean {
  const ofText = /\.(?:md|mdx|mdc|markdown|txt|jsonl?|ya?ml)$/.test(names.at(-1) ?? '')
  return ofText && names.some((name) => name.split(/[^\p{L}\p{N}]+/u).some((word) => TOLD.has(word)))
}

/** A name without invisible characters, and without characters that have a meaning for a system. */
const PLAIN = /^[\p{L}\p{N}_([][\p{L}\p{M}\p{N} _.,+&'()[\]-]*$/u

/** True if the path is below the folder, and none of its names is known to be run or obeyed. */
export function isInert(path: string, folder: string, isFolder = false): boolean {
  // The folder's own name counts: it may itself be a memory for models.
  const own = pieces(folder).at(-1) ?? ''
  const way = pieces(path.slice(folder.length))
  if (way.length === 0 || isObeyed(path, folder) || own.startsWith('.')) return false
  const folders = isFolder ? way : way.slice(0, -1)
  if (![own, ...way].every((name) => PLAIN.test(name) && !name.endsWith('.') && !name.endsWith(' '))) return false
  if (folders.some((name) => RUNNING.has(folded(name))) || isTold([own, ...way].map(folded))) return false
  if (isFolder) return true
  const [, ...kinds] = folded(way.at(-1) ?? '').split('.')
  const kind = kinds.pop()
  return kind !== undefined && INERT.has(kind) && kinds.every((inner) => INNER.has(inner) || /^\d+$/.test(inner))
}
