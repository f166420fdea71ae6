// npm test [-- VITEST WORDS]: installs, builds, runs every suite, and says at the end how many passed and failed, and which.
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { HOME, prepare, run } from './prepare.mjs';

await prepare();
const results = path.join(tmpdir(), `troupe-results-${process.pid}.json`);
let ended = 0;
try {
  await run(process.execPath, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ]);
} catch {
  ended = 1; // the report below tells what failed
}
const report = JSON.parse(readFileSync(results, 'utf8'));
rmSync(results);
const skipped = report.numPendingTests + report.numTodoTests;
if (skipped > 0) {
  const names = report.testResults.flatMap((file) =>
    file.assertionResults.filter((test) => test.status !== 'passed' && test.status !== 'failed'),
  );
  for (const test of names) process.stdout.write(`skipped: ${test.fullName}\n`);
}
for (const file of report.testResults) {
  const place = path.relative(HOME, file.name);
  const failures = file.assertionResults.filter((test) => test.status === 'failed');
  // A file that could not even be loaded has no tests to name.
  if (failures.length === 0 && file.status === 'failed') process.stdout.write(`failed: ${place}\n`);
  for (const test of failures) process.stdout.write(`failed: ${place} > ${test.fullName}\n`);
}
// A stranger's machine may lack a part; the machine that decides what lands may not.
const failed = report.numFailedTests + (process.env.CI ? skipped : 0) + (ended && report.numFailedTests === 0 ? 1 : 0);
process.stdout.write(
  `${report.numPassedTests} passed, ${failed} failed${skipped > 0 && !process.env.CI ? `, ${skipped} skipped` : ''}\n`,
);
process.exitCode = failed > 0 ? 1 : 0;
