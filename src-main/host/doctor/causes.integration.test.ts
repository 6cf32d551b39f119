import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('a cause is found where V8 does not optimize patterns, as in a process that has compiled many', () => {
  const code = `import { causeIn } from ${JSON.stringify(new URL('causes.ts', import.meta.url))}
    for (const text of ["Error: Missing argument 'DB_PATH'.", 'Error: No LINEAR_API_KEY provided'])
      console.log(causeIn(text, 'linux')?.code)`
  const args = ['--no-regexp-optimization', '--input-type=module', '--eval', code]
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('bad-arguments\nvariable-missing\n')
})
