import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files at once, for two cores: of those that compute and start git between, one more; of those that mostly wait for processes, many. */
const COMPUTING = 3;
const WAITING = 5;
/** The whole mass takes longer than its sample. */
const PATIENCE = process.env['TROUPE_PROOF'] === undefined ? 1 : 30;

/**
 * Those of the parts that start processes by the hundred, mostly git. What it costs to start one grows with the memory of
 * whoever starts it (some 3 ms for each 100 MB), and a process that many files share grows to half a gigabyte.
 */
const FORKING = [
  'test/adapters/{git,squad,worktrees}/**/*.test.ts',
  'test/operations/{approve-race,examples,http-document,worktrees}.test.ts',
  'test/operations/**/{killed,git-remotes}.test.ts',
];

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
  readonly exclude?: readonly string[];
  readonly testTimeout: number;
  /** Suites of one turn run side by side, those of the next turn after them. */
  readonly turn: number;
  readonly atOnce: number;
  /** Whether each file gets a process of its own. Those that change nothing of their process share one, which loads the source once. */
  readonly isolate: boolean;
}

function project(name: string, suite: Suite): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [...suite.include],
      exclude: [...(suite.exclude ?? [])],
      testTimeout: suite.testTimeout * PATIENCE,
      hookTimeout: suite.testTimeout * PATIENCE,
      isolate: suite.isolate,
      maxWorkers: suite.atOnce,
      sequence: { groupOrder: suite.turn },
    },
  };
}

/**
 * Suites by what they need: `unit` is pure and quick, `parts` uses disks, git and child processes, `forks` very many of them,
 * `house` looks at the source itself, `system` starts the built program, `browser` also needs Chromium.
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
        ...{ turn: 0, atOnce: COMPUTING, isolate: false },
      }),
      project('parts', {
        include: ['test/{adapters,operations}/**/*.test.ts'],
        exclude: FORKING,
        testTimeout: 90_000,
        ...{ turn: 0, atOnce: COMPUTING, isolate: false },
      }),
      project('forks', {
        include: FORKING,
        testTimeout: 90_000,
        ...{ turn: 0, atOnce: COMPUTING, isolate: true },
      }),
      project('house', {
        include: ['test/house/**/*.test.ts'],
        testTimeout: 120_000,
        // One process: most of them look at every file of the source, which it reads and parses once.
        ...{ turn: 2, atOnce: 1, isolate: false },
      }),
      project('system', {
        include: ['test/{scenarios,crash}/**/*.test.ts'],
        testTimeout: 180_000,
        ...{ turn: 1, atOnce: WAITING, isolate: false },
      }),
      project('browser', {
        include: ['test/e2e/**/*.test.ts'],
        testTimeout: 120_000,
        ...{ turn: 1, atOnce: WAITING, isolate: false },
      }),
    ],
  },
});
