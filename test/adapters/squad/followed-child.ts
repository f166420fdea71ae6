import { confirm } from '../../core/casting/stage.js';
import { followed } from './followed.js';

/**
 * Started by the crash test as a process of its own: confirms the proposal of a project whose team is followed, and
 * kills itself before one step of the write. Prints the number of steps.
 */
const [project = '', migrations = '', stopBefore = '0'] = process.argv.slice(2);
let steps = 0;
const { squad, close } = await followed(project, migrations, () => {
  steps++;
  if (steps === Number(stopBefore)) process.kill(process.pid, 'SIGKILL');
});
await squad.apply((state, proposal) => {
  if (!proposal) throw new Error('there is no proposal to confirm');
  return confirm(proposal, state, { intent: 'recast', now: Date.parse(proposal.created_at) + 1_000 });
});
await close();
process.stdout.write(String(steps));
