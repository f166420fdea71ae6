import { expect, test, vi } from 'vitest';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { NodeFields } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Finishing, settleEnded } from '#operations/coordinator/finishing.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import type { Context } from '#operations/operation.js';
import type { AttemptKey } from '#ports/attempt-trees.js';
import { bothPorts, PUBLISHED } from '../../both-ports.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { PATIENCE } from '../../patience.js';
import { verifies } from '../../verifies.js';

const STATE = { head: 'head', base: 'base', clean: true, ahead: 1, dirty: [], dirtyTotal: 0 };

/** A graph in memory; worktrees that take down what is asked of them. `agent-TASK-FENCE` is a run in `wg/TASK/FENCE`. */
function place(given: { worktrees?: object; coordinator?: object; runs?: object; review?: object } = {}) {
  const own = world();
  const did: unknown[] = [];
  const notes: string[] = [];
  const worktrees = {
    stateOf: async () => STATE,
    publish: async ({ task, attempt }: AttemptKey) => {
      did.push(`hand over ${task}-${attempt}`);
      return PUBLISHED;
    },
    take: async (_: unknown, { task, attempt, how }: AttemptKey & { how: string }) => {
      did.push(`${how} ${task}-${attempt}`);
      return { outcome: 'merged', commit: 'merged', committed: false, leftOut: [] };
    },
    acts: async ({ task, attempt }: AttemptKey) => void did.push(`traces of ${task}-${attempt}`),
    changedPaths: async () => [],
    publishedPaths: async () => [],
    remove: async ({ task, attempt }: AttemptKey) => void did.push(`remove ${task}-${attempt}`),
    waiting: async () => 1,
    landing: async () => ({ relation: 'ahead', to: 'c0ffee' }),
    land: async (to: string) => void did.push(`land ${to}`),
    workplace: async () => ({ place: 'worktree' }),
    list: async () => [],
    ...given.worktrees,
  };
  const context: Context = {
    ...own.context,
    ...bothPorts(async () => worktrees as never),
    inspector: async () => ({ folder: given.review }) as never,
    settings: async () => ({
      name: 'config.toml',
      read: async () => ({ coordinator: given.coordinator ?? {} }),
      set: async () => expect.unreachable(),
    }),
    runs: async () => ({
      ...NO_RUNS,
      identity: async (run) => {
        const [, taskId = '', fence = ''] = run.split('-');
        const tree = { branch: `wg/${taskId}/${fence}`, folder: '/t' };
        return fence === '' ? undefined : { taskId, fence: Number(fence), mail: 'none', tree };
      },
      ...given.runs,
    }),
  };
  const finishing = new Finishing(context, (text) => notes.push(text), NO_WORKERS);
  const put = async (id: string, fields: NodeFields = {}) => {
    await own.add(id, { status: 'in-progress', assigned: `agent-${id}-1`, fence: 1, ...fields });
    return taskOf(await own.store.view(), id);
  };
  return { ...own, context, finishing, did: () => did.splice(0), notes: () => notes.splice(0), put };
}

const run = (id: string, more: Partial<RunFact> = {}): RunFact => ({
  ...{ id: `agent-${id}-1`, taskId: id, fence: 1, startedAt: 0, timeoutMs: 1, alive: false, started: true },
  ...{ outputBytes: 0, executor: 'claude', branch: `wg/${id}/1`, exit: { code: 0 }, ...more },
});
const succeeded = (more: object = {}) => ({ outcome: 'succeeded', ...more }) as NonNullable<RunFact['result']>;
const checked = (code: number, ms = 5) => ({ code, ms, lastLines: 'no seal' });

