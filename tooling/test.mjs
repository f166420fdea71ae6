// npm test [-- VITEST ARGUMENTS]: installs, builds, checks and runs every suite, then reports how many tests passed and
// failed, and which. With vitest arguments it runs only the selected tests, without the checks.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runChecks } from './checks.mjs';
import { HOME, prepare, run } from './prepare.mjs';

const words = process.argv.slice(2);

/** Vitest arguments that write the results to a file, and a function that reads and removes it. */
function resultsFile(name) {
  const file = path.join(tmpdir(), `troupe-results-${name}-${process.pid}.json`);
  const args = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const read = () => {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return report;
  };
  return { args, read };
}

const isOver = (test) => test.status === 'passed' || test.status === 'failed';

/** Prints the names of skipped and failed tests. Returns the counts of passed, failed and skipped ones. */
function tally(report) {
  for (const file of report.testResults) {
    for (const test of file.assertionResults.filter((one) => !isOver(one)))
      process.stdout.write(`skipped: ${test.fullName}\n`);
    const place = path.relative(HOME, file.name);
    const failures = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that failed to load has no tests to name.
    if (failures.length === 0 && file.status === 'failed') process.stdout.write(`failed: ${place}\n`);
    for (const test of failures) process.stdout.write(`failed: ${place} > ${test.fullName}\n`);
  }
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Runs the suites. An unsuccessful run without a failed test counts as one failure. */
async function runSuites(args) {
  const results = resultsFile('suites');
  let ended = 0;
  try {
    await run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...results.args, ...args]);
  } catch {
    ended = 1; // the report lists the failures
  }
  const sum = tally(results.read());
  return { ...sum, failed: sum.failed === 0 ? ended : sum.failed };
}

/** Runs the checks first and stops if they fail: code that does not compile or breaks a rule need not be tested. */
async function runAll() {
  const house = resultsFile('house');
  const failed = await runChecks(house.args);
  const checked = tally(house.read());
  if (failed.length > 0) return { ...checked, failed: Math.max(checked.failed, failed.length) };
  const suites = await runSuites(['--project', '!house']);
  return { passed: checked.passed + suites.passed, failed: suites.failed, skipped: checked.skipped + suites.skipped };
}

await prepare();
const { passed, failed, skipped } = words.length > 0 ? await runSuites(words) : await runAll();
// On a developer's machine a part may be missing; in CI, which decides what is merged, a skipped test counts as failed.
const counted = failed + (process.env.CI ? skipped : 0);
process.stdout.write(
  `${passed} passed, ${counted} failed${skipped > 0 && !process.env.CI ? `, ${skipped} skipped` : ''}\n`,
);
process.exitCode = counted > 0 ? 1 : 0;
