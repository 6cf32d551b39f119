import { describe, expect, it } from 'vitest'
import { hasPlainNames, isInert } from './inert-files.ts'

const shop = '/home/ana/shop'

describe('a file below a folder in which files may be changed', () => {
  it.each([
    'README.md',
    'notes/2026-11.txt',
    'src/discount.ts',
    'src/discount.test.ts',
    'src/app/[id]/page.tsx',
    'packages/cart/src/total.ts',
    'tests/test_total.py',
    'spec/models/CartSpec.scala',
    'letter to Bela.md',
    'notes/grant 2026.md',
    'bin/tour.png',
    'Größe (neu).md',
    'img/tour 01.jpg',
    'CHANGELOG.1.2.md',
    'CODE_OF_CONDUCT.md',
    'docs/2026-11-27.md',
    'Reports/2026/week 48.md',
    'tasks.md',
    'ROHDATEN.csv',
    'src/ConfirmDialog.tsx',
  ])('is inert when it is %s', (name) => {
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
    ...['CRUSH.md', 'WARP2.md', 'ANWEISUNGEN.md', 'ИНСТРУКЦИИ.md', 'docs/COMMANDS.txt', 'README_BOT.md', 'CONVENTIONS.de.md'],
    ...[
      'replit.md',
      'knowledge.md',
      'context.md',
      'docs/agents.md',
      'notes/claude.md',
      'docs/memory/2026.md',
      '指示.md',
      '2026.md',
    ],
    ...['app/Jakefile.js', 'shop/lib/customers.py', 'node_modules/a/src/x.js', 'vendor/src/x.go', 'tests/setup.ts'],
    ...['x.ts', 'Jakefile.js', 'manage.py', 'docs/x.js', 'packages/a/gulpfile.mjs', 'index.html', 'x.mdx'],
    ...['src/app.config.ts', 'src/app.setup.ts', 'tests/conftest.py', 'lib/sitecustomize.py', 'src/.env.ts'],
    ...['dev-requirements.txt', 'requirements/constraints.txt', 'src/CMakeLists.txt', 'robots.txt', 'CNAME.txt'],
    ...['x.txt:evil', 'PACKAG~1.JSO', 'AGENTS~1.MD', 'x.md\u200b', 'AGENTS\u200b.md', 'a\u202egpj.md', 'x/', '', '-rf.md'],
  ])('is not inert when it is %j', (name) => {
    expect(isInert(`${shop}/${name}`, shop)).toBe(false)
  })

  it('is not inert where the folder itself is hidden or a memory', () => {
    expect(isInert('/home/ana/.claude/x.md', '/home/ana/.claude')).toBe(false)
    expect(isInert('/home/ana/memory/2026.md', '/home/ana/memory')).toBe(false)
    expect(isInert('/home/ana/notes/2026.md', '/home/ana/notes')).toBe(true)
  })

  it('is not inert as source where the folder has a source folder’s name, since projects may be in it', () => {
    expect(isInert('/home/ana/src/shop/manage.py', '/home/ana/src')).toBe(false)
    expect(isInert('/home/ana/source/repos/shop/x.js', '/home/ana/source')).toBe(false)
  })
})

describe('the names on the way to a file', () => {
  it.each(['chapters/two', 'bin', 'src/main/java'])('are plain in %s', (name) => {
    expect(hasPlainNames(`${shop}/${name}`, shop)).toBe(true)
  })

  it.each(['.git', 'x/.vscode', '', 'a\u200bb', 'x:y', 'x.', 'PROGRA~1'])('are not plain in %j', (name) => {
    expect(hasPlainNames(`${shop}/${name}`, shop)).toBe(false)
    expect(hasPlainNames('/home/ana/.config/x', '/home/ana/.config')).toBe(false)
  })
})
