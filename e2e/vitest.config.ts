import { defineConfig } from 'vitest/config'

const root = new URL('..', import.meta.url).pathname

/** Machines that run this are shared and slow at times: what fails once runs again, and the report names it. */
const retry = 1

export default defineConfig({
  root,
  test: {
    maxWorkers: 2,
    projects: [
      {
        root,
        test: {
          name: 'unit',
          include: ['src-*/**/*.test.ts', 'src-*/**/*.test.tsx', 'e2e/*.test.ts', 'e2e/support/*.test.ts'],
          setupFiles: ['e2e/support/seeded.ts', 'e2e/support/no-leaks.ts'],
          retry,
        },
      },
      {
        root,
        test: {
          name: 'interop',
          include: ['e2e/interop/**/*.test.ts', 'e2e/zoo/**/*.test.ts', 'e2e/chaos/**/*.test.ts', 'e2e/conformance/**/*.test.ts'],
          setupFiles: ['e2e/support/seeded.ts', 'e2e/support/no-leaks.ts'],
          retry,
          testTimeout: 30_000,
          hookTimeout: 30_000,
          maxConcurrency: 2,
        },
      },
    ],
  },
})
