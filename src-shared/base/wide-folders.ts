const TOP =
  /^(?:\/|\/(?:home|Users|root|etc|var|usr|tmp|opt|mnt|media|Volumes)|\/(?:home|Users)\/[^/]+|[A-Za-z]:[\\/]?(?:Users(?:[\\/][^\\/]+)?)?)$/

/** A folder that holds everything, or a person's home and what is above it, wherever it lies: to name it is to name no place. `path` is full and normalised. */
export function isTooWide(path: string, home: string): boolean {
  const above = /[\\/]$/.test(path) ? path : `${path}${path.includes('\\') ? '\\' : '/'}`
  return TOP.test(path) || (home !== '' && (home === path || home.startsWith(above)))
}
