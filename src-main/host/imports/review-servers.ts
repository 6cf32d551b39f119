import { defined } from '../../../src-shared/base/defined.ts'
import { canonicalJson } from '../../../src-shared/base/json.ts'
import type { ServerId } from '../../../src-shared/contract/ids.ts'
import type { OtherHost, ReviewedPackage, ReviewedServer } from '../../../src-shared/contract/imports.ts'
import { freeServerName, sameServerName } from '../../../src-shared/contract/server-rules.ts'
import type { ForeignServer } from '../../../src-shared/foreign/foreign-server.ts'
import type { FileLaunch, InstalledFrom, ServerFileEntry } from '../../storage/base/storage.ts'
import { configuredValues } from '../launch/launch-values.ts'
import { inputsOf, inTheClear, type StagedServer, shownStagedLaunch } from './staged-server.ts'

/** Characters of labels from another host. */
export const MAX_LABEL_LENGTH = 200

export interface StagedEntry {
  readonly foreign: ForeignServer
  readonly held: StagedServer
  readonly host?: OtherHost
  readonly path?: string
  readonly package?: ReviewedPackage
  /** Its entry in a registry. */
  readonly from?: InstalledFrom
  /** The package of npm that it runs, which can say whose it is. */
  readonly npm?: { readonly at: string; readonly name: string; readonly version: string }
}

/** Compares staged servers with those that are configured already. */
export function reviewServers(entries: readonly StagedEntry[], here: readonly ServerFileEntry[]): ReviewedServer[] {
  const taken = here.map(({ name }) => name)
  const reviewed = new Map<string, string>()
  return entries.map(({ foreign, held, host, path, package: published }, at) => {
    const launch = shownStagedLaunch(held)
    const same = here.find((entry) => entry.launch && sameLaunch(launch, entry.launch))
    const name = freeServerName(published?.is === 'entry' ? foreign.name.replace(/^.*\//, '') : foreign.name, taken)
    taken.push(name)
    const configuration = canonicalJson({ ...held, values: Object.fromEntries(held.values), options: foreign.options })
    const earlier = reviewed.get(configuration)
    if (earlier === undefined) reviewed.set(configuration, foreign.name.slice(0, MAX_LABEL_LENGTH))
    return {
      key: String(at),
      called: foreign.name.slice(0, MAX_LABEL_LENGTH),
      name,
      from: {
        ...defined({ host, path, project: foreign.project }),
      },
      launch,
      options: foreign.options,
      here: same
        ? { is: 'same', as: same.name as ServerId }
        : earlier !== undefined
          ? { is: 'repeated', as: earlier }
          : { is: !published && here.some((entry) => sameServerName(entry.name, foreign.name)) ? 'name-taken' : 'new' },
      inputs: inputsOf(held),
      secrets: [...held.values].flatMap(([variable, { secret }]) => (secret ? [variable] : [])),
      inTheClear: inTheClear(held),
      notTaken: foreign.notTaken,
      warnings: nameWarnings(foreign.name),
      ...(published && { package: published }),
    }
  })
}

/** True if two launches are the same as far as can be seen; secrets and inputs are compared by name only. */
function sameLaunch(a: FileLaunch, b: FileLaunch): boolean {
  if (a.type === 'local' && b.type === 'local') {
    const texts = [a.command, ...a.args]
    const others = [b.command, ...b.args]
    return (
      texts.length === others.length &&
      texts.every((text, at) => sameText(text, others[at])) &&
      sameText(a.cwd, b.cwd) &&
      sameValues(a, b)
    )
  }
  return a.type === 'remote' && b.type === 'remote' && sameText(a.url, b.url) && sameValues(a, b)
}

function sameValues(a: FileLaunch, b: FileLaunch): boolean {
  const [mine, others] = [configuredValues(a), configuredValues(b)]
  const names = Object.keys(mine)
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => {
      const [one, other] = [mine[name], Object.hasOwn(others, name) ? others[name] : undefined]
      return one && other && ('secret' in one || 'secret' in other || sameText(one.text, other.text))
    })
  )
}

const sameText = (a: string | undefined, b: string | undefined) =>
  a === b || (b !== undefined && a?.includes('${input:') === true)

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u]

/** Sentences about invisible or look-alike characters in a name. */
export function nameWarnings(called: string): string[] {
  const warnings: string[] = []
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(called)) warnings.push('Its name has invisible characters. They are left out.')
  if (SCRIPTS.filter((script) => script.test(called)).length > 1) {
    warnings.push('Its name mixes letters of different alphabets that look alike.')
  }
  return warnings
}