verifies('test.bites', 'what becomes of the work of a run, by how it ended and who has to look at it', async () => {
  const own = place();
  const ended = async (id: string, fields: NodeFields = {}, more: Partial<RunFact> = {}) => {
    const { of: _, ...result } = await own.finishing.finish(await own.put(id, fields), run(id, more));
    return { ...result, did: own.did() };
  };
  const git = { commit: 'head', clean: true, base: 'base' };
  const merge = { outcome: 'merged', commit: 'merged' };
  const checks = { verify_cmd: 'test' };
  const all = (id: string) => [`hand over ${id}-1`, `traces of ${id}-1`, `merge ${id}-1`];
  const some = (id: string) => all(id).slice(0, 2);
  const result = (code: number) => succeeded({ check: checked(code) });
  expect({
    plain: await ended('plain'),
    checked: await ended('checked', checks, { result: result(0) }),
    'a command with its check': await ended('command', checks, {
      exit: { code: 0, check: checked(0) } as never,
      executor: undefined as never,
    }),
    'a command without': await ended('bare', checks, { executor: undefined as never }),
    'a client says itself what was checked': await ended('client', checks, {
      exit: { code: 0, check: checked(0) } as never,
    }),
    'nothing was to be checked': await ended('none', {}, { result: result(0) }),
    'a check that failed': await ended('failed', checks, { result: result(1) }),
    silent: await ended('silent', {}, { silentEnd: 'ask' }),
    'silent, and a check failed': await ended('quiet', checks, {
      silentEnd: 'ask',
      exit: { code: 0, check: checked(1) } as never,
    }),
    'for a person to look at': await ended('looked', { verify: 'look' }),
    'in the project': await ended('inside', { assigned: 'ann' }),
  }).toEqual({
    plain: { evidence: git, merge, did: all('plain') },
    checked: { evidence: { ...git, verify_cmd: 'test', exit: 0, ms: 5 }, merge, did: all('checked') },
    'a command with its check': { evidence: { ...git, verify_cmd: 'test', exit: 0 }, merge, did: all('command') },
    'a command without': { evidence: git, merge, did: all('bare') },
    'a client says itself what was checked': { evidence: git, merge, did: all('client') },
    'nothing was to be checked': { evidence: git, merge, did: all('none') },
    'a check that failed': {
      evidence: { ...git, verify_cmd: 'test', exit: 1, ms: 5 },
      refused: 'The check `test` exited with code 1: no seal',
      did: ['traces of failed-1'],
    },
    silent: { evidence: git, did: ['traces of silent-1'] },
    'silent, and a check failed': { evidence: git, did: ['traces of quiet-1'] },
    'for a person to look at': { evidence: git, did: some('looked') },
    'in the project': { evidence: {}, did: [] },
  });
  expect(own.notes()).toEqual([]);
});

verifies('fleet.faults', 'a remote that is away is waited for; told to end, whoever comes next does it', async () => {
  const ending = new AbortController();
  let away = 0;
  const take = async () => {
    if (away-- <= 0) return { outcome: 'merged', commit: 'merged', committed: false, leftOut: [] };
    setImmediate(() => ending.abort());
    throw new TroupeError('remote_unreachable');
  };
  const own = place({ worktrees: { take } });
  const finish = async (id: string) => await own.finishing.finishWhenReached(await own.put(id), run(id), ending.signal);
  away = 1;
  expect(await finish('a')).toMatchObject({ merge: { outcome: 'merged' } });
  away = 1;
  await expect(finish('b')).rejects.toMatchObject({ code: 'remote_unreachable' });
});

test('work that was to be committed and is not has failed; what nobody foresaw is told', async () => {
  const finish = async (worktrees: object) => {
    const own = place({ worktrees });
    const { refused } = await own.finishing.finish(await own.put('a', { require_commit: true }), run('a'));
    return [typeof refused, own.did().includes('merge a-1')];
  };
  expect(await finish({})).toEqual(['undefined', true]);
  expect(await finish({ stateOf: async () => ({ ...STATE, clean: false, dirty: ['x'] }) })).toEqual([
    ...['string', false],
  ]);
  let looks = 0;
  const odd = async () => {
    looks++;
    throw new Error('odd');
  };
  await expect(finish({ changedPaths: odd })).rejects.toThrow('odd');
  expect(looks).toBe(1);
});

