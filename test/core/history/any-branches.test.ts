import path from 'node:path';
import { expect, test } from 'vitest';
import type { EventDraft, Patch } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { LogHistory } from '#core/history/log-history.js';
import { renamedNode } from '#core/history/merge-graphs.js';
import { mergeHeads } from '#core/history/merge-heads.js';
import { randomFrom } from '#kernel/random.js';
import { NOW } from '../graph/graph.js';
import { Branch } from './branches.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);
const at = (minute: number) => new Date(NOW + minute * 60_000).toISOString();

/** Moves of any kind, by the numbers of a fixed row: each says which task, which field, which value. */
function anyMoves(seed: number) {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const fresh = (id: string) => ({
    ...{ kind: 'task', id, title: one(['First', 'Second']), status: 'open', after: one([[], ['a'], ['b', 'new']]) },
    ...one([{}, { cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'new', status: 'done' } } } }]),
    ...one([{}, { wait_condition: { mode: 'all', conditions: [{ type: 'task-status', task_id: 'new' }] } }]),
  });
  const change = (): Patch => {
    const id = one(['a', 'b', 'c']);
    return one<() => Patch>([
      () => ({ id, set: { title: one(['X', 'Y', 'Z']) } }),
      () => ({
        id,
        set: { status: one(['done', 'failed']), completed_at: at(below(9)), assigned: one(['ann', 'bob']) },
      }),
      () => ({ id, set: { tags: one([['t'], ['t', 'u'], ['v'], []]), retry_count: below(5) } }),
      () => ({ id, unset: ['description'], set: { verify: one(['p', 'q']) } }),
      () => ({
        id,
        set: { token_usage: { input_tokens: below(9), output_tokens: below(9) }, odd: { deep: below(3) } },
      }),
      () => ({ id, log_at: 0, log: [{ timestamp: at(below(9)), message: one(['m', 'n']) }] }),
      () => ({ id, del: true }),
      () => ({ id, del: true, to: 'archive', kept: { kind: 'task', id, title: 'Kept', status: 'done' } as Task }),
      () => ({ id: 'new', put: fresh('new') as never }),
      () => ({ id: 'user', put: { ...fresh('user'), after: ['new'], supersedes: 'new' } as never }),
    ])();
  };
  const draft = (): EventDraft => {
    const patch = change();
    const op = 'del' in patch ? (patch.to ?? 'gc') : 'put' in patch ? 'add_task' : 'edit';
    return { op, task_id: patch.id, actor: one(['ann', 'agent-1']), patch: [patch] };
  };
  const some = () => Array.from({ length: 1 + below(4) }, draft);
  return { some, below };
}

const BEGIN: readonly EventDraft[] = ['a', 'b', 'c'].map((id) => ({
  ...{ op: 'add_task', task_id: id },
  patch: [{ id, put: { kind: 'task', id, title: id, status: 'open', tags: ['t'], description: 'D' } }],
}));

/** A history that goes apart in two or three, comes together, and now and then crosswise before. */
function anyHistory(seed: number): Branch {
  const { some, below } = anyMoves(seed);
  const root = new Branch().append(BEGIN, 0);
  let [left, right] = [root.fork().append(some(), 10 + below(20)), root.fork().append(some(), 10 + below(20))];
  if (seed % 4 === 1) {
    const [one, other] = [left.union(right).settle(40), right.union(left).settle(41)];
    [left, right] = [one.append(some(), 50 + below(9)), other.append(some(), 50 + below(9))];
  }
  const both = left.union(right);
  return seed % 3 === 2 ? both.union(root.fork().append(some(), 10 + below(20))) : both;
}

/** Names of entries are counted over all tests: here by where they stand. */
function named(branch: Branch): (text: string) => string {
  const numbers = new Map(branch.entries.map(({ id }, number) => [id, `#${number}`]));
  return (text) => text.replace(/"e\d+\.[0-9a-f]+"/g, (id) => numbers.get(id.slice(1, -1)) ?? id).replaceAll('"', '');
}

