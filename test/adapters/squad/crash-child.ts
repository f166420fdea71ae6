import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { catalog, confirm, templates } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';

/**
 * Started by the crash test as a process of its own: confirms the proposal of a project, and kills itself before one
 * step of the write. Prints the number of steps, including the recovery of an earlier interrupted write.
 */
const [project = '', stopBefore = '0'] = process.argv.slice(2);
let steps = 0;
const squad = new SquadFolder(project, new ProcessTable(), {
  ...ALONE,
  step: () => {
    steps++;
    if (steps === Number(stopBefore)) process.kill(process.pid, 'SIGKILL');
  },
});
await squad.apply((state, proposal) => {
  if (!proposal) throw new Error('there is no proposal to confirm');
  const of = Date.parse(proposal.created_at);
  let id = 0;
  const freshId = () => `${proposal.proposal_id}-${++id}`;
  return confirm(proposal, state, { intent: 'recast', now: of + 1_000, freshId, catalog, templates });
});
process.stdout.write(String(steps));
