import { describe, expect, it } from 'vitest'
import { stderrCause } from './stderr-cause.ts'

const of = (text: string) => stderrCause(text.split('\n'))

describe('the cause in a program’s output', () => {
  it.each([
    [
      'a Node script that is not there',
      `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/home/me/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at Module._load (node:internal/modules/cjs/loader:1051:27)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2`,
      "Error: Cannot find module '/home/me/server.js'",
      'missing',
    ],
    [
      'a key that is not set, before a long stack',
      `Starting server
Error: GITHUB_PERSONAL_ACCESS_TOKEN is not set
${Array.from({ length: 30 }, (_, n) => `    at step${n} (/srv/a.js:${n}:1)`).join('\n')}`,
      'Error: GITHUB_PERSONAL_ACCESS_TOKEN is not set',
      'Set the variable GITHUB_PERSONAL_ACCESS_TOKEN',
    ],
    [
      'a variable that Python misses',
      `Traceback (most recent call last):
  File "/srv/main.py", line 3, in <module>
    key = os.environ["BRAVE_API_KEY"]
KeyError: 'BRAVE_API_KEY'`,
      "KeyError: 'BRAVE_API_KEY'",
      'BRAVE_API_KEY',
    ],
    [
      'a Python module',
      `Traceback (most recent call last):
  File "<frozen runpy>", line 198, in _run_module_as_main
ModuleNotFoundError: No module named 'mcp'`,
      "ModuleNotFoundError: No module named 'mcp'",
      'missing',
    ],
    [
      'a package that npm does not know',
      `npm warn exec The following package was not found
npm error code E404
npm error 404 Not Found - GET https://registry.example/@x%2fnope - Not found
npm error 404
npm error 404  The requested resource '@x/nope@*' could not be found
npm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log`,
      'npm error 404 Not Found',
      'no such package',
    ],
    [
      'a database that is not there',
      `Connecting…
Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1555:16) {
  errno: -111,`,
      'ECONNREFUSED 127.0.0.1:5432',
      'does not answer',
    ],
    [
      'a host name that nobody knows',
      `TypeError: fetch failed
    at node:internal/deps/undici/undici:13185:13
  [cause]: Error: getaddrinfo ENOTFOUND db.nowhere.example`,
      'ENOTFOUND db.nowhere.example',
      'to a host name that does not resolve',
    ],
    ['a folder that does not exist', "Error: ENOENT: no such file or directory, stat '/nope'", 'ENOENT', 'does not exist'],
    [
      'arguments that it does not take',
      `usage: server [-h] --repo REPO
server: error: the following arguments are required: --repo`,
      'usage: server',
      'arguments',
    ],
    ['a port in use', 'Error: listen EADDRINUSE: address already in use :::3000', 'EADDRINUSE', 'port'],
    ['no permission', "PermissionError: [Errno 13] Permission denied: '/etc/shadow'", 'Permission denied', 'permissions'],
    [
      'Docker that is not running',
      'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.',
      'Cannot connect',
      'Docker',
    ],
    ['a key that is refused', 'Error: 401 Unauthorized: Bad credentials', '401', 'key or token'],
    ['no key at all', 'Please provide an API key with --key', 'API key', 'needs a key'],
    [
      'a runtime that is too old',
      `/srv/index.js:3
const a = b ?? c
            ^
SyntaxError: Unexpected token '?'`,
      'SyntaxError',
      'newer version',
    ],
    [
      'a panic',
      `thread 'main' panicked at src/main.rs:4:5:
DATABASE_URL must be set
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
      'DATABASE_URL must be set',
      'Set the variable DATABASE_URL',
    ],
    ['a certificate', 'Error: self-signed certificate in certificate chain', 'certificate', 'certificate'],
  ])('is found for %s', (_what, text, said, todo) => {
    const cause = of(text)
    expect(cause.said).toContain(said)
    expect(cause.said.split('\n').length).toBeLessThanOrEqual(5)
    expect(cause.todo).toContain(todo)
  })

  it('is the last lines where none is clear, and empty for no output', () => {
    expect(of('one\ntwo\nthree\nfour\nfive\nsix')).toEqual({ said: 'two\nthree\nfour\nfive\nsix' })
    expect(stderrCause([])).toEqual({ said: '' })
  })

  it.each([
    [
      'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error request to https://packages.example/x failed, reason: self-signed',
      'its-certificate',
    ],
    ['npm error code ENOTFOUND\nnpm error network request to https://packages.example/x failed', 'download-failed'],
    ['error: Failed to fetch: `https://pypi.org/simple/x/`', 'download-failed'],
    ['No version is set for command npx', 'runtime-missing'],
    ['Python was not found; run without arguments to install from the Microsoft Store', 'runtime-missing'],
    ['docker: Error response from daemon: manifest for mcp/x:1 not found: manifest unknown', 'package-missing'],
    ['error: failed to connect to the docker API at npipe:////./pipe/docker_engine', 'docker-stopped'],
    ["ERROR: Package 'x' requires a different Python: 3.8.1 not in '>=3.11'", 'runtime-old'],
    ['/bin/sh: 1: uvx: not found', 'program-missing'],
    ['env: ‘node’: No such file or directory', 'program-missing'],
    ['Error: spawn git ENOENT', 'program-missing'],
    ['sh: /srv/x: cannot execute binary file: Exec format error', 'wrong-architecture'],
    ['Error: ENOSPC: no space left on device, write', 'disk-full'],
    ['Error: OPENAI_API_KEY environment variable is required', 'variable-missing'],
    ['Error: Incorrect API key provided: sk-x', 'its-key-rejected'],
  ])('is known by its code in “%s”', (text, code) => {
    expect(of(text).code).toBe(code)
  })

  it('is the runtime that is required', () => {
    const remedies = (text: string) => stderrCause([text], 'linux').remedies?.[0]
    expect(remedies("ERROR: Package 'x' requires a different Python: 3.8.1")).toMatchObject({ program: 'Python' })
    expect(remedies('npm error engine Unsupported engine')).toMatchObject({ program: 'Node.js' })
    expect(remedies('/bin/sh: 1: uvx: not found')).toMatchObject({ program: 'uv' })
  })

  it.each([
    ['Error: GITHUB_PERSONAL_ACCESS_TOKEN environment variable is not set', 'GITHUB_PERSONAL_ACCESS_TOKEN'],
    ['Missing required environment variable: BRAVE_API_KEY', 'BRAVE_API_KEY'],
    ['Please set SLACK_BOT_TOKEN and SLACK_TEAM_ID environment variables', 'SLACK_BOT_TOKEN'],
    ['Error: API_KEY is required', 'API_KEY'],
    ["KeyError: 'NOTION_TOKEN'", 'NOTION_TOKEN'],
    ['Error: Either FIRECRAWL_API_KEY or FIRECRAWL_API_URL must be provided', 'FIRECRAWL_API_KEY'],
    ['ValueError: GEMINI_API_KEY not found in environment variables', 'GEMINI_API_KEY'],
    [
      'Error: Stripe API key not provided. Please either pass it as an argument --api-key=$KEY or set the STRIPE_SECRET_KEY environment variable.',
      'STRIPE_SECRET_KEY',
    ],
    ['Please provide a token with --access-token or set the SUPABASE_ACCESS_TOKEN environment variable', 'SUPABASE_ACCESS_TOKEN'],
    ["Error: Missing option '--api-key' (env var: 'TODOIST_API_KEY').", 'TODOIST_API_KEY'],
    ['fatal: required key DATABASE_URL missing value', 'DATABASE_URL'],
    ['Error: Missing environment variables:\n    AIRTABLE_API_KEY: undefined', 'AIRTABLE_API_KEY'],
    ['Error: No LINEAR_API_KEY provided', 'LINEAR_API_KEY'],
    ['Error: {"EXA_API_KEY":["Required"]}', 'EXA_API_KEY'],
    ['Error: environment variable PORT is not set', 'PORT'],
    ['Error: Missing environment variable `kagi_api_key`', 'kagi_api_key'],
  ])('is the variable of “%s”', (text, name) => {
    expect(of(text).remedies).toEqual([{ is: 'set-variable', name }])
  })

  it.each([
    ['server: error: the following arguments are required: --db_path', 'bad-arguments'],
    ['server: error: the following arguments are required: DB_PATH', 'bad-arguments'],
    ["TypeError: main() missing 1 required positional argument: 'config_path'", 'bad-arguments'],
    ['error: the following required arguments were not provided:\n  --api-key <API_KEY>', 'bad-arguments'],
    ["Error: Missing argument 'DB_PATH'.", 'bad-arguments'],
    ["error: required option '--token <token>' not specified", 'bad-arguments'],
    ['error: unknown option --reset my_tool', 'bad-arguments'],
    ["TypeError: Cannot set properties of undefined (setting 'my_value')", undefined],
    ["TypeError: Cannot set properties of undefined (setting 'MY_VALUE')", undefined],
    ["KeyError: 'config_path'", undefined],
    ['TypeError [ERR_INVALID_ARG_TYPE]: The "path" argument must be of type string', undefined],
    ['Error: 3 INVALID_ARGUMENT: a field is missing', undefined],
    ['Error: cannot read the token', undefined],
  ])('is no variable in “%s”', (text, code) => {
    expect(of(text).code).toBe(code)
  })

  it('is the required variable, unless it is too long for a name', () => {
    expect(of('Error: MY_API_KEY is not set').remedies).toEqual([{ is: 'set-variable', name: 'MY_API_KEY' }])
    expect(of("KeyError: 'BRAVE_API_KEY'").remedies).toEqual([{ is: 'set-variable', name: 'BRAVE_API_KEY' }])
    expect(of('Error: boom')).toEqual({ said: 'Error: boom' })
    expect(of(`Error: A_${'B'.repeat(200)} is not set`).remedies).toEqual([{ is: 'edit', field: 'env' }])
  })
})
