import { randomUUID } from 'node:crypto';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { confirm, propose } from '../../core/team/stage.js';
import { ALONE } from '../../lone-squad.js';

/**
 * Started by the tests as a process of its own: adds one archetype to the team of a project and, when a number is
 * given, ends itself as hard as a process can before that step of the write. Prints how many steps there were.
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
