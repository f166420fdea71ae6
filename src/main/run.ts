import { ProcessTable } from '#adapters/processes/process-table.js';
import { runClient } from '#adapters/runs/client-run.js';

/** The run program: `node dist/run.cjs RUN_FOLDER`. Started by the script in that folder; its output is the run's. */
const STANDARD_OUTPUT = 1;
const [folder = '.'] = process.argv.slice(2);

runClient({ folder, environment: process.env, processes: new ProcessTable(), output: STANDARD_OUTPUT }).then(
  (succeeded) => process.exit(succeeded ? 0 : 1),
  (error) => {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  },
);
