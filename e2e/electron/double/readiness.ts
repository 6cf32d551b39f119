let ready = false

/** Electron refuses much of what it has until the app is ready, and some of it from then on. */
export const isReady = () => ready

export function becomeReady(): void {
  ready = true
}

/** Throws Electron's own words for what needs the app to be ready. */
export function needsReady(what: string): void {
  if (!ready) throw new Error(`${what} cannot be used before app is ready`)
}
