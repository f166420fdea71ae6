import { startFromCompiledCode } from './compiled-code.js';

/**
 * The run program: `node dist/run.cjs RUN_FOLDER`. Started by the script in that folder; its output is that of the run.
 * With `--settle` it settles a run that ended while no service was up; with `--doors` it answers the runs of a project
 * until a service is up.
 */
startFromCompiledCode(); // before any other code is loaded
import('#main/run-program.js').then(({ startRunProgram }) => startRunProgram());
