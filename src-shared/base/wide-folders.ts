const TOP =
  /^(?:\/|\/(?:home|Users|root|etc|var|usr|tmp|opt|mnt|media|Volumes)|\/(?:home|Users)\/[^/]+|[A-Za-z]:[\\/]?(?:Users(?:[\\/][^\\/]+)?)?)$/

/** True for a system folder, a home, and any folder above a home: naming one limits nothing. `path` is absolute and normalized. */
export function isTooWide(path: string, home: string): boolean {
  const above = /[\\/]$/.test(path) ? path : `${path}${path.includes('\\') ? '\\' : '/'}`
  return TOP.test(path) || (home !== '' && (home === path || home.startsWith(above)))
}
