import { HELP, KEEP_RUN, LOOK } from '#core/coordinator/formations.js';
import { taskOf } from '#core/graph/task-of.js';
import { runFolder } from '#core/playbooks/formation.js';
import { recordOf } from '#core/playbooks/record.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import type { ProjectContext } from '#operations/contexts.js';
import { inspectHandIn } from '#operations/formations/hand-in.js';
import { findHelp } from '#operations/formations/help.js';
import { keepForGate } from '#operations/formations/keep-for-gate.js';
import { laneOf } from '#operations/formations/lane-of.js';
import type { HostOf, HostTools } from './host.js';

/**
 * Host for crews, panels and sweeps: puts stale files aside after a new plan, and records ended runs in their lanes.
 */
export function formationsHost(
  { errands, onError }: Pick<HostTools, 'errands' | 'onError'>,
  context: ProjectContext,
): HostOf<'formations'> {
  return {
    facts: async ({ clients }) => ({ tiers: tiersOf(clients.executor ?? '') }),
    carryOut: {
      'look-for-help': ({ key, stuck, tiers }) => {
        errands.start(HELP, key, async () => ({ of: 'help', help: await findHelp(context, stuck, tiers) }));
        return 0;
      },
      climb: async ({ key, record, stale }, view) => {
        errands.forget(key);
        const files = await context.formationFiles();
        // The seat may have another holder now.
        await keepForGate(context, recordOf(view, record.run) ?? record).catch(onError);
        for (const name of stale)
          await files.putAside(runFolder(record.formation, record.run), name, 'stale').catch(onError);
        return 1;
      },
      'keep-run': ({ key, record }, view) => {
        errands.start(KEEP_RUN, key, async () => {
          await (await laneOf(record.formation)).keep(context, view, record);
          await keepForGate(context, { ...record, state: 'ended' });
          return { of: 'formation' };
        });
        return 0;
      },
      'look-hand-in': ({ key, task: id }, view) => {
        errands.start(LOOK, key, async () => {
          const looked = await inspectHandIn(context, taskOf(view, id), undefined, undefined);
          return { of: 'hand-in', handIn: looked?.handIn ?? { handoffs: {} } };
        });
        return 0;
      },
      'note-hand-in': ({ key }) => {
        errands.forget(key);
        return 1;
      },
      'end-run': ({ key }) => {
        errands.forget(key);
        return 1;
      },
    },
  };
}
