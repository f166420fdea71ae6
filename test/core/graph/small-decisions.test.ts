import { expect, test } from 'vitest';
import { endOf, matchingTasks } from '#core/graph/archived.js';
import { commandHash, commandHashes, commandTasks, commitCommandHashes, waitsForTrust } from '#core/graph/commands.js';
import { cycleOpensAgain } from '#core/graph/cycle-moves.js';
import { decidedProposal, proposalTask } from '#core/graph/evolve-review.js';
import { FORMATION_GATE, gateCommand, gatePatch, isProposed, refuseGated } from '#core/graph/formation-gate.js';
import { formatGuard, guardHolds, guardNamesFailure, parseGuard } from '#core/graph/guard.js';
import { missingHandIn, refuseMissingHandIn } from '#core/graph/hands-in.js';
import { countsInSight } from '#core/graph/in-sight.js';
import { insideProject } from '#core/graph/inside-project.js';
import { edgesBetween } from '#core/graph/lib/edges-between.js';
import { nodeLine } from '#core/graph/line.js';
import { isMeta, isMetaId, metaTasksOf } from '#core/graph/meta.js';
import { reopenTask } from '#core/graph/moves.js';
import { addResource } from '#core/graph/resource.js';
import { toneOf, wordOf } from '#core/graph/status-look.js';
import { againCommand, missedBy, missesFileOf } from '#core/graph/take-again.js';
import { STATUSES, type Status, type Task } from '#core/graph/task.js';
import { TaskTable } from '#core/graph/task-table.js';
import { holdWork, liveWork, refuseBusy } from '#core/graph/team-hold.js';
import { planState, planTaskOf, refusePlanless } from '#core/graph/team-plan.js';
import { isSessionTurn, isTurn, isUnreported, UNREPORTED, unreported } from '#core/graph/unreported.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { AT, ann, codeOf, graphOf, NOW, RUN, task } from './graph.js';

const said = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return `${message} ${hint}`;
  }
  return 'nothing';
};

test('a path is inside the project or it is refused', () => {
  const inside = (named: string) => codeOf(() => insideProject('/p', named));
  expect(insideProject('/p', 'a/../b.txt')).toBe('b.txt');
  expect(insideProject('/p', '/p/a/b')).toBe('a/b');
  for (const named of ['', '.', '/p', '..', '../x', '/x', '/pp', 'a\0b'])
    expect(inside(named), named).toBe('unsafe_path');
});

test('resources: new ones, changed ones, and what is refused', () => {
  const gpu = { kind: 'resource', id: 'gpu', name: 'GPU', available: 2, title: undefined };
  const graph = graphOf({ id: 't' }, gpu as never);
  graph.apply({
    seq: 2,
    id: 'e',
    timestamp: '',
    op: 'x',
    patch: [{ id: 't2', put: { kind: 'task', id: 't2', title: 't2', status: 'open' } }],
  });
  graph.apply({ seq: 3, id: 'f', timestamp: '', op: 'x', patch: [{ id: 't2', del: true }] });
  const add = (draft: object, by: object = ann) => addResource(graph, { id: 'gpu', ...draft }, by as typeof ann);
  expect(add({ id: 'new', name: 'N', type: 'T', available: 0, unit: 'h' })).toEqual({
    events: [
      {
        op: 'resource_add',
        actor: 'ann',
        patch: [{ id: 'new', put: { kind: 'resource', id: 'new', name: 'N', type: 'T', available: 0, unit: 'h' } }],
      },
    ],
    result: { resource: 'new', changed: true },
  });
  expect(add({ id: 'new', name: '', type: '', unit: '' }).events[0]?.patch).toEqual([
    { id: 'new', put: { kind: 'resource', id: 'new' } },
  ]);
  expect(add({ name: 'GPU', available: 2 })).toEqual({ events: [], result: { resource: 'gpu', changed: false } });
  expect(add({ name: 'GPU', available: 3 })).toEqual({
    events: [{ op: 'resource_edit', actor: 'ann', patch: [{ id: 'gpu', set: { available: 3 } }] }],
    result: { resource: 'gpu', changed: true },
  });
  const most = SURFACE_LIMITS.resourceTextCharacters;
  const rows: [object, string][] = [
    [{ available: -1 }, 'bad_input'],
    [{ available: Number.POSITIVE_INFINITY }, 'bad_input'],
    [{ id: 't' }, 'id_taken'],
    [{ id: 't2' }, 'id_taken'],
    [{ id: 'a b' }, 'bad_input'],
    ...(['name', 'type', 'unit'] as const).flatMap((field): [object, string][] => [
      [{ [field]: '😀'.repeat(most) }, 'none'],
      [{ [field]: 'x'.repeat(most + 1) }, 'too_large'],
    ]),
  ];
  for (const [draft, code] of rows)
    expect(
      codeOf(() => add(draft)),
      JSON.stringify(draft).slice(0, 60),
    ).toBe(code);
  expect(codeOf(() => add({}, RUN))).toBe('not_yours');
});

