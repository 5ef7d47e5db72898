import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One for each core: much of a test's time is waiting for programs that it started.
    maxWorkers: '100%',
  },
})
