import { randomUUID } from 'node:crypto';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { confirm, propose } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';

/**
 * Started by tests as a process of its own: adds one archetype to the team of a project. Given a number, it kills
 * itself before that step of the write. Prints the number of steps.
 */
const [project = '', archetypeId = '', stopBefore = '0'] = process.argv.slice(2);
let steps = 0;
const squad = new SquadFolder(project, new ProcessTable(), {
  ...ALONE,
  step: () => {
    steps++;
    if (steps === Number(stopBefore)) process.kill(process.pid, 'SIGKILL');
  },
});
await squad.apply((state) => {
  const intent = state.teamPresent ? 'augment' : 'new';
  return confirm(propose([archetypeId], { state, proposalId: randomUUID() }), state, {
    intent,
    freshId: randomUUID,
  });
});
process.stdout.write(String(steps));
