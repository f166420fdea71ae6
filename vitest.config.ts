import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files at once, for two cores: of those that compute and start git between, one more; of those that mostly wait for processes, many. */
const COMPUTING = 3;
const WAITING = 5;
/** The whole mass takes longer than its sample. */
const PATIENCE = process.env['TROUPE_PROOF'] === undefined ? 1 : 30;

/** It takes longer than all others: it begins with its turn, so that it is not left alone at the end. */
const LONGEST = 'test/crash/fleet-faults.test.ts';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONGEST);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

interface Suite {
  readonly include: readonly string[];
  readonly testTimeout: number;
  /** Suites of one turn run side by side, those of the next turn after them. */
  readonly turn: number;
  readonly atOnce: number;
}

function project(name: string, suite: Suite): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [...suite.include],
      testTimeout: suite.testTimeout * PATIENCE,
      hookTimeout: suite.testTimeout * PATIENCE,
      isolate: false, // files share processes, which load the source once
      maxWorkers: suite.atOnce,
      sequence: { groupOrder: suite.turn },
    },
  };
}

/**
 * Suites by what they need: `unit` is pure and quick, `parts` uses disks, git and child processes, `house` looks at the
 * source itself, `system` starts the built program, `browser` also needs Chromium.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/leaks.ts', 'test/postgres-server.ts'],
    // Each of the suites transforms what it loads; the source is the same for all of them.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('unit', {
        include: ['test/{core,kernel,contract,main,surfaces,property}/**/*.test.ts'],
        testTimeout: 60_000,
        ...{ turn: 0, atOnce: COMPUTING },
      }),
      project('parts', {
        include: ['test/{adapters,operations}/**/*.test.ts'],
        testTimeout: 90_000,
        ...{ turn: 0, atOnce: COMPUTING },
      }),
      project('house', {
        include: ['test/house/**/*.test.ts'],
        testTimeout: 120_000,
        // One process: most of them look at every file of the source, which it reads and parses once.
        ...{ turn: 2, atOnce: 1 },
      }),
      project('system', {
        include: ['test/{scenarios,crash}/**/*.test.ts'],
        testTimeout: 180_000,
        ...{ turn: 1, atOnce: WAITING },
      }),
      project('browser', {
        include: ['test/e2e/**/*.test.ts'],
        testTimeout: 120_000,
        ...{ turn: 1, atOnce: WAITING },
      }),
    ],
  },
});