test('the work of a team: what is at work, what is held, and what is taken back', () => {
  const graph = graphOf(
    { id: 'c', team: 't', status: 'in-progress', assigned: 'r', started_at: AT },
    { id: 'a', team: 't', status: 'in-progress', paused: true, assigned: 'r', started_at: AT },
    { id: 'b', team: 't' },
    { id: 'd', team: 't', paused: true },
    { id: 'e', team: 't', status: 'done' },
    { id: 'f', team: 'u', status: 'in-progress' },
  );
  expect(liveWork(graph, 't').map(({ id }) => id)).toEqual(['a', 'c']);
  expect(said(() => refuseBusy(graph, { id: 't', name: 'T' }))).toContain('T is running on a, c.');
  expect(codeOf(() => refuseBusy(graph, { id: 'v', name: 'V' }))).toBe('none');
  const hold = (stop: boolean) => holdWork(graph, 't', { stop, now: NOW, by: ann, reason: 'over' });
  const events = (stop: boolean) =>
    hold(stop).events.map(({ op, task_id, patch: [one] }) => [
      ...[op, task_id, (one as { set?: object }).set, (one as { unset?: string[] }).unset],
      (one as { log?: { message: string }[] }).log?.[0]?.message,
    ]);
  expect(events(false)).toEqual([
    ['pause', 'b', { paused: true }, undefined, 'Paused: over'],
    ['pause', 'c', { paused: true }, undefined, 'Paused: over'],
  ]);
  const back = ['assigned', 'started_at'];
  expect(events(true)).toEqual([
    ['unclaim', 'a', { status: 'open', paused: true }, back, 'Released: over'],
    ['unclaim', 'c', { status: 'open', paused: true }, back, 'Released: over'],
    ['pause', 'b', { paused: true }, undefined, 'Paused: over'],
  ]);
  expect([hold(false).result, hold(true).result]).toEqual([
    { paused: ['b', 'c'], stopped: [] },
    { paused: ['b', 'c'], stopped: ['a', 'c'] },
  ]);
  const byRun = (stop: boolean) => codeOf(() => holdWork(graph, 't', { stop, now: NOW, by: RUN }));
  expect([byRun(false), byRun(true)]).toEqual(['none', 'not_yours']);
});

test('how many tasks have to end before one can begin', () => {
  const graph = graphOf(
    { id: 'a' },
    { id: 'b', after: ['a', 'gone'] },
    { id: 'c', after: ['b', 'a', 'done'] },
    { id: 'd', after: ['failed'] },
    { id: 'e', after: ['failed', 'dropped'], after_success: ['failed'] },
    { id: 'done', status: 'done', after: ['a'] },
    { id: 'failed', status: 'failed', after: ['a'] },
    { id: 'dropped', status: 'abandoned' },
    { id: 'r1', after: ['r2'] },
    { id: 'r2', after: ['r1', 'a'] },
  );
  const table = new TaskTable(graph);
  const stepsOf = (...ids: string[]) => {
    const numbers = ids.map((id) => table.rows.findIndex((row) => row.id === id));
    const steps = table.stepsAhead(numbers);
    return numbers.map((number) => steps[number]);
  };
  expect(stepsOf('c', 'b', 'a', 'd', 'e', 'failed')).toEqual([2, 1, 0, 0, 2, 1]);
  expect(stepsOf('r1', 'r2')).toEqual([2, 1]);
  expect(stepsOf('a')).toEqual([0]);
  expect(table.hasLoop()).toBe(true);
  const line = [{ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'c', after: ['b', 'a', 'gone'] }];
  expect(new TaskTable(graphOf(...line)).hasLoop()).toBe(false);
  expect(new TaskTable(graphOf(...line, { id: 'd', after: ['d'] })).hasLoop()).toBe(true);
});