verifies('test.bites', 'how a step of a review ended is taken from what the review wrote down', async () => {
  const evidence = {
    ...{ command: 'npm test', duration_ms: 7, exit_code: 1, findings: [], facts: { end: 'exited' } },
  };
  const of = async (
    rows: object[],
    plan: unknown = {
      steps: [
        { task_id: 'b', node: 'n0' },
        { task_id: 'a', node: 'n1' },
      ],
    },
  ) => {
    const asked: unknown[] = [];
    const review = {
      readPlan: async (id: string) => {
        asked.push(id);
        if (plan instanceof Error) throw plan;
        return plan;
      },
      readEvidence: async (id: string, nodes: string[]) => {
        asked.push([id, nodes]);
        return rows;
      },
    };
    const own = place({ review });
    const task = await own.put('a', { assigned: 'ann', environment: { IN_COMMAND: 'x', IN_REVIEW: 'r1' } });
    return [(await own.finishing.finish(task, run('a'))).evidence, asked];
  };
  const asked = ['r1', ['r1', ['n1']]];
  const plain = { verify_cmd: 'npm test', ms: 7 };
  expect(await of([{ evidence }])).toEqual([{ ...plain, exit: 1 }, asked]);
  const cut = { ...evidence, exit_code: null };
  expect(await of([{ evidence: cut }])).toEqual([{ ...plain, unchecked: 'cut-off' }, asked]);
  expect(await of([{}])).toEqual([{}, asked]);
  expect(await of([])).toEqual([{}, asked]);
  expect(await of([{ evidence }], { steps: [{ task_id: 'b', node: 'n0' }] })).toEqual([{}, ['r1']]);
  expect(await of([{ evidence }], new TroupeError('not_found'))).toEqual([{}, ['r1']]);
  await expect(of([{ evidence }], new Error('odd'))).rejects.toThrow('odd');
});

verifies(
  'test.bites',
  'work lands as soon as the files of the person are clean, and is looked at again until then',
  async () => {
    const land = { coordinator: { land: 'when-clean' } };
    const clear = place(land);
    await clear.finishing.land();
    expect([clear.did(), clear.notes(), clear.finishing.looksAgain(Number.MAX_SAFE_INTEGER)]).toEqual([
      ...[['land c0ffee'], ['landed: the branch of the person moved forward to wg/integration'], false],
    ]);
    let obstacle: string | undefined = 'dirty_tree';
    const blocked = place({
      ...land,
      worktrees: { landing: async () => ({ relation: 'ahead', to: 'c0ffee', obstacle }) },
    });
    await blocked.finishing.land();
    const since = blocked.clock.now();
    const again = (after: number) => blocked.finishing.looksAgain(since + after);
    const half = WORK_LIMITS.pollIntervalMs / 2;
    expect([blocked.did(), blocked.notes(), again(half - 1), again(half)]).toEqual([[], [], false, true]);
    obstacle = undefined;
    await blocked.finishing.land();
    expect([blocked.did(), again(half)]).toEqual([['land c0ffee'], false]);
    const manual = place();
    await manual.finishing.land();
    expect([manual.did(), manual.finishing.looksAgain(Number.MAX_SAFE_INTEGER)]).toEqual([[], false]);
  },
);

verifies(
  'fleet.lost',
  'of many runs that ended together the first are merged while the others wait for their turn',
  async () => {
    const { finishesAtOnce } = SURFACE_LIMITS;
    const merges: (() => void)[] = [];
    const began: string[] = [];
    const take = async (_: unknown, { task }: AttemptKey) => {
      began.push(task);
      await new Promise<void>((resolve) => merges.push(resolve));
      return { outcome: 'merged', commit: 'merged', committed: false, leftOut: [] };
    };
    const own = place({ worktrees: { take } });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const tasks = await Promise.all(names.map((name) => own.put(name)));
    const never = new AbortController().signal;
    const results = tasks.map((task) => own.finishing.finishWhenReached(task, run(task.id), never));
    await vi.waitFor(() => expect(began).toHaveLength(finishesAtOnce), PATIENCE);
    for (let count = finishesAtOnce + 1; count <= names.length; count++) {
      merges.shift()?.();
      await vi.waitFor(() => expect(began).toHaveLength(count), PATIENCE);
    }
    for (const merged of merges) merged();
    expect((await Promise.all(results)).map(({ merge }) => merge?.outcome)).toEqual(names.map(() => 'merged'));
  },
);

