// One vitest, kept for many runs: given test files it tells of each how it ended, and at last that it is done. A run in which
// the first red test is all that is asked for ends with it.
import { relative } from 'node:path';
import process from 'node:process';
import { BaseSequencer, createVitest } from 'vitest/node';

const [home, ...project] = process.argv.slice(2);
let untilRed = false;
/** A run that is being ended has to be over before the next one begins. */
let ending;
let asked = [];
/** In the order in which they were asked for. */
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
  // One process for all files of a run: starting one for each takes longer than most tests.
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
