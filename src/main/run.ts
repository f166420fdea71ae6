import { ProcessTable } from '#adapters/processes/process-table.js';
import { runClient } from '#adapters/runs/client-run.js';

/**
 * The run program: `node dist/run.cjs RUN_FOLDER`. Started by the script in that folder; its output is the run's. With `--settle`
 * it settles a run that has ended while no service was up; with `--doors` it answers the runs of a project until one is.
 */
const STANDARD_OUTPUT = 1;
const words = process.argv.slice(2);
const folder = words.at(-1) ?? '.';

work().then(
  (succeeded) => process.exit(succeeded ? 0 : 1),
  (error) => {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  },
);

async function work(): Promise<boolean> {
  if (words[0] === '--settle') {
    const { settleRun } = await import('#main/settle.js');
    await settleRun(folder);
    return true;
  }
  if (words[0] === '--doors') {
    const { keepDoors } = await import('#main/door-keeper.js');
    await keepDoors(folder);
    return true;
  }
  return runClient({ folder, environment: process.env, processes: new ProcessTable(), output: STANDARD_OUTPUT });
}
