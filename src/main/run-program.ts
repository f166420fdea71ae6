import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { runClient } from '#adapters/runs/client-run.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';

const STANDARD_OUTPUT = 1;
const words = process.argv.slice(2);
const folder = words.at(-1) ?? '.';

/** Executes the mode selected by the arguments, then exits with 0 on success and 1 on failure. */
export function startRunProgram(): void {
  work().then(
    (succeeded) => process.exit(succeeded ? 0 : 1),
    (error) => {
      process.stderr.write(`${(error as Error).message}\n`);
      process.exit(1);
    },
  );
}

async function work(): Promise<boolean> {
  if (words[0] === '--settle') {
    if (path.resolve(folder, '..').endsWith(path.sep + FROM_PROJECT.workerRuns)) return true; // its worker reports it
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
