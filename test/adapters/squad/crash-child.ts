import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { catalog, confirm, templates } from '../../core/team/stage.js';
import { ALONE } from '../../lone-squad.js';

/**
 * Started by the crash test as a process of its own: confirms the proposal of a project, and ends itself as hard as a
 * process can before one step of the write. Prints how many steps there were, the recovery of what was cut off before
 * among them.
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
