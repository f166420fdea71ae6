import { inert, shellWord } from '#kernel/text.js';
import type { Answer, ApiInput } from '#surfaces/http/contract.js';
import { act, change } from '../../data/api.js';
import { type Notice, notice } from '../../data/notices.js';

export type Plan = Answer<'work.start'>;
export type PlanStep = NonNullable<Plan['tasks']>[number];
export type PlanEdit = NonNullable<ApiInput<'work.start'>['edits']>[number];

export interface Wish {
  readonly goal: string;
  /** Empty: the default of the project. */
  readonly playbook: string;
  readonly inputs: readonly string[];
  readonly edits: readonly PlanEdit[];
}

/** Input of the operation behind `troupe run`, with the same terms: a team is cast if there is none. */
function inputOf({ goal, playbook, inputs, edits }: Wish): ApiInput<'work.start'> {
  return {
    cast: true,
    override: true,
    ...(goal === '' ? {} : { goal }),
    ...(playbook === '' ? {} : { workflow: playbook }),
    ...(inputs.length === 0 ? {} : { inputs: [...inputs] }),
    ...(edits.length === 0 ? {} : { edits: [...edits] }),
  };
}

/** The plan for a wish; writes nothing. */
export const preview = (wish: Wish): Promise<Plan> =>
  change<Plan>('POST', 'work/start', { ...inputOf(wish), dry_run: true });

/** Starts exactly the plan with this hash. Errors: `plan_changed`. */
export const start = (wish: Wish, plan: string | undefined): Promise<Plan> =>
  change<Plan>('POST', 'work/start', { ...inputOf(wish), plan });

/** The command that starts the same plan; undefined for an edited one. */
export function commandOf({ goal, playbook, inputs, edits }: Wish): string | undefined {
  if (edits.length > 0) return undefined;
  const word = (text: string) => shellWord(inert(text, true));
  if (inputs.length > 0)
    return [
      `troupe workflow run ${word(playbook)}`,
      ...(goal === '' ? [] : [`--goal ${word(goal)}`]),
      ...inputs.map((value) => `--input ${word(value)}`),
    ].join(' ');
  return ['troupe run', ...[playbook, goal].filter((text) => text !== '').map(word)].join(' ');
}

/** The way back from a start: the run is closed, as long as its first task has not begun. */
export function startBack({ run, task_ids: ids }: Plan, closed: string): Notice['back'] {
  const close = async () => {
    await act('playbook.stop', { run });
    notice.set({ text: closed });
  };
  return { label: 'Undo', ids: ids.slice(0, 1), run: close };
}
