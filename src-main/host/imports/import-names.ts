import { sameServerName, serverNameProblem } from '../../../src-shared/contract/rules/server-rules.ts'

const LONGEST = 64

/** A name that a server can have here and that none of the others has, as near to its own as can be. */
export function freeName(called: string, taken: readonly string[]): string {
  const clean = called
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .trim()
  const base = serverNameProblem(clean) === undefined ? clean : `${clean.slice(0, LONGEST - 8)} server`.trim()
  const usable = serverNameProblem(base) === undefined ? base : 'server'
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? usable : `${usable.slice(0, LONGEST - 6).trim()} ${n}`
    if (!taken.some((other) => sameServerName(other, name))) return name
  }
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u]

/** Invisible parts of a name, in plain sentences. */
export function nameWarnings(called: string): string[] {
  const warnings: string[] = []
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(called)) warnings.push('Its name holds invisible characters. They are left out.')
  if (SCRIPTS.filter((script) => script.test(called)).length > 1) {
    warnings.push('Its name mixes letters of different alphabets that look alike.')
  }
  return warnings
}