test('commands: which tasks can still run one, and which change says one anew', () => {
  const graph = graphOf(
    { id: 'b', exec: 'x', verify_cmd: 'y', environment: { IN_A: '1' } },
    { id: 'a', status: 'failed', exec: 'x' },
    { id: 'c', status: 'done', exec: 'x' },
    { id: 'd', status: 'abandoned', exec: 'x' },
    { id: 'e' },
  );
  const IN = { IN_A: '1' };
  expect(commandTasks(graph)).toEqual([
    { id: 'a', command: 'x', environment: {} },
    { id: 'b', command: 'x', environment: IN },
    { id: 'b', command: 'y', environment: IN },
  ]);
  const both = graph.task('b') as Task;
  expect(commandHashes(both)).toEqual([commandHash('x', IN), commandHash('y', IN)]);
  expect(commandHashes(both)).toBe(commandHashes(both));
  expect(commandHashes(task())).toEqual([]);
  expect(commandHash('x', undefined)).toBe(commandHash('x', {}));
  const trusts = (...hashes: string[]) => ({ trusts: (hash: string) => hashes.includes(hash) });
  expect(waitsForTrust(both, trusts(commandHash('x', IN)))).toBe(true);
  expect(waitsForTrust(both, trusts(...commandHashes(both)))).toBe(false);
  const commit = (patch: object[], trusted: string[] = [], op = 'edit') =>
    commitCommandHashes((id) => graph.node(id) as never, [{ op, patch: patch as never }], trusts(...trusted));
  expect(commit([{ id: 'b', set: { title: 'x' } }])).toEqual([]);
  expect(commit([{ id: 'b', set: { exec: 'z' } }])).toEqual([commandHash('z', IN)]);
  expect(commit([{ id: 'b', set: { exec: 'z' } }], [commandHash('z', IN)])).toEqual([]);
  expect(commit([{ id: 'b', set: { exec: 'z' } }], [], 'accept_edit')).toEqual([]);
  const moved = { id: 'b', set: { environment: { IN_A: '2' } } };
  expect(commit([moved]), 'nobody had agreed to it before').toEqual([]);
  expect(commit([moved], [commandHash('x', IN)])).toEqual([commandHash('x', { IN_A: '2' })]);
  expect(
    commit([
      { id: 'n', put: { exec: 'n' } },
      { id: 'n', set: { environment: IN } },
    ]),
  ).toEqual([commandHash('n', {}), commandHash('n', IN)]);
  expect(
    commit([
      { id: 'b', put: { exec: 'x', environment: IN } },
      { id: 'b', del: true },
    ]),
  ).toEqual([]);
});

