import { describe, expect, it } from 'vitest'
import { isInert, isObeyed } from './obeyed-files.ts'

const shop = '/home/ana/shop'

describe('a file below a folder in which files may be changed', () => {
  it.each([
    'README.md',
    'notes/2026-11.txt',
    'src/discount.ts',
    'src/discount.test.ts',
    'src/app/[id]/page.tsx',
    'app/__init__.py',
    'Größe (neu).md',
    'img/tour 01.jpg',
    'CHANGELOG.1.2.md',
    'CODE_OF_CONDUCT.md',
    'A.md',
    '2026.md',
    '指示.md',
    'tasks.md',
    'ROHDATEN.csv',
    'src/ConfirmDialog.tsx',
    'shop/lib/customers.py',
  ])('is inert as %s', (name) => {
    expect(isInert(`${shop}/${name}`, shop)).toBe(true)
    expect(isInert(`C:\\Users\\ana\\shop\\${name.replaceAll('/', '\\')}`, 'C:\\Users\\ana\\shop')).toBe(true)
  })

  it.each([
    ...[
      'package.json',
      'PACKAGE.JSON',
      'sub/package.json',
      'package.json ',
      'package.json.',
      'Makefile',
      'makefile',
      'Dockerfile',
    ],
    ...['.bashrc', '.git/config', '.git/hooks/pre-commit', '.github/workflows/ci.yml', '.vscode/tasks.json', 'x/.envrc', '..md'],
    ...['AGENTS.md', 'agents.md', 'agentſ.md', 'CLAUDE.local.md', 'docs/copilot-instructions.md', 'a.prompt.md', 'SKILL.md'],
    ...[
      'memory-bank/progress.md',
      'memories/2026.md',
      'MEMORY.md',
      'rules/style.md',
      '.cursorrules',
      'llms.txt',
      'ＡＧＥＮＴＳ.md',
    ],
    ...['vite.config.ts', 'gulpfile.js', 'conftest.py', 'setup.py', 'build.rs', 'webpack.dev.js', 'eslint.config.mjs'],
    ...[
      'run.sh',
      'run',
      'x.bat',
      'x.ps1',
      'x.exe',
      'x.desktop',
      'x.plist',
      'x.lnk',
      'x.service',
      'x.yml',
      'x.toml',
      'x.json',
      'x.lua',
    ],
    ...['bin/x.js', 'scripts/build.ts', 'node_modules/a/index.js', 'ci/x.py', 'vendor/x.go', 'venv/x.py', 'githooks/x.py'],
    // No list has these, and none needs to: a name in capitals, and source files outside of the folders for them.
    ...['CRUSH.md', 'WARP2.md', 'ANWEISUNGEN.md', 'ИНСТРУКЦИИ.md', 'docs/ORDERS.txt', 'README_BOT.md', 'CONVENTIONS.de.md'],
    ...['x.ts', 'Jakefile.js', 'manage.py', 'docs/x.js', 'packages/a/gulpfile.mjs', 'index.html', 'x.mdx'],
    ...[
      'src/app.config.ts',
      'src/viteConfig.ts',
      'tests/conftest.py',
      'lib/sitecustomize.py',
      'src/test_setup.py',
      'src/.env.ts',
    ],
    ...['dev-requirements.txt', 'requirements/constraints.txt', 'src/CMakeLists.txt', 'robots.txt', 'CNAME.txt'],
    ...['x.txt:evil', 'PACKAG~1.JSO', 'AGENTS~1.MD', 'x.md\u200b', 'AGENTS\u200b.md', 'a\u202egpj.md', 'x/', '', '-rf.md'],
  ])('is not inert as %j', (name) => {
    expect(isInert(`${shop}/${name}`, shop)).toBe(false)
  })

  it('is not inert where the folder itself is hidden or a memory', () => {
    expect(isInert('/home/ana/.claude/x.md', '/home/ana/.claude')).toBe(false)
    expect(isInert('/home/ana/memory/x.md', '/home/ana/memory')).toBe(false)
    expect(isInert('/home/ana/bin/x.md', '/home/ana/bin')).toBe(true)
  })

  it('is inert as source where the folder itself is one for source files', () => {
    expect(isInert('/home/ana/shop/src/x.ts', '/home/ana/shop/src')).toBe(true)
    expect(isInert('/home/ana/src.bak/x.ts', '/home/ana/src.bak')).toBe(false)
  })

  it('may be a folder of a plain name where one is made', () => {
    expect(isInert(`${shop}/chapters/two`, shop, true)).toBe(true)
    for (const name of ['.git', 'bin', 'x/.vscode', 'node_modules'])
      expect(isInert(`${shop}/${name}`, shop, true), name).toBe(false)
  })
})

describe('a file that is obeyed', () => {
  it.each(['.vscode/settings.json', 'package.json', 'Makefile', 'AGENTS.md', 'memory/x.md'])('is %s below a folder', (name) => {
    expect(isObeyed(`${shop}/${name}`, shop)).toBe(true)
    expect(isObeyed(`${shop}/${name}`, `${shop}/${name}`)).toBe(false)
  })

  it.each(['src/x.ts', 'src/agent.ts', 'README.md', 'tour.tscn', 'config.yaml'])('is not %s', (name) => {
    expect(isObeyed(`${shop}/${name}`, shop)).toBe(false)
  })
})
