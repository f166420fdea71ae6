// A vitest instance reused for many runs: it receives test files, reports each outcome, and finally reports that it is
// done. If only the first failure matters, the run stops there.
import { relative } from 'node:path';
import process from 'node:process';
import { BaseSequencer, createVitest } from 'vitest/node';

const [home, ...project] = process.argv.slice(2);
let untilRed = false;
/** A cancelled run must end before the next one starts. */
let ending;
let asked = [];
/** Runs test files in the requested order. */
class AsAsked extends BaseSequencer {
  async sort(chosen) {
    return [...chosen].sort((one, other) => asked.indexOf(one.moduleId) - asked.indexOf(other.moduleId));
  }
}
const reporter = {
  onTestCaseResult(test) {
    if (untilRed && test.result().state === 'failed') ending ??= vitest.cancelCurrentRun('test-failure');
  },
  onTestModuleEnd(module) {
    const failed = [...module.children.allTests('failed')].map((test) => test.fullName);
    const errors = module.errors().map(({ message }) => message);
    process.send({
      file: relative(home, module.moduleId),
      state: module.state(),
      failed: [...failed, ...errors].slice(0, 3),
      ms: Math.ceil(module.diagnostic().duration + module.diagnostic().collectDuration),
    });
  },
};
const vitest = await createVitest('test', {
  root: home,
  project,
  watch: false,
  maxWorkers: 1,
  // One process for all files of a run: starting one per file takes longer than most tests.
  isolate: false,
  reporters: [reporter],
  sequence: { sequencer: AsAsked },
});
const specifications = await vitest.globTestSpecifications();
const byFile = new Map(specifications.map((one) => [relative(home, one.moduleId), one]));

process.on('message', async ({ files, first }) => {
  untilRed = first;
  try {
    const chosen = files.flatMap((file) => byFile.get(file) ?? []);
    asked = chosen.map(({ moduleId }) => moduleId);
    const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
    await ending;
    ending = undefined;
    process.send({ done: true, errors: unhandledErrors.map((error) => String(error?.message ?? error)) });
  } catch (error) {
    process.send({ done: true, errors: [String(error)] });
  }
});
process.on('disconnect', () => process.exit(0));
process.send({ files: [...byFile.keys()] });
