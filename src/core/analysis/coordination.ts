import { typed } from '#core/analysis/typed.js';
import type { Task } from '#core/graph/task.js';

/** What the coordinator knows that the graph does not. */
export interface Coordination {
  /** Is a coordinator at work for this project? */
  readonly running: boolean;
  readonly paused: boolean;
  /** Runs alive and how many may be. */
  readonly alive: number;
  readonly most: number;
}

export const NO_COORDINATION: Coordination = { running: false, paused: false, alive: 0, most: 0 };

export type CoordinationCode = 'claimed' | 'slots' | 'back-off' | 'executor' | 'service-down' | 'service-paused';

/** Why nobody has started a task that is ready, most important first. Always one at least. */
export function coordinationOf(
  task: Task,
  { running, paused, alive, most }: Coordination,
): readonly { readonly code: CoordinationCode; readonly text: string }[] {
  const { id, member, exec } = task;
  if (exec === undefined) {
    const text = member
      ? `It is ready and waits for ${member}, as it has no command: \`troupe claim ${typed(id)} --actor ${typed(member)}\`.`
      : `It is ready, but has no command and no member: \`troupe claim ${typed(id)}\` takes it, \`troupe edit ${typed(id)} --exec COMMAND\` has it done.`;
    return [{ code: 'executor', text }];
  }
  if (!running)
    return [{ code: 'service-down', text: 'It is ready, but no coordinator is running: `troupe service start`.' }];
  if (paused)
    return [{ code: 'service-paused', text: 'It is ready, but the coordinator is paused: `troupe service resume`.' }];
  if (alive >= most) {
    const text = `It is ready, but ${most === 1 ? 'the only slot is' : `all ${most} slots are`} taken: \`troupe list --status in-progress\` shows by whom.`;
    return [{ code: 'slots', text }];
  }
  return [
    { code: 'slots', text: 'It is ready and about to be started: `troupe service tick` has the coordinator look now.' },
  ];
}
