import { wordSet, wordsOf } from './names.ts'

/** Extensions of pictures, tables and recordings, which nothing runs and no model takes for instructions. */
const RECORDS =
  wordSet(`tex bib csv tsv log srt vtt po docx xlsx pptx odt ods odp rtf pdf epub png jpg jpeg gif webp bmp tiff mp3 wav ogg flac mp4
  webm`)

/** Extensions of texts. By their names, models take some for instructions, and programs some for lists of what to install. */
const TEXTS = wordSet('txt md markdown rst adoc org')

/** Words in the names of texts that are for people, and of their folders. */
const FOR_PEOPLE =
  wordSet(`readme changelog changes history news licence license copying notice authors contributors contributing maintainers security
  support code conduct todo todos faq architecture design roadmap upgrading migration install installation thanks credits glossary docs doc
  documentation documents papers notes note journal diary log logs letters letter mail mails drafts draft texts articles article posts post
  blog essays essay book books chapters chapter part parts story stories poem poems song songs lyrics minutes protocol meeting meetings agenda
  report reports summary summaries overview introduction intro outline abstract conclusion appendix review reviews research sources
  bibliography reading list lists shopping tasks idea ideas questions answers recipe recipes menu trip trips travel tour tours itinerary
  packing invoice invoices receipts receipt offer offers quote order orders budget expenses inventory contract contracts address addresses
  contacts guests birthdays calendar schedule timetable week month year daily weekly monthly today
  tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december lesson lessons course homework exam exams thesis
  guide guides tutorial tutorials manual handbook howto usage examples example translation translations transcript transcripts interview
  interviews speech announcement newsletter press release releases issue issues archive attachments pictures images photos of the and for to in
  a on with about new old my our final copy index notizen notiz tagebuch brief briefe entwurf protokoll bericht liste aufgaben ideen rezept
  rezepte reise rechnung rechnungen angebot dokumente kapitel lettres lettre rapport recette recettes courses voyage cartas carta informe receta
  recetas apuntes viaje facturas lettere appunti ricette viaggio rapporto relatorio receitas viagem notities brieven recepten reis verslag`)

/** Extensions of source files, which run with the next build or test. */
const SOURCES =
  wordSet(`ts tsx mts cts js jsx mjs cjs py pyi go rs java kt swift c h cc cpp cxx hpp cs php rb scala dart ex hs ml vue svelte astro css
  scss sass less html htm sql graphql proto mdx`)

/** Folders of a project for source files. In others, such as its root, tools look for files to run: `gulpfile.js`, `setup.py`. */
const SOURCE_FOLDERS = wordSet('src internal components controllers models views routes')

/** Folders of a project for tests, in which only those are known: tools also look there for files such as `conftest.py`. */
const TEST_FOLDERS = wordSet('test tests __tests__ spec specs')
const TESTS = wordSet('test tests spec specs')

/** Folders with packages of a project, each of which has source folders of its own. */
const PACKAGES = wordSet('packages apps crates modules services')

/** Harmless middle parts of a file name: `discount.test.ts`. By others, as in `vite.config.ts`, a program may find the file. */
const INNER = wordSet(
  'test tests spec d stories story module component service controller model schema types styles min de en es fr it',
)

const pieces = (path: string) => path.split(/[\\/]/).filter(Boolean)
/** As case-insensitive file systems compare names. */
const folded = (name: string) => name.normalize('NFKC').toLowerCase()

/** A name that is not hidden, without invisible characters and those that have a meaning for a system. */
const PLAIN = /^[\p{L}\p{N}_([][\p{L}\p{M}\p{N} _.,+&'()[\]-]*$/u

/** True if the path is below the folder, and no name in it, the folder's included, is hidden or has unusual characters. */
export function hasPlainNames(path: string, folder: string): boolean {
  const way = pieces(path.slice(folder.length))
  const names = [...pieces(folder).slice(-1), ...way]
  return way.length > 0 && names.every((name) => PLAIN.test(name) && !name.endsWith('.') && !name.endsWith(' '))
}

/** True for a file below the folder whose kind and place are known for files that nothing obeys by itself. */
export function isInert(path: string, folder: string): boolean {
  if (!hasPlainNames(path, folder)) return false
  const folders = pieces(path.slice(folder.length))
  const [stem = '', ...inner] = (folders.pop() ?? '').normalize('NFKC').split('.')
  const kind = inner.pop()?.toLowerCase() ?? ''
  if (!inner.every((part) => INNER.has(part.toLowerCase()) || /^\d+$/.test(part))) return false
  if (RECORDS.has(kind)) return true
  if (SOURCES.has(kind)) return isSourcePlace(folders.map(folded), [...wordsOf(stem), ...inner])
  // The folder itself may be a memory for models.
  const home = folders.at(-1) ?? pieces(folder).at(-1) ?? ''
  return TEXTS.has(kind) && folders.every((name) => isForPeople(name) || isNumber(name)) && isTextForPeople(stem, home)
}

/** True for a source file. */
export const isSource = (path: string) => SOURCES.has(folded(path).split('.').at(-1) ?? '')

/** True in `src` and `packages/shop/src`, and for a test in `tests`. */
function isSourcePlace(folders: readonly string[], words: readonly string[]): boolean {
  const [first = '', , third = ''] = folders
  const place = PACKAGES.has(first) ? third : first
  return SOURCE_FOLDERS.has(place) || (TEST_FOLDERS.has(place) && words.some((word) => TESTS.has(folded(word))))
}

/** Programs and models look for one fixed word or two, never for a sentence, or a number in a folder of texts. */
const isTextForPeople = (stem: string, folder: string) =>
  isForPeople(stem) || /\p{L}.* .*\p{L}/u.test(stem) || (isForPeople(folder) && /\d/.test(stem))

/** True if each word of a name is for people. */
function isForPeople(name: string): boolean {
  const words = wordsOf(name)
  return words.some((word) => !isNumber(word)) && words.every((word) => FOR_PEOPLE.has(word) || isNumber(word))
}

/** True for a year, a date or a number. */
const isNumber = (name: string) => /^\d[\d_.-]*$/.test(name)
