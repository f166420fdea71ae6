import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';

/** The `seq` that a number or a time stands for; the latest by default. Errors: `bad_input` beyond the log. */
export async function seqAt(store: Pick<GraphStore, 'view'>, at: number | string | undefined): Promise<number> {
  if (typeof at === 'string' && !/^\d{1,15}$/.test(at)) return (await store.view(at)).seq;
  const { seq } = await store.view();
  const wanted = at === undefined ? seq : Number(at);
  if (wanted <= seq) return wanted;
  throw new TroupeError('bad_input', {
    what: `The log ends at ${seq}: there is no ${at}.`,
    hint: 'Leave out --at to see the present.',
  });
}

/**
 * The graph after an event, to show one task. Errors: `bad_input` beyond the log, `unknown_task` if the task was added
 * later.
 */
export async function graphAt(store: Pick<GraphStore, 'view'>, at: number, id: string): Promise<GraphView> {
  const view = await store.view(await seqAt(store, at));
  if (view.task(id) !== undefined || (await store.view()).task(id) === undefined) return view;
  throw new TroupeError('unknown_task', {
    what: `There was no task ${id} as of event ${at}.`,
    hint: `Run \`troupe trace show ${id}\` to see its events.`,
    details: { id },
  });
}
