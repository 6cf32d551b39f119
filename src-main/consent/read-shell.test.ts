import { describe, expect, it } from 'vitest'
import { readShell } from './read-shell.ts'

describe('a command', () => {
  it.each([
    ['ls', 'ls', 'reads', []],
    ['ls -la src', 'ls', 'reads', ['-la', 'src']],
    ['cat "a file.txt"', 'cat', 'reads', ['a file.txt']],
    ["grep 'a b' x", 'grep', 'reads', ['a b', 'x']],
    ['grep -rin word src', 'grep', 'reads', ['-rin', 'word', 'src']],
    ['git status', 'git status', 'reads', []],
    ['git log --oneline', 'git log', 'reads', ['--oneline']],
    ['git diff --stat HEAD', 'git diff', 'reads', ['--stat', 'HEAD']],
    ['npm ls', 'npm ls', 'reads', []],
    ['npm test', 'npm test', 'runs', []],
    ['npm test -- --reporter=dot', 'npm test', 'runs', ['--', '--reporter=dot']],
    ['npm run lint', 'npm run lint', 'runs', []],
    ['npm run test:unit', 'npm run test:unit', 'runs', []],
    ['cargo check', 'cargo check', 'runs', []],
    ['vitest', 'vitest', 'runs', []],
  ])('is read for what it does: %s', (text, words, does, args) => {
    expect(readShell(text)).toMatchObject({ words, does, args })
  })

  it.each([
    ['a pipe', 'npm test | sh'],
    ['a pipe with errors', 'ls |& sh'],
    ['another when it went well', 'ls && rm x'],
    ['another when it did not', 'ls || rm x'],
    ['another after it', 'ls; rm x'],
    ['another line', 'ls\nrm x'],
    ['another line of old', 'ls\rrm x'],
    ['the background', 'ls & rm x'],
    ['a substitution', 'ls $(rm x)'],
    ['a substitution in quotes', 'ls "$(rm x)"'],
    ['backticks', 'ls `rm x`'],
    ['a variable', 'cat $HOME/x'],
    ['what is written', 'ls > x'],
    ['what is appended', 'ls >> x'],
    ['what is read in', 'cat < x'],
    ['a here-document', 'cat <<x'],
    ['a process', 'diff <(ls) x'],
    ['a subshell', '(ls)'],
    ['a group', '{ ls; }'],
    ['braces', 'cat {a,b}'],
    ['a pattern', 'cat *'],
    ['a question mark', 'cat ?'],
    ['brackets', 'cat [ab]'],
    ['history', 'cat !1'],
    ['a home', 'cat ~bob/x'],
    ['a comment', 'ls # x'],
    ['an assignment before it', 'LD_PRELOAD=/tmp/x.so ls'],
    ['an assignment alone', 'PATH=/tmp'],
    ['a negation', '! ls'],
    ['a cut end', 'ls \0x'],
    ['an open quote', 'cat "x'],
    ['nothing', ''],
    ['blanks', '   '],
    ['a program by its path', '/tmp/ls'],
    ['a program beside', './ls'],
    ['a program in quotes with a path', '"/tmp/ls"'],
    ['a program with a backslash', 'C:\\\\evil\\\\ls x'],
    ['an unknown program', 'frobnicate'],
    ['a program that changes', 'rm x'],
    ['a program that sends', 'curl https://example.com'],
    ['a program that runs others', 'env ls'],
    ['a program that runs with rights', 'sudo ls'],
    ['a shell', 'bash -c ls'],
    ['a function', 'ls() ls'],
    ['find, that can run others', 'find . -exec rm x'],
    ['tar, that can run others', 'tar -xf x --to-command=sh'],
    ['ssh, that can run others', 'ssh -o ProxyCommand=sh host'],
    ['uniq, whose second file is written', 'uniq a b'],
    ['sort, that can write', 'sort -o x y'],
    ['git with a setting', 'git -c core.pager=sh log'],
    ['git elsewhere', 'git -C /tmp log'],
    ['git that writes', 'git log --output=x'],
    ['git that writes, cut short', 'git log --outp=x'],
    ['git that writes, in two words', 'git log --out x'],
    ['git that runs a program', 'git diff --ext-diff'],
    ['git that runs a program, cut short', 'git diff --ext'],
    ['git that changes', 'git push'],
    ['a branch, listed or deleted', 'git branch'],
    ['a search that runs a program', 'rg --pre sh x'],
    ['a search that runs another', 'rg --hostname-bin=sh x'],
    ['a tree that is written', 'tree -o x'],
    ['npx with options', 'npx --yes evil'],
    ['npx with a package', 'npx evil'],
    ['npm with options before', 'npm --prefix /tmp test'],
    ['npm with options after', 'npm test --prefix /tmp'],
    ['npm with another shell', 'npm test --script-shell=/tmp/x'],
    ['npm that installs', 'npm install evil'],
    ['a script by any name', 'npm run deploy'],
    ['a script by a path', 'npm run ../x'],
    ['a check with another configuration', 'vitest --config /tmp/x'],
    ['a check with a short option', 'tsc -p /tmp'],
    ['a plugin', 'eslint --plugin x'],
    ['docker that runs', 'docker run x'],
  ])('is not read for sure: %s', (_what, text) => {
    expect(readShell(text)).toBeUndefined()
  })

  it('is read up to 4 KiB', () => {
    expect(readShell(`ls ${'x'.repeat(4_093)}`)?.words).toBe('ls')
    expect(readShell(`ls ${'x'.repeat(4_094)}`)).toBeUndefined()
  })

  it('is not mixed up with others that were read before', () => {
    for (let n = 0; n < 1_200; n++) expect(readShell(`ls x${n}`)?.args).toEqual([`x${n}`])
    expect(readShell('ls x1')?.args).toEqual(['x1'])
  })
})
