import { defineConfig } from 'vitest/config';

/**
 * Suites by what they need: `unit` is pure and quick, `parts` uses disks, git and child processes, `house` looks at the
 * source itself, `system` starts the built program, `browser` also needs Chromium.
 */
function project(name: string, include: string[], testTimeout: number, fileParallelism = true) {
  return {
    test: { name, include, testTimeout, hookTimeout: testTimeout, fileParallelism, globalSetup: ['test/leaks.ts'] },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('unit', ['test/{core,kernel,contract,surfaces,property}/**/*.test.ts'], 60_000),
      project('parts', ['test/{adapters,operations}/**/*.test.ts'], 90_000),
      project('house', ['test/house/**/*.test.ts'], 300_000),
      project('system', ['test/{scenarios,crash}/**/*.test.ts'], 180_000, false),
      project('browser', ['test/e2e/**/*.test.ts'], 120_000, false),
    ],
  },
});