test('plans, hand-ins, proposals and missed files: what they ask for', () => {
  const graph = graphOf(
    { id: 'work', after_success: ['x', 'plan'], plan_required: true },
    { id: 'plan', plan_of: 'work' },
    { id: 'x', plan_of: 'other' },
    { id: 'bare', plan_required: true },
  );
  const of = (id: string) => graph.task(id) as Task;
  expect([planTaskOf(graph, of('work'))?.id, planTaskOf(graph, of('plan'))]).toEqual(['plan', undefined]);
  expect(said(() => refusePlanless(graph, of('work')))).toBe(
    'work needs an approved plan: plan is open. Submit the plan: `troupe team plan submit work --file FILE`.',
  );
  expect(said(() => refusePlanless(graph, of('bare')))).toContain('bare needs an approved plan.');
  expect(codeOf(() => refusePlanless(graph, of('plan')))).toBe('none');
  const approved = graphOf(
    { id: 'work', after_success: ['plan'], plan_required: true },
    { id: 'plan', plan_of: 'work', status: 'done' },
  );
  expect(codeOf(() => refusePlanless(approved, approved.task('work') as Task))).toBe('none');
  const states = STATUSES.map((status) => [status, planState(task({ status }))]);
  expect(Object.fromEntries(states)).toEqual({
    ...{ open: 'awaited', 'in-progress': 'awaited', waiting: 'awaited', blocked: 'awaited' },
    ...{ 'pending-validation': 'submitted', done: 'approved', failed: 'ended', abandoned: 'ended' },
  });
  expect(planState(task({ review_feedback: { text: '', by: 'x', number: 1 } }))).toBe('rejected');
  const hands = { hands_in: true, deliverables: ['a.md', 'b.md'], artifacts: ['a.md'] };
  expect(missingHandIn(task(hands))).toBe('b.md');
  expect(missingHandIn(task({ ...hands, artifacts: ['b.md', 'a.md'] }))).toBeUndefined();
  expect(missingHandIn(task({ ...hands, artifacts: undefined }))).toBe('a.md');
  expect([missingHandIn(task({ ...hands, hands_in: 1 })), missingHandIn(task({ hands_in: true }))]).toEqual([
    undefined,
    undefined,
  ]);
  expect(said(() => refuseMissingHandIn(task(hands)))).toContain('a is not done before it has handed in b.md.');
  const review = { id: proposalTask('p 1'), human: true, tags: ['evolution'] };
  expect(decidedProposal(task(review))).toBe('p 1');
  for (const wrong of [{ id: 'p' }, { human: false }, { tags: ['x'] }, { tags: undefined }])
    expect(decidedProposal(task({ ...review, ...wrong })), JSON.stringify(wrong)).toBeUndefined();
  expect(gateCommand(task(review))).toBe("troupe evolve review 'p 1'");
  const again = (other: object, misses: unknown = { task: 'b', fence: 2 }) => {
    const view = graphOf({ id: 'a', status: 'failed', misses } as never, { id: 'b', ...other });
    return [missedBy(view, view.task('a') as Task)?.id, againCommand(view, view.task('a') as Task)];
  };
  expect(again({ status: 'done', fence: 2 })).toEqual(['b', 'troupe reopen b']);
  expect(again({ status: 'done', fence: 3 })).toEqual([undefined, 'troupe retry a']);
  expect(again({ status: 'open', fence: 2 })).toEqual([undefined, 'troupe retry a']);
  expect(again({ status: 'done' }, { task: 'b' })[0]).toBe('b');
  expect(again({ status: 'done' }, { task: 7 })[0]).toBeUndefined();
  const misses = (fence?: number) =>
    missesFileOf(graphOf({ id: 'b', ...(fence === undefined ? {} : { fence }) }), 'a', 'b', 'x').events[0]?.patch;
  expect([misses(2), misses()]).toEqual([2, 0].map((fence) => [{ id: 'a', set: { misses: { task: 'b', fence } } }]));
  const spent = task({ max_retries: 0, retry_count: 1 });
  expect(againCommand(graphOf(), spent)).toBe('troupe reopen a');
});

test('an id that was removed names its end only where the entry tells both', () => {
  const removed = (more: object) => {
    const graph = graphOf({ id: 'a' });
    graph.apply({ seq: 2, id: 'e', timestamp: '', op: 'x', patch: [{ id: 'a', del: true, ...more }] });
    return [...graph.retiredIds()];
  };
  const last = { id: 'a', to: 'archived', last: 'done', seq: 2, batch: 2 };
  expect(removed({ to: 'archived', kept: { status: 'done' } })).toEqual([last]);
  expect(removed({ kept: { status: 'done' } })).toEqual(['a']);
  expect(removed({ to: 'archived' })).toEqual(['a']);
  expect(removed({ to: 'archived', kept: { status: 'gone' } })).toEqual(['a']);
});

test('only tasks are counted: what waits for a review in a team, who made what, what is unfinished', () => {
  const graph = graphOf(
    { id: 'a', status: 'pending-validation', team: 'crew' },
    { id: 'b', status: 'pending-validation' },
    { id: 'c', team: 'crew', created_by: 'ann', parent: 'a' },
  );
  const put = { kind: 'resource', id: 'r', created_by: 'ann', parent: 'a', status: 'open' } as never;
  graph.apply({ seq: 2, id: 'e', timestamp: '', op: 'x', patch: [{ id: 'r', put }] });
  expect([[...graph.unreviewed()], graph.madeBy('ann'), graph.count('open')]).toEqual([['a'], 1, 1]);
  expect(graph.growth().unfinished).toBe(1);
});

test('of a graph that is loaded the dependents of unfinished tasks are held', () => {
  const { after, held } = edgesBetween([
    task({ id: 'a', status: 'done' }),
    task({ id: 'b', after: ['a', 'a'] }),
    task({ id: 'c', after: ['b', 'a'] }),
    { kind: 'resource', id: 'r', after: ['b'] } as never,
  ]);
  expect([...after]).toEqual([
    ['a', ['b', 'c']],
    ['b', ['c']],
  ]);
  expect([...held]).toEqual(['c']);
});

