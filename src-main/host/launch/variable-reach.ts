import type { LaunchVariable } from '../../../src-shared/contract/servers.ts'

type Reach = Exclude<NonNullable<LaunchVariable['can']>, 'unknown'>

const NAMES: Readonly<Record<Reach, readonly string[]>> = {
  'load-code': [
    ...['PATH', 'PATHEXT', 'COMSPEC', 'SHELL', 'ENV', 'BASH_ENV', 'ZDOTDIR', 'PS4', 'PROMPT_COMMAND', 'IFS'],
    ...['HOME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_DIRS'],
    ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_REPL_EXTERNAL_MODULE', 'ELECTRON_RUN_AS_NODE', 'DENO_DIR', 'BUN_INSTALL'],
    ...['CLASSPATH', 'JAVA_HOME', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'JDK_JAVA_OPTIONS', 'MAVEN_OPTS', 'GRADLE_OPTS'],
    ...['GEM_HOME', 'GEM_PATH', 'GOFLAGS', 'GOROOT', 'GOPATH', 'RUSTC', 'RUSTC_WRAPPER', 'RUSTFLAGS', 'LUA_PATH', 'LUA_CPATH'],
    ...['OPENSSL_CONF', 'OPENSSL_MODULES', 'OPENSSL_ENGINES', 'GCONV_PATH', 'PHPRC', 'PHP_INI_SCAN_DIR', 'R_PROFILE', 'R_LIBS'],
    ...['LUA_INIT', 'BUN_OPTIONS', 'JULIA_LOAD_PATH', 'ERL_FLAGS', 'R_PROFILE_USER', 'DOTNET_ADDITIONAL_DEPS', 'SHELLOPTS'],
    ...['JAVA_OPTS', 'JAVA_OPTIONS', 'BASHOPTS', 'ERL_AFLAGS', 'ERL_ZFLAGS', 'ERL_LIBS', 'JULIA_DEPOT_PATH', 'R_LIBS_USER'],
    ...['EDITOR', 'VISUAL', 'PAGER', 'MANPAGER', 'LESSOPEN', 'BROWSER', 'SSH_ASKPASS', 'SUDO_ASKPASS', 'VIRTUAL_ENV'],
  ],
  'change-downloads': ['GOPROXY', 'GONOSUMDB', 'GOSUMDB', 'CONDARC', 'PUPPETEER_DOWNLOAD_BASE_URL', 'ELECTRON_MIRROR'],
  'redirect-traffic': [
    ...['NODE_TLS_REJECT_UNAUTHORIZED', 'NODE_EXTRA_CA_CERTS', 'NODE_USE_ENV_PROXY', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
    ...['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'CURL_HOME', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'KUBECONFIG', 'SSH_AUTH_SOCK'],
    ...['HOSTALIASES', 'RES_OPTIONS', 'LOCALDOMAIN', 'PGSERVICEFILE', 'PGHOST'],
  ],
}

const PATTERNS: readonly (readonly [RegExp, Reach])[] = [
  [/^NPM_CONFIG_(?:NODE_OPTIONS|SCRIPT_SHELL|SHELL|PREFIX|GLOBALCONFIG|USERCONFIG|IGNORE_SCRIPTS|GIT|INIT_MODULE)$/, 'load-code'],
  [/^(?:LD|DYLD|DOTNET_STARTUP|COR|CORECLR|GIT|BASH_FUNC)_|^(?:PYTHON|PERL5?|RUBY|DOTNET_ROOT)/, 'load-code'],
  [/^(?:NPM_CONFIG|UV|PIP|PIPX|POETRY|YARN|PNPM|BUN_CONFIG|BUNDLE|CARGO|CONDA|PLAYWRIGHT|HF)_/, 'change-downloads'],
  [/PROXY$|_(?:CA_BUNDLE|CA_FILE|CA_CERTS?)$|_(?:BASE_URL|API_URL|ENDPOINT|ENDPOINT_URL|API_BASE)$/, 'redirect-traffic'],
]

const BY_NAME = new Map(Object.entries(NAMES).flatMap(([can, names]) => names.map((name) => [name, can as Reach] as const)))

/** Names of secrets, accounts, regions, log levels and the like, and the endings of such names. */
const HARMLESS_NAMES = new Set([
  ...['NODE_ENV', 'DEBUG', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'NO_COLOR', 'FORCE_COLOR', 'CI', 'HTTP_PORT', 'OPENAPI_MCP_HEADERS'],
  ...['MEMORY_FILE_PATH', 'DISABLE_THOUGHT_LOGGING', 'JIRA_URL', 'CONFLUENCE_URL', 'AWS_PROFILE', 'GITHUB_DYNAMIC_TOOLSETS'],
])
const HARMLESS_END =
  /(?:^|_)(?:TOKENS?|API_?KEY|KEY|SECRET|PASSWORD|PASSWD|PASS|USER|USERNAME|EMAIL|IDS?|TEAM|ORG|ORGANIZATION|TENANT|WORKSPACE|PROJECT|REGION|LOCALE|TIMEZONE|LOG_LEVEL|READ_?ONLY|TOOLSETS|PORT)$/

/**
 * The power of a variable of that name over a program: undefined if it is known to be harmless, `unknown` if nothing is known.
 */
export function variableReach(name: string): LaunchVariable['can'] {
  const upper = name.toUpperCase()
  const known = BY_NAME.get(upper) ?? PATTERNS.find(([pattern]) => pattern.test(upper))?.[1]
  return known ?? (HARMLESS_NAMES.has(upper) || HARMLESS_END.test(upper) ? undefined : 'unknown')
}
