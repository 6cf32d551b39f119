// Types of each room group, lint and format, who imports whom, and subjects of commits. Quick: run it before every commit.
import { checkCommitSubjects } from './commit-subjects.mjs'
import { command, runParts } from './run.mjs'

const groups = ['src-shared', 'src-main', 'src-renderer', 'e2e']

await runParts([
  ...groups.map((group) => command(`types ${group}`, 'tsc', ['-p', group])),
  command('lint and format', 'biome', ['check', '--error-on-warnings', '.']),
  command('rooms', 'vitest', [
    'run',
    '--config',
    'e2e/vitest.config.ts',
    '--project',
    'unit',
    'e2e/rooms.test.ts',
    '--reporter',
    'dot',
  ]),
  { name: 'commit subjects', go: checkCommitSubjects },
])
