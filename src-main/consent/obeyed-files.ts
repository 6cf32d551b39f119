import { wordSet, wordsOf } from './names.ts'

/** Extensions of documents, pictures and tables, which nothing runs. */
const DOCUMENTS =
  wordSet(`txt md markdown rst adoc org tex bib csv tsv log srt vtt po docx xlsx pptx odt ods odp rtf pdf epub png jpg jpeg gif webp bmp
  tiff mp3 wav ogg flac mp4 webm`)

/** Extensions of documents that programs and models also read for instructions, if the name is the right one. */
const TEXTS = wordSet('txt md markdown rst adoc org')

/** Extensions of source files, which run with the next build or test. Any other one may be run at once: shell scripts, systemd units. */
const SOURCES =
  wordSet(`ts tsx mts cts js jsx mjs cjs py pyi go rs java kt swift c h cc cpp cxx hpp cs php rb scala dart ex hs ml vue svelte astro css
  scss sass less html htm sql graphql proto mdx`)

/** Folders for source files. In other places, such as the root of a project, tools look for files to run: `gulpfile.js`, `setup.py`. */
const SOURCE_FOLDERS =
  wordSet(`src source sources app lib pkg internal test tests spec specs __tests__ components pages routes views models controllers services
  styles templates queries`)

/** Harmless middle parts of a file name: `discount.test.ts`. By others, as in `vite.config.ts`, a program may find the file. */
const INNER = wordSet(
  'test tests spec d stories story module component service controller model schema types styles min de en es fr it',
)

/** Words in the names of files that tools look for in any folder: `conftest.py`, `dev-requirements.txt`. */
const LOOKED_FOR =
  wordSet(`config configuration conf conftest setup build env rc sitecustomize usercustomize requirements constraints cmake cmakelists robots
  cname hosts`)

/** Texts in capitals that are for people. Any other one may be for a model: AGENTS, CLAUDE, and those still to come. */
const CAPITALS =
  wordSet(`readme changelog changes history news license licence copying notice authors contributors contributing maintainers security
  support code of conduct todo faq architecture design roadmap upgrading migration install thanks credits`)

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

/** True if the path is below the folder, and its whole name and place are those of documents or source files. */
export function isInert(path: string, folder: string, isFolder = false): boolean {
  // The folder's own name counts: it may itself be a memory for models.
  const own = pieces(folder).at(-1) ?? ''
  const way = pieces(path.slice(folder.length))
  if (way.length === 0 || isObeyed(path, folder) || own.startsWith('.')) return false
  const folders = isFolder ? way : way.slice(0, -1)
  if (![own, ...way].every((name) => PLAIN.test(name) && !name.endsWith('.') && !name.endsWith(' '))) return false
  if (folders.some((name) => RUNNING.has(folded(name))) || isTold([own, ...way].map(folded))) return false
  if (isFolder) return true
  const [stem = '', ...inner] = (way.at(-1) ?? '').normalize('NFKC').split('.')
  const kind = inner.pop()?.toLowerCase() ?? ''
  if (!inner.every((part) => INNER.has(part.toLowerCase()) || /^\d+$/.test(part))) return false
  const isLookedFor = wordsOf(stem).some((word) => LOOKED_FOR.has(word)) || LOOKED_FOR.has(folded(stem))
  if (isSource(path)) return [own, ...folders].some((name) => SOURCE_FOLDERS.has(folded(name))) && !isLookedFor
  if (!DOCUMENTS.has(kind) || (kind === 'txt' && isLookedFor)) return false
  return !TEXTS.has(kind) || !isShouted(stem)
}

/** True for a source file. */
export const isSource = (path: string) => SOURCES.has(folded(path).split('.').at(-1) ?? '')

/** True for a name in capitals that is not known to be for people. */
function isShouted(stem: string): boolean {
  const words = stem.split(/[^\p{L}]+/u).filter((word) => word.length > 1)
  return (
    words.length > 0 &&
    stem === stem.toUpperCase() &&
    stem !== stem.toLowerCase() &&
    !words.every((word) => CAPITALS.has(word.toLowerCase()))
  )
}
