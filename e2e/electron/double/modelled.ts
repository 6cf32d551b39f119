/** Makes everything that the double lacks an error instead of an undefined that code would walk past. */
export function modelled<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(of, property) {
      // Symbols and `then` are asked for by the language itself.
      if (typeof property === 'symbol' || property === 'then' || property in of) {
        const value: unknown = Reflect.get(of, property, of)
        return typeof value === 'function' ? value.bind(of) : value
      }
      throw new Error(`not modelled: ${name}.${property}`)
    },
    set(_of, property) {
      throw new Error(`not modelled: setting ${name}.${String(property)}`)
    },
  })
}

/** Throws for options that the double would otherwise silently ignore. */
export function onlyKeys(name: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) if (!known.includes(key)) throw new Error(`not modelled: ${name} option ${key}`)
}