test('a line keeps what another tool wrote as nothing', () => {
  const line = (more: object) => nodeLine({ kind: 'task', id: 'a', title: 'A', status: 'open', ...more } as Task);
  expect(line({ description: null, tags: [], after: ['b'], priority: 0 })).toBe(
    '{"kind":"task","id":"a","title":"A","description":null,"status":"open","after":["b"],"priority":0}',
  );
});

test('opening a member again takes the tag of a cycle that had converged from its header', () => {
  const cycle = (header: object) =>
    graphOf(
      { id: 'a', status: 'done', after: ['b'], cycle_config: { max_iterations: 3 }, ...header },
      { id: 'b', status: 'done', after: ['a'] },
    );
  const opened = (header: object) => cycleOpensAgain(cycle(header), 'b').patch;
  expect(opened({})).toEqual([]);
  expect(opened({ tags: ['converged', 'x'] })).toEqual([{ id: 'a', set: { tags: ['x'] } }]);
  expect(opened({ cycle_ended: 'converged' })).toEqual([{ id: 'a', unset: ['cycle_ended'] }]);
});

test('gates of formations: which tasks, which command, and how they are let go', () => {
  const gate = (value: unknown) => FORMATION_GATE.of(task({ formation_gate: value }));
  for (const command of ['start', 'go'] as const)
    expect(gate({ run: 'r', command, x: 1 })).toEqual({ run: 'r', command });
  for (const value of [undefined, 7, { run: 7, command: 'go' }, { run: 'r', command: 'stop' }])
    expect(gate(value)).toBeUndefined();
  const gated = (command: string, status: Status = 'open') => task({ status, formation_gate: { run: 'r 1', command } });
  expect([isProposed(gated('start')), isProposed(gated('go')), isProposed(task())]).toEqual([true, false, false]);
  expect([gateCommand(gated('go')), gateCommand(task())]).toEqual(["troupe playbook go 'r 1'", undefined]);
  expect(said(() => refuseGated(task()))).toBe('nothing');
  expect(said(() => refuseGated(gated('start')))).toBe(
    "a belongs to a line-up that nobody has accepted. Accept it: `troupe playbook accept 'r 1'`.",
  );
  expect(said(() => refuseGated(gated('start', 'abandoned')))).toContain("Run `troupe playbook status 'r 1'`");
  expect(said(() => refuseGated(gated('go', 'done')))).toBe(
    "a belongs to a release that only `playbook go` approves. Approve it: `troupe playbook go 'r 1'`.",
  );
  const again = (command: string) =>
    codeOf(() => reopenTask(graphOf(gated(command, 'done')), 'a', { now: NOW, by: ann }));
  expect([again('start'), again('go')]).toEqual(['formation_gate', 'none']);
  const value = { run: 'r', command: 'go' } as const;
  const graph = graphOf({ id: 'a' }, { id: 'b' });
  expect(gatePatch(graph, ['a', 'x', 'b', 'a'], value)).toEqual(
    ['a', 'b'].map((id) => ({ id, set: { formation_gate: value } })),
  );
  expect(gatePatch(graph, ['a'], null)).toEqual([{ id: 'a', unset: ['formation_gate'] }]);
});

test('guards: written, read, and what they let pass', () => {
  const rows = ['always', 'task:a=failed', 'iteration<3'];
  expect(rows.map((text) => formatGuard(parseGuard(text)))).toEqual(rows);
  for (const text of ['', 'task:a=lost', 'task:=done', 'iteration<', 'iteration<123456', 'never'])
    expect(
      codeOf(() => parseGuard(text)),
      text,
    ).toBe('usage');
  expect([formatGuard(undefined), formatGuard({ x: 1 } as never), formatGuard('x' as never)]).toEqual([
    'always',
    '{"x":1}',
    '"x"',
  ]);
  const view = graphOf({ id: 'a', status: 'failed' });
  const holds = (guard: unknown, iteration = 0) => guardHolds(view, guard as never, iteration);
  const on = (id: string, status: string) => ({ TaskStatus: { task: id, status } });
  expect([holds(undefined), holds('Always'), holds('x'), holds(null), holds({})]).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([holds(on('a', 'failed')), holds(on('a', 'done')), holds(on('b', 'done'))]).toEqual([true, false, false]);
  expect([2, 3].map((at) => holds({ IterationLessThan: 3 }, at))).toEqual([true, false]);
  const names = (guard: unknown) => guardNamesFailure(guard as never, 'a');
  expect([on('a', 'failed'), on('a', 'done'), on('b', 'failed'), 'Always', null, undefined, {}].map(names)).toEqual([
    true,
    ...Array(6).fill(false),
  ]);
});

