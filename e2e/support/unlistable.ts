import { setMember } from '../../src-shared/base/member-names.ts'

/** An object that throws when its names are listed. */
export function unlistable(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let made = false
  const object = new Proxy<Record<string, unknown>>(
    {},
    {
      ownKeys(target) {
        if (made) throw new Error('All names were listed at once.')
        return Reflect.ownKeys(target)
      },
    },
  )
  for (const [name, value] of Object.entries(members)) setMember(object, name, value)
  made = true
  return object
}
