import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const setupFiles = ['e2e/support/seeded.ts', 'e2e/support/no-leaks.ts']
const LONGEST = 180_000
/** Tests that need processes, sockets, threads, files or the wall clock also live next to their source, and say so in their name. */
const INTEGRATION = 'src-*/**/*.integration.test.ts'

export default defineConfig({
  root,
  test: {
    maxWorkers: 2,
    retry: 0,
    // They end what would never end; nothing waits for them unless it fails.
    testTimeout: LONGEST,
    hookTimeout: LONGEST,
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
        },
      },
      {
        root,
        test: {
          name: 'integration',
          include: [INTEGRATION],
          setupFiles,
          // Loading the host again for each file took a fifth of their time.
          isolate: false,
          // More than cores: they wait for processes, sockets and deadlines a third of their time.
          maxWorkers: 3,
        },
      },
      {
        root,
        test: {
          name: 'interop',
          include: ['e2e/interop/**/*.test.ts', 'e2e/zoo/**/*.test.ts', 'e2e/chaos/**/*.test.ts', 'e2e/conformance/**/*.test.ts'],
          setupFiles,
          // Like the integration tests, they load the host once, and spend a quarter of their time waiting.
          isolate: false,
          maxWorkers: 3,
        },
      },
    ],
  },
})
