import { canonicalJson } from '../../../src-shared/base/json.ts'
import { type LaunchFacts, withoutSecrets } from './launch-identity.ts'
import { publishedPackage } from './published-package.ts'

/** A name that stands in for the package, to tell which word names it. */
const STAND_IN = 'parley-stand-in'

/** True if two launches start the same published package in the same way, in another version. */
export function differsByVersion(before: LaunchFacts, now: LaunchFacts): boolean {
  const [was, is] = [withoutSecrets(before.summary), withoutSecrets(now.summary)]
  if (was.type !== 'local' || is.type !== 'local' || was.args.length !== is.args.length) return false
  const { args: old, open: _wasOpen, fence: _wasFence, ...wasElse } = was
  const { args, open: _isOpen, fence: _isFence, ...isElse } = is
  const rest = (facts: LaunchFacts, launch: object) => canonicalJson({ launch, values: facts.values, code: facts.code ?? null })
  if (rest(before, wasElse) !== rest(now, isElse)) return false
  const different = args.flatMap((word, at) => (word === old[at] ? [] : at))
  const [at] = different
  const name = publishedPackage(is.command, args)
  if (at === undefined || different.length > 1 || name === undefined || publishedPackage(was.command, old) !== name) return false
  return publishedPackage(is.command, args.with(at, STAND_IN))?.replace(/^\w+:/, '') === STAND_IN
}
