/** Variables that a server may inherit; the person configures all others (TRAN-13). */
const POSIX =
  `HOME LANG LANGUAGE LOGNAME PATH SHELL TERM TMPDIR TZ USER XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR
  XDG_STATE_HOME`.split(/\s+/)

const WINDOWS = `ALLUSERSPROFILE APPDATA COMPUTERNAME COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA NUMBER_OF_PROCESSORS OS PATH PATHEXT
  PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP
  USERNAME USERPROFILE WINDIR`.split(/\s+/)

/** Without these a launcher such as npx reaches no registry on many company networks. */
const NETWORK = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']

/** Usual folders of tools, which the PATH of an app started from the Finder lacks. */
const MAC_PATHS = ['/opt/homebrew/bin', '/usr/local/bin']

/**
 * The complete environment of a server: allow-listed variables of ours, overridden by the configured ones.
 * Folders that npm put in front of PATH are removed: a server must find the person's own `node`, not ours.
 * @param os `process.platform`
 */
export function childEnvironment(
  from: NodeJS.ProcessEnv,
  configured: Readonly<Record<string, string>>,
  os: string,
): Record<string, string> {
  const windows = os === 'win32'
  const allowed = new Set([...(windows ? WINDOWS : POSIX), ...NETWORK])
  const environment: Record<string, string> = {}
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined || value.startsWith('()')) continue // an exported shell function is code
    const known = windows || /^[a-z_]+_proxy$/.test(name) ? name.toUpperCase() : name
    if (!allowed.has(known) && !name.startsWith('LC_')) continue
    if (NETWORK.includes(known) && hasCredentials(value)) continue
    environment[name] = known === 'PATH' ? searchPath(value, os) : value
  }
  for (const [name, value] of Object.entries(configured)) {
    // Names ignore case on Windows; of two spellings either could win.
    const inherited = windows && Object.keys(environment).find((other) => other.toUpperCase() === name.toUpperCase())
    if (inherited) delete environment[inherited]
    environment[name] = value
  }
  return environment
}

function searchPath(path: string, os: string): string {
  const separator = os === 'win32' ? ';' : ':'
  const entries = path.split(separator)
  while (entries[0] !== undefined && isPackageBin(entries[0])) entries.shift()
  if (os === 'darwin') entries.push(...MAC_PATHS.filter((extra) => !entries.includes(extra)))
  return entries.join(separator)
}

/** A folder that npm, npx, pnpm or yarn puts in front of PATH while a script runs. */
function isPackageBin(entry: string): boolean {
  return /[\\/](node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/.test(entry)
}

/** A server must not get the person's password for a proxy. */
function hasCredentials(value: string): boolean {
  return /^[a-z0-9+.-]+:\/\/[^/]*@/i.test(value)
}
