import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname
const setupFiles = ['e2e/support/seeded.ts', 'e2e/support/no-leaks.ts']
/** What needs processes, sockets, threads, files or the wall clock lies beside its source, too, and says so in its name. */
const INTEGRATION = 'src-*/**/*.integration.test.ts'

/** More than cores: their tests wait for processes, sockets and deadlines half of their time. */
const WAITING = 4

export default defineConfig({
  root,
  test: {
    maxWorkers: 2,
    retry: 0,
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['src-*/**/*.test.ts', 'src-*/**/*.test.tsx', 'e2e/*.test.ts', 'e2e/{mutate,support}/*.test.ts'],
          exclude: [INTEGRATION],
          setupFiles: [...setupFiles, 'e2e/support/no-outside.ts'],
          // One process for many files: starting one for each took longer than the tests.
          isolate: false,
          testTimeout: 15_000,
        },
      },
      {
        root,
        test: {
          name: 'integration',
          include: [INTEGRATION],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: WAITING,
        },
      },
      {
        root,
        test: {
          name: 'interop',
          include: ['e2e/interop/**/*.test.ts', 'e2e/zoo/**/*.test.ts', 'e2e/chaos/**/*.test.ts', 'e2e/conformance/**/*.test.ts'],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxConcurrency: 2,
          maxWorkers: WAITING,
        },
      },
    ],
  },
})
