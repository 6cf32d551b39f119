/** Of objects that were made member by member. */
const KEPT = new WeakMap<object, string[]>()

/**
 * The names of an object's members. V8 lists those of a wide object at once, of 300,000 members for a tenth of a second and more; so for one that was
 * read in turns they are those that its reader met, about in that order, where Object.keys has numbers first. Nothing else may add or remove its members.
 */
export function namesOf(object: object): readonly string[] {
  return KEPT.get(object) ?? Object.keys(object)
}

/** Sets a member as JSON.parse does, one named `__proto__` like any other, and keeps the names of the object from now on. */
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
