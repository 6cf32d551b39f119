/** Names of objects built by `setMember`. */
const KEPT = new WeakMap<object, string[]>()

/**
 * The names of an object's members. Object.keys blocks for 100 ms and more on 300,000 members, so objects built by `setMember` keep
 * their own list, in order of first use. Only `setMember` may change the members of such an object.
 */
export function namesOf(object: object): readonly string[] {
  return KEPT.get(object) ?? Object.keys(object)
}

/** Sets a member as JSON.parse does, including `__proto__`, and records its name. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  let names = KEPT.get(object)
  if (!names) {
    names = Object.keys(object)
    KEPT.set(object, names)
  }
  if (!Object.hasOwn(object, name)) names.push(name)
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}