test('after the end of an attempt its worktree goes, and its traces are noted where nobody looked before', async () => {
  const own = place({ coordinator: { land: 'when-clean' } });
  await own.put('a', { status: 'done', fence: 3 });
  await own.finishing.after(run('a', { fence: 3, branch: 'wg/a/2' }));
  expect(own.did()).toEqual(['remove a-2', 'land c0ffee']);
  await own.finishing.after(run('a', { fence: 3, branch: 'wg/a/2', exit: { code: 1 } }));
  expect(own.did()).toEqual(['traces of a-2', 'remove a-2', 'land c0ffee']);
  const { branch: _, exit: __, ...bare } = run('a', { fence: 3 });
  await own.finishing.after(bare);
  expect(own.did()).toEqual(['traces of a-3', 'remove a-3', 'land c0ffee']);
});

test('what an earlier life had no time for is made up for, where there is a repository', async () => {
  const row = (slug: string, removable: boolean) => ({ slug, attempt: 1, removable });
  const list = async () => [row('a', true), row('b', false), row('a+0123456789ab', true)];
  const begun = async (where: string) => {
    const own = place({
      coordinator: { land: 'when-clean' },
      worktrees: { list, workplace: async () => ({ place: where }) },
    });
    await own.put('a', { status: 'done' });
    await own.finishing.begin();
    return own.did();
  };
  expect([await begun('worktree'), await begun('project')]).toEqual([['remove a-1', 'land c0ffee'], []]);
});

verifies(
  'test.bites',
  'runs that ended while nobody was there are settled once: their tasks move, their turns are read, their folders go',
  async () => {
    const acts: unknown[] = [];
    const { branch: _, executor: __, ...shell } = run('shell');
    const facts = new Map<string, RunFact>([
      ['agent-a-1', run('a')],
      ['agent-b-1', run('b', { exit: { code: 1 } })],
      ['agent-shell-1', shell],
      ['agent-lost-1', run('lost')],
      ['agent-moved-1', run('moved')],
    ]);
    const runs = {
      ended: async (id: string) => facts.get(id),
      tidy: async (id: string) => void acts.push(['tidy', id]),
    };
    const own = place({ runs });
    for (const id of ['a', 'b', 'shell']) await own.put(id);
    await own.put('moved', { fence: 2 });
    const mail = await own.context.mail();
    const commitTurn = async (...words: unknown[]) => void acts.push(['turn', ...words]);
    const context = { ...own.context, mail: async () => Object.assign(Object.create(mail), { commitTurn }) };
    const ids = ['agent-gone-1', ...facts.keys()];
    expect(await settleEnded(context, ids)).toEqual(['a', 'b', 'shell']);
    const view = await own.store.view();
    expect(['a', 'b', 'shell', 'moved'].map((id) => view.task(id)?.status)).toMatchInlineSnapshot(`
      [
        "done",
        "failed",
        "done",
        "in-progress",
      ]
    `);
    expect(acts.splice(0)).toEqual([
      ['turn', 'a', 1],
      ['tidy', 'agent-a-1'],
      ['tidy', 'agent-b-1'],
      ['turn', 'shell', 1],
      ['tidy', 'agent-shell-1'],
    ]);
    expect(own.did()).toMatchInlineSnapshot(`
      [
        "hand over a-1",
        "traces of a-1",
        "merge a-1",
        "remove a-1",
        "traces of b-1",
        "remove b-1",
      ]
    `);
    expect(await settleEnded(context, ids), 'once').toEqual([]);
    expect(acts).toEqual([]);
  },
);