test('archived tasks are found by all words, in any field, that ended before a moment', () => {
  const rows = [
    task({ id: 'b', title: 'Parser', description: 'Reads files', completed_at: AT }),
    task({ id: 'a', title: 'x', tags: ['Parser'], artifacts: ['Files.md'], started_at: AT, completed_at: 'never' }),
    task({ id: 'c', title: 'files' }),
    { ...task({ id: 'd', title: 'parser files' }), kind: 'resource' } as never,
  ];
  const found = (query: object) => matchingTasks(rows, query).map(({ id }) => id);
  expect(found({})).toEqual(['a', 'b', 'c']);
  expect(found({ text: ' FILES  parser ' })).toEqual(['a', 'b']);
  expect(found({ text: 'files', limit: 2 })).toEqual(['a', 'b']);
  expect(found({ endedBefore: Date.parse(AT) })).toEqual(['c']);
  expect(found({ endedBefore: Date.parse(AT) + 1 })).toEqual(['a', 'b', 'c']);
  expect(endOf(task({ created_at: AT, started_at: 'x' }))).toBe(Date.parse(AT));
});

test('a state in words and in colour', () => {
  const words = [true, false, 'finishing', undefined].map((live) => wordOf('in-progress', live as never, 'exit 3'));
  expect(words).toEqual(['running', 'claimed', 'finishing', 'in progress']);
  expect([wordOf('done', true, undefined), wordOf('done', true, 'exit 3'), wordOf('ready', true, 'x')]).toEqual([
    ...['done', 'done · exit 3', 'ready'],
  ]);
  expect([toneOf('done', undefined), toneOf('done', 'x'), toneOf('failed', 'x')]).toEqual([
    'done',
    'blocked',
    'failed',
  ]);
});

test('tasks about tasks: by their id where the other is there, and out of sight while they are quiet', () => {
  const graph = graphOf(
    { id: 'x', review_task: '.own' },
    { id: 'assign-x' },
    { id: 'create-agent-x' },
    { id: 'evaluate-x', after: ['x'] },
    { id: '.verify-flip-x', after: ['x'] },
    { id: 'evaluate-y', after: ['x'] },
    { id: 'tagged' },
    { id: 'evaluate-tagged', tags: ['evaluation'] },
    { id: 'loose' },
    { id: 'evaluate-loose' },
    { id: '.own', status: 'failed' },
    { id: '.mine', human: true },
  );
  const metas = [...graph.nodes()].filter((node) => isMeta(graph, node as Task)).map(({ id }) => id);
  expect(metas.sort()).toEqual([
    ...['.mine', '.own', '.verify-flip-x'],
    ...['assign-x', 'create-agent-x', 'evaluate-tagged', 'evaluate-x'],
  ]);
  expect(['.a', 'assign-x', 'assign-z', 'evaluate-loose', 'x'].map((id) => isMetaId(graph, id))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(metaTasksOf(graph, 'x').map(({ id }) => id)).toEqual([
    ...['assign-x', 'create-agent-x', 'evaluate-x', '.verify-flip-x', '.own'],
  ]);
  expect(metaTasksOf(graph, 'loose')).toEqual([]);
  expect(countsInSight(graph, graph.outlines())).toMatchObject({ open: 6, failed: 1, done: 0 });
});

test('a run that reported nothing: its words, and turns that are no work of their own', () => {
  expect([undefined, '', ' \n '].map(unreported)).toEqual([UNREPORTED, UNREPORTED, UNREPORTED]);
  expect(unreported('a \n b')).toBe(`${UNREPORTED} Its last words: a b`);
  const told = (status: Status, failure_reason?: unknown) => isUnreported(task({ status, failure_reason }));
  expect([told('pending-validation', UNREPORTED), told('pending-validation', 'x'), told('pending-validation')]).toEqual(
    [true, false, false],
  );
  expect(told('open', UNREPORTED)).toBe(false);
  const turn = (id: string, team?: string) => [isTurn(task({ id, team })), isSessionTurn(task({ id, team }))];
  expect([turn('.turn-1', 't'), turn('.session-1', 't'), turn('.turn-1'), turn('.session-1'), turn('x', 't')]).toEqual([
    ...[
      [true, false],
      [false, true],
      [false, false],
      [false, false],
      [false, false],
    ],
  ]);
});