test('branches that went apart in any way come together as was found good', async () => {
  const told = Array.from({ length: 48 }, (_, seed) => {
    const apart = anyHistory(seed);
    const found = mergeHeads(new LogHistory(apart.entries));
    const count = apart.entries.length;
    const together = apart.fork().settle(90);
    const text = named(together);
    return [
      `== ${seed}: ${count} entries, renamed ${[...(found?.merged.renamed ?? [])]}, revived ${found?.merged.revived}`,
      ...together.entries
        .slice(count)
        .map(({ op, seq, detail, patch }) => text(`${op} ${seq} ${JSON.stringify([detail, patch])}`)),
      ...Object.values(together.nodes()).map((node) => text(`  ${JSON.stringify(node)}`)),
      `  not given again: ${[...together.state.retiredIds()].map((one) => (typeof one === 'string' ? one : one.id)).sort()}`,
    ].join('\n');
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(golden('any-branches'));
});

test('of two changes of one field the later wins, also where a clock was behind what both had before', () => {
  const titled = (title: string) => [{ op: 'edit', task_id: 'skewed', patch: [{ id: 'skewed', set: { title } }] }];
  const put = { kind: 'task' as const, id: 'skewed', title: 'first', status: 'open' as const };
  const added = { op: 'add_task', task_id: 'skewed', patch: [{ id: 'skewed', put }] };
  const root = new Branch().append([added], 0).append(titled('second'), 30);
  const [ours, theirs] = [root.fork().append(titled('ours'), 10), root.fork().append(titled('theirs'), 20)];
  expect(ours.union(theirs).settle(40).nodes()['skewed']).toMatchObject({ title: 'theirs' });
  expect(theirs.union(ours).settle(40).nodes()['skewed']).toMatchObject({ title: 'theirs' });
});

test('all values of a task that a merge discards are told', () => {
  const edited = (by: string) => [
    { op: 'edit', task_id: 'x', patch: [{ id: 'x', set: { title: `title of ${by}`, description: `text of ${by}` } }] },
  ];
  const put = { kind: 'task' as const, id: 'x', title: 'first', status: 'open' as const };
  const root = new Branch().append([{ op: 'add_task', task_id: 'x', patch: [{ id: 'x', put }] }], 0);
  const together = root
    .fork()
    .append(edited('ours'), 10)
    .union(root.fork().append(edited('theirs'), 20))
    .settle(40);
  const lost = together.entries.at(-1)?.detail?.['lost'] as readonly { field: string; value: unknown }[];
  expect(lost.map(({ field, value }) => [field, value]).sort()).toEqual([
    ['description', 'text of ours'],
    ['title', 'title of ours'],
  ]);
});

test('what one history alone holds is no merge', () => {
  const branch = new Branch().append(BEGIN, 0);
  expect([mergeHeads(new LogHistory(branch.entries)), mergeHeads(new LogHistory([]))]).toEqual([undefined, undefined]);
});

test('references to a task that goes by another id follow it, wherever they stand', () => {
  const deep = (levels: number): object => (levels === 0 ? { task: 'old' } : { deeper: deep(levels - 1) });
  const ids = new Map([['old', 'old-2']]);
  const node = (fields: object) => ({ kind: 'task', id: 'x', title: 'old', status: 'open', ...fields }) as never;
  const said = (fields: object) => renamedNode(node(fields), ids) as object;
  const same = node({ title: 'old', tags: ['old'], after: ['other'], parent: 3, loops_to: 'old' });
  expect(renamedNode(same, ids)).toBe(same);
  expect(renamedNode(node({ id: 'old' }), ids)).toMatchObject({ id: 'old-2', title: 'old' });
  const many = { after: ['a', 'old'], requires: ['old'], parent: 'old', supersedes: 'old', place_before: ['old', 7] };
  expect(said(many)).toMatchObject({
    ...{ after: ['a', 'old-2'], requires: ['old-2'], parent: 'old-2', supersedes: 'old-2', place_before: ['old-2', 7] },
  });
  expect(said({ loops_to: [{ target: 'old', why: 'old' }, 5] })).toMatchObject({
    loops_to: [{ target: 'old-2', why: 'old' }, 5],
  });
  expect(said({ wait_condition: { conditions: [{ task_id: 'old', task: 7 }, null] } })).toMatchObject({
    wait_condition: { conditions: [{ task_id: 'old-2', task: 7 }, null] },
  });
  const levels = [0, 7, 8, 9].map((count) => JSON.stringify(said({ cycle_config: deep(count) })).includes('old-2'));
  expect(levels).toEqual([true, true, true, false]);
});
