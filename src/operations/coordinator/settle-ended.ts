import type { ErrandAnswer } from '#core/coordinator/errand.js';
import { FINISH } from '#core/coordinator/finish.js';
import { settleOne } from '#core/coordinator/settle.js';
import type { Context } from '#operations/operation.js';
import { Finishing } from './finishing.js';

/**
 * Settles runs that have ended while no service was up, by the same decisions and under the same lock. Answers which tasks
 * moved. Errors: those of a commit, `locked` above all; whoever comes next tries again.
 */
export async function settleEnded(context: Context, runs: readonly string[]): Promise<readonly string[]> {
  const moved: string[] = [];
  const folders = await context.runs();
  const store = await context.graph();
  const finishing = new Finishing(context, () => undefined);
  for (const id of runs) {
    const run = await folders.ended(id);
    if (run === undefined) continue;
    const answers = new Map<string, ErrandAnswer>();
    const view = await store.view();
    const task = view.task(run.taskId);
    const [first] = settleOne(view, run, answers, context.clock.now());
    if (task === undefined || first === undefined) continue;
    if (first.do === 'finish') answers.set(FINISH.key(id), await finishing.finish(task, run));
    const { entries } = await store.commit((now) => ({
      events: settleOne(now, run, answers, context.clock.now()).flatMap(({ events }) => events),
      result: undefined,
    }));
    if (entries.length === 0) continue; // somebody was faster
    moved.push(task.id);
    await folders.tidy(id);
    if (run.branch !== undefined) await finishing.after(run);
  }
  return moved;
}
