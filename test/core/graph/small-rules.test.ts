import { expect } from 'vitest';
import { acceptedOf, refuseAccepted } from '#core/graph/acceptance.js';
import { matchingTasks } from '#core/graph/archived.js';
import { closedDeadlock } from '#core/graph/deadlock.js';
import { checkSubmission } from '#core/graph/deliverable.js';
import { editTask } from '#core/graph/edit.js';
import { concernsCurrentAttempt, flipCheckOf } from '#core/graph/flip-check.js';
import { parseGuard } from '#core/graph/guard.js';
import { reclaimTask } from '#core/graph/hand-over.js';
import { mayHoldOthers, outcomeOf } from '#core/graph/lib/outcome.js';
import { isForMember, reassignTasks } from '#core/graph/member.js';
import { waitAfterMessage } from '#core/graph/message.js';
import { checkedLabels, needsOf } from '#core/graph/needs.js';
import { approveTask } from '#core/graph/review.js';
import { checkPowers, seedFields } from '#core/graph/run-rights.js';
import { freeId, isIdForm, titleSlug, wholeWords } from '#core/graph/slug.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import { STATUSES, type Task } from '#core/graph/task.js';
import { liveWork } from '#core/graph/team-hold.js';
import { isFreeWork, isTeamTask } from '#core/graph/team-work.js';
import { attemptReport, holdUnmerged, reportTask } from '#core/graph/unmerged.js';
import { askToReport, isUnreported, reviewUnreported, unreported } from '#core/graph/unreported.js';
import { acceptEdit, discardEdit, editDifference } from '#core/graph/unverified-moves.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { AT, ann, codeOf, graphOf, NOW, RUN, task } from './graph.js';

const told = (work: () => unknown): string => {
  const { code, message, hint } = refusalOf(work);
  return `${code}: ${message} ${hint}`;
};
const by = (mover: object = ann) => ({ now: NOW, by: mover as typeof ann });
const LATE = { ...RUN, fence: 2 };

verifies(
  'graph.move.approve',
  'an approval stands only for the attempt that it is about, and names at most 100 characters',
  () => {
    const accepted = { by: 'ann', at: AT, fence: 2 };
    const of = (more: object, fields: object = {}) =>
      acceptedOf(task({ status: 'pending-validation', fence: 2, accepted: { ...accepted, ...more }, ...fields }));
    expect([of({}), of({ fence: 0 }, { fence: undefined })]).toEqual([accepted, { ...accepted, fence: 0 }]);
    expect([
      of({ by: 7 }),
      of({ at: 7 }),
      of({ fence: 1 }),
      of({}, { status: 'open' }),
      of({}, { accepted: 7 }),
    ]).toEqual(Array(5).fill(undefined));
    expect(acceptedOf(undefined)).toBeUndefined();
    const held = (name: string) =>
      told(() =>
        refuseAccepted(task({ status: 'pending-validation', fence: 2, accepted: { ...accepted, by: name } }), 'failed'),
      );
    expect(held('x'.repeat(101))).toBe(
      `wrong_status: a cannot be failed: ${'x'.repeat(99)}… has approved it, and its work is being merged. Wait for that. If it was interrupted, continue with \`troupe approve a\`.`,
    );
    expect(held('x'.repeat(100))).toContain(`${'x'.repeat(100)} has approved`);
    expect(codeOf(() => refuseAccepted(task(), 'failed'))).toBe('none');
  },
);

verifies('graph.archive.move', 'archived tasks by words, time and number', () => {
  const tasks = [
    task({ id: 'b', title: 'Write docs', completed_at: '2026-03-02T00:00:00.000Z', tags: ['Big'] }),
    task({ id: 'a', title: 'Write code', started_at: '2026-03-01T00:00:00.000Z', artifacts: ['src/x.ts'] }),
    task({ id: 'c', title: 'c', description: 'docs' }),
    { kind: 'resource', id: 'docs' } as unknown as Task,
  ];
  const found = (query: Parameters<typeof matchingTasks>[1]) => matchingTasks(tasks, query).map(({ id }) => id);
  expect([
    found({}),
    found({ text: '  ' }),
    found({ text: ' DOCS ' }),
    found({ text: 'write  x.ts' }),
    found({ text: 'big docs' }),
    found({ endedBefore: Date.parse('2026-03-02T00:00:00.000Z') }),
    found({ endedBefore: Date.parse('2026-03-02T00:00:00.001Z'), limit: 2 }),
    found({ endedBefore: 0 }),
    found({ limit: 0 }),
  ]).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], ['b', 'c'], ['a'], ['b'], ['a', 'c'], ['a', 'b'], ['c'], []]);
});

verifies('team.task.submit', 'a submission is of the holder of the claim, in a team, under its present fence', () => {
  const graph = graphOf();
  const of = (fields: object, mover: object = { name: 'ann' }) => {
    const one = task({ team: 't', verify: 'v', status: 'in-progress', assigned: 'ann', fence: 3, ...fields });
    try {
      checkSubmission(graph, one, mover as never);
    } catch (error) {
      if (error instanceof TroupeError) return `${error.code} ${error.hint ?? '-'}`;
    }
    return 'none';
  };
  const run = { name: 'agent-1', fence: 3, taskId: 'a' };
  const held = { assigned: 'agent-1' };
  expect([
    of({ team: undefined }),
    of({ assigned: undefined }),
    of({ assigned: 'bob' }),
    of(held, { ...run, taskId: 'b' }),
  ]).toEqual([
    'bad_input Run `troupe done a`.',
    'not_assignee Claim it first: `troupe claim a --actor ann`.',
    expect.stringMatching(/^not_assignee (?!Claim)/),
    expect.stringMatching(/^not_assignee (?!Claim)/),
  ]);
  expect([of({ assigned: undefined }, { ...run, taskId: 'b' })]).toEqual([
    expect.stringMatching(/^not_assignee (?!Claim)/),
  ]);
  expect(
    [of({}, run), of(held, { ...run, fence: 2 }), of({ ...held, fence: undefined }, run)].map(
      (one) => one.split(' ')[0],
    ),
  ).toEqual(Array(3).fill('stale_attempt'));
  expect([of(held, run), of({}), of({ status: 'open' }).split(' ')[0]]).toEqual(['none', 'none', 'wrong_status']);
});

verifies('graph.field', 'an edit writes what differs, empties lists, and refuses titles of spaces', () => {
  const graph = graphOf({ id: 'b' }, {
    id: 'a',
    title: 'Old',
    after: ['b'],
    tags: ['x', 'y'],
    skills: ['s'],
    description: 'd',
  } as never);
  const edit = (wish: object) => {
    const plan = editTask(graph, 'a', wish, by());
    return [plan.result.changed, ...plan.events.flatMap((event) => event.patch ?? [])];
  };
  expect([
    edit({}),
    edit({ title: ' New ' }),
    edit({ title: 'Old', add_tags: ['x', ''] }),
    edit({ remove_after: ['b'] }),
    edit({ remove_tags: ['x', 'y'], add_skills: ['s', 't'] }),
    edit({ clear: ['description', 'tags'], add_tags: ['z'] }),
    edit({ clear: ['delay'] }),
    edit({ description: 'd', remove_skills: ['s'], title: 'T' }),
  ]).toEqual([
    [false],
    [true, { id: 'a', set: { title: 'New' } }],
    [false],
    [true, { id: 'a', unset: ['after'] }],
    [true, { id: 'a', set: { skills: ['s', 't'] }, unset: ['tags'] }],
    [true, { id: 'a', unset: ['description', 'tags'] }],
    [false],
    [true, { id: 'a', set: { title: 'T' }, unset: ['skills'] }],
  ]);
  expect([
    told(() => edit({ title: ' ' })),
    codeOf(() => edit({ title: 'x'.repeat(WORK_LIMITS.titleCharacters + 1) })),
  ]).toEqual([expect.stringMatching(/^bad_input: A task needs a title\./), 'too_large']);
  expect(told(() => edit({ clear: [`a-${'x'.repeat(60)}`] }))).toContain(`"a_${'x'.repeat(38)}"`);
});

verifies('flip.run', 'a flip check in any form, and which work it concerns', () => {
  const check = { evaluation: 'e', score: 0.5, attempt: 0, state: 'low' } as const;
  const of = (value: unknown) => flipCheckOf({ flip_check: value });
  expect([of(check), of({ ...check, more: 1, state: 'rejected' })]).toEqual([check, { ...check, state: 'rejected' }]);
  for (const bad of [
    undefined,
    'x',
    [],
    ...['evaluation', 'score', 'attempt', 'state'].map((key) => ({ ...check, [key]: null })),
  ])
    expect(of(bad)).toBeUndefined();
  const concerns = (fields: object) => concernsCurrentAttempt(task(fields), check);
  expect([
    concerns({ status: 'done' }),
    concerns({ status: 'pending-validation', fence: 0 }),
    concerns({ status: 'open' }),
    concerns({ status: 'done', fence: 1 }),
  ]).toEqual([true, true, false, false]);
});

verifies('graph.cycle.guards', 'guards, and tasks that wait for one another', () => {
  expect(['always', 'task:a=done', 'iteration<3'].map(parseGuard)).toEqual([
    ...['Always', { TaskStatus: { task: 'a', status: 'done' } }],
    { IterationLessThan: 3 },
  ]);
  for (const bad of ['', 'task:=done', 'task:a=gone', 'task:a=b=failed', 'iteration<x', 'done'])
    expect(
      codeOf(() => parseGuard(bad)),
      bad,
    ).toBe('usage');
  const graph = graphOf({ id: 'a' }, { id: 'b', after: ['a', 'b'] }, { id: 'c', after: ['b'] }, {
    id: 'd',
    after: ['a'],
    cycle_config: { max_iterations: 2 },
  } as never);
  const closed = (id: string, after: readonly string[], waiting: readonly string[]) =>
    closedDeadlock((other) => graph.task(other), id, { after, waiting });
  expect([
    closed('a', ['c'], ['b', 'd']),
    closed('a', ['a'], ['a']),
    closed('a', ['c'], []),
    closed('a', ['d'], ['d']),
    closed('x', ['c'], ['y']),
    closed('a', ['b', 'c'], ['c']),
  ]).toEqual([['a', 'b', 'c'], undefined, undefined, undefined, undefined, ['a', 'c']]);
  expect(
    [undefined, 'open', 'done', 'failed', 'abandoned', 'waiting'].map((status) =>
      outcomeOf(status === undefined ? undefined : task({ status })),
    ),
  ).toEqual([...['missing', 'going', 'done', 'other', 'other', 'going']]);
  expect(
    [undefined, task(), task({ paused: true }), task({ status: 'failed' }), task({ status: 'done' })].map(
      mayHoldOthers,
    ),
  ).toEqual([...[false, false, true, true, false]]);
});

verifies('fleet.labels', 'labels of a task: which there may be, how many, and each once', () => {
  const labels = (count: number) => Array.from({ length: count }, (_, at) => `l${at}`);
  expect([
    checkedLabels(['gpu', 'a.b_c:d-1', 'gpu']),
    checkedLabels(labels(SURFACE_LIMITS.labelsNeeded)).length,
  ]).toEqual([['gpu', 'a.b_c:d-1'], SURFACE_LIMITS.labelsNeeded]);
  expect(told(() => checkedLabels(labels(SURFACE_LIMITS.labelsNeeded + 1)))).toContain(
    `at most ${SURFACE_LIMITS.labelsNeeded} labels`,
  );
  expect(told(() => checkedLabels(['gpu', 'X'.repeat(61)]))).toContain(`Not a label: "${'X'.repeat(59)}…"`);
  for (const bad of ['', 'GPU', '-a', 'a b', 'x'.repeat(64)])
    expect(
      codeOf(() => checkedLabels([bad])),
      bad,
    ).toBe('bad_input');
  expect([needsOf(undefined), needsOf(task()), needsOf(task({ needs: ['gpu'] }))]).toEqual([[], [], ['gpu']]);
});

verifies('member.retire', 'tasks of members that leave, under any spelling of the name', () => {
  expect([
    isForMember({}, 'neo'),
    isForMember({ member: 'Mary Ann' }, 'mary-ann'),
    isForMember({ member: 'Neo' }, 'Trinity'),
  ]).toEqual([...[false, true, false]]);
  const graph = graphOf(
    { id: 'b', member: 'NEO' },
    { id: 'a', member: 'Neo', status: 'waiting' },
    { id: 'c', member: 'Neo', status: 'done' },
    { id: 'd' },
    { id: 'e', member: 'Tank' },
  );
  const plan = (...leavers: Parameters<typeof reassignTasks>[1]) => {
    const { events, result } = reassignTasks(graph, leavers, by());
    return [
      result.tasks,
      events.map(
        ({ patch }) =>
          patch
            ?.map((part) => part as { set?: object; unset?: object; log?: readonly { message: string }[] })
            .map(({ set, unset, log }) => [set, unset, log?.[0]?.message])[0],
      ),
    ];
  };
  expect(plan({ name: 'Neo' })).toMatchObject([
    ['a', 'b'],
    [expect.anything(), expect.anything()],
  ]);
  const [, events] = plan({ name: 'neo', next: 'Thomas' }, { name: 'Tank' });
  expect((events as unknown[][]).map((event) => event?.[2])).toEqual([
    'Tank left the team',
    'neo is called Thomas now',
    'neo is called Thomas now',
  ]);
  expect(plan()).toEqual([[], []]);
});

verifies('graph.move.fenced', 'a claim that is handed over raises the fence, and only its holder can lose it', () => {
  const graph = graphOf(
    { id: 'a', status: 'in-progress', assigned: 'ann' },
    { id: 'b', status: 'waiting', assigned: 'ann', fence: 4 } as never,
    { id: 'c' },
    { id: 'd', status: 'in-progress' },
  );
  const over = (id: string) => reclaimTask(graph, id, { ...by(), from: 'ann', to: 'bob' }).result.fence;
  expect([over('a'), over('b')]).toEqual([1, 5]);
  expect([told(() => over('c')), told(() => over('d'))]).toEqual([
    expect.stringMatching(/^wrong_status: /),
    expect.stringMatching(/^wrong_status: d is held by nobody, not by ann\./),
  ]);
  expect(codeOf(() => reclaimTask(graph, 'a', { ...by(RUN), from: 'ann', to: 'bob' }))).not.toBe('none');
});

verifies('graph.wait.met', 'which messages count for a wait', () => {
  const wait = (type: string, more: object = {}) =>
    ({ mode: 'all', conditions: [{ type }, { type: 'timer' }], ...more }) as never;
  const event = (kind: string, actor = 'bob', op = 'message') => ({ op, actor, detail: { kind }, patch: [] }) as never;
  const seen = (spec: never, of: never) =>
    waitAfterMessage(spec, of)?.conditions.map((one) => ('seen' in one ? `${one.type}!` : one.type));
  const own = { by: 'bob' };
  expect([
    seen(wait('message'), event('run')),
    seen(wait('message', own), event('run')),
    seen(wait('message', own), event('run', 'ann')),
    seen(wait('message', own), event('person')),
    seen(wait('human-input'), event('run')),
    seen(wait('human-input', own), event('person')),
    seen(wait('message'), event('run', 'bob', 'edit')),
  ]).toEqual([
    ['message!', 'timer'],
    undefined,
    ['message!', 'timer'],
    ['message!', 'timer'],
    undefined,
    ['human-input!', 'timer'],
    undefined,
  ]);
});

verifies('graph.seed.powers', 'a run adds tasks of no more power, with the mode of its own task', () => {
  const graph = graphOf({ id: 'a', exec_mode: 'light' } as never, { id: 'b' }, {
    id: 'c',
    exec_mode: 'shell',
  } as never);
  const fields = (mover: object, wish: object = {}) => seedFields(graph, mover as never, wish as never, { now: NOW });
  expect([
    fields({ name: 'ann' }),
    fields({ name: 'x', fence: 1 }),
    fields({ name: 'x', taskId: 'a' }),
    fields(RUN),
    fields(RUN, { exec_mode: 'bare' }),
    fields({ ...RUN, taskId: 'b' }),
    fields({ ...RUN, taskId: 'c' }),
  ]).toEqual([{}, {}, {}, { parent: 'a', exec_mode: 'light' }, { parent: 'a' }, { parent: 'b' }, { parent: 'c' }]);
  const power = (mode: string | undefined, wish: object) =>
    codeOf(() => checkPowers(task({ exec_mode: mode }), wish as never));
  const modes = ['bare', 'light', 'full', 'shell', undefined];
  expect(
    modes.map((mode) =>
      modes
        .map((wanted) => (power(mode, wanted === undefined ? {} : { exec_mode: wanted }) === 'none' ? 1 : 0))
        .join(''),
    ),
  ).toEqual([...['10001', '11001', '11111', '11111', '11111']]);
  expect(modes.map((mode) => [power(mode, { exec: 'x' }), power(mode, { verify_cmd: 'x' })].join(' '))).toEqual([
    ...['not_yours not_yours', 'not_yours not_yours', 'none none', 'none none', 'none none'],
  ]);
  expect(codeOf(() => checkPowers(undefined, { exec: 'x' } as never))).toBe('none');
});

verifies('graph.task.slug', 'ids of whole words, with room for a suffix', () => {
  expect([
    wholeWords('a-b-c', 5),
    wholeWords('a-b-c', 4),
    wholeWords('a-b-c', 3),
    wholeWords('abc-d', 3),
    wholeWords('abcd', 3),
    wholeWords('-abc', 2),
  ]).toEqual([...['a-b-c', 'a-b', 'a-b', 'abc', 'abc', '-a']]);
  const long = titleSlug('x'.repeat(200));
  expect([long.length, isIdForm(`${long}-1234567`), titleSlug('!!!')]).toEqual([
    WORK_LIMITS.idCharacters - 8,
    true,
    'task',
  ]);
  const taken = new Set(['a', 'a-2', 'a-3']);
  expect([freeId('b', (id) => taken.has(id)), freeId('a', (id) => taken.has(id))]).toEqual(['b', 'a-4']);
  expect(['x'.repeat(100), 'x'.repeat(101), 'a..b', 'a.lock', '-a', 'a/b', 'A.b_c-1'].map(isIdForm)).toEqual([
    ...[true, false, false, false, false, false, true],
  ]);
  expect(SHOWN_STATES).toEqual([...STATUSES, 'ready']);
});

verifies('team.task.gate', 'free work of a team, and what a team has under way', () => {
  const team = { team: 't', verify: 'v' };
  expect(
    [team, { ...team, member: 'Neo' }, { ...team, status: 'done' }, { team: 't' }, {}, { ...team, id: '.turn-1' }].map(
      (fields) => isFreeWork(task(fields)),
    ),
  ).toEqual([...[true, false, false, false, false, false]]);
  expect([undefined, task(team), task({ verify: 'v' }), task({ team: 't', verify: 7 })].map(isTeamTask)).toEqual([
    false,
    true,
    false,
    false,
  ]);
  const resource = { kind: 'resource', id: 'r', team: 't', status: 'in-progress', title: undefined };
  const graph = graphOf(
    { id: 'b', ...team, status: 'in-progress' },
    { id: 'a', team: 't', status: 'in-progress' } as never,
    { id: 'c', team: 'u', status: 'in-progress' } as never,
    { id: 'd', team: 't' } as never,
    resource as never,
  );
  expect(liveWork(graph, 't').map(({ id }) => id)).toEqual(['a', 'b']);
});

verifies(
  'graph.move.fenced',
  'a report, what could not be merged, and what ended without a word, are of the present attempt',
  () => {
    const held = { id: 'a', status: 'in-progress', assigned: 'agent-1', fence: 1 } as never;
    const graph = graphOf(held, { id: 'p', status: 'in-progress', assigned: 'ann' }, { id: 'o' });
    const set = (plan: { readonly events: readonly { readonly patch?: readonly object[] }[] }) =>
      plan.events.flatMap(({ patch }) => (patch ?? []).map((one) => ('set' in one ? one.set : undefined)));
    const evidence = {};
    const report = (id: string, mover: object, more: object = {}) =>
      reportTask(graph, id, { ...by(mover), evidence, ...more } as never);
    const at = new Date(NOW).toISOString();
    expect([set(report('a', RUN)), set(report('a', RUN, { converged: true })), set(report('p', ann))]).toEqual([
      [{ reported: { at, fence: 1 } }],
      [{ reported: { at, fence: 1, converged: true } }],
      [{ reported: { at, fence: 0 } }],
    ]);
    expect([codeOf(() => report('a', LATE)), codeOf(() => report('o', ann))]).toEqual(['not_yours', 'none']);
    const attempt = (reported: unknown, fields: object = {}) =>
      attemptReport(task({ status: 'in-progress', fence: 1, reported, ...fields }));
    const kept = { at, fence: 1, converged: true };
    expect([attempt(kept), attempt({ at, fence: 1, converged: 1 })]).toEqual([
      { at: NOW, converged: true },
      { at: NOW, converged: false },
    ]);
    expect([
      attempt({ ...kept, fence: 2 }),
      attempt({ ...kept, at: 1 }),
      attempt('x'),
      attempt(kept, { status: 'open' }),
      attemptReport(undefined),
    ]).toEqual(Array(5).fill(undefined));
    const merge = (mover: object, id = 'a', conflict?: string) =>
      holdUnmerged(graph, id, { ...by(mover), reason: 'why', conflict });
    expect([set(merge(RUN)), set(merge(RUN, 'a', 'main')), set(merge(ann, 'o'))]).toEqual([
      [{ status: 'pending-validation', unmerged: true, failure_reason: 'why' }],
      [{ status: 'pending-validation', unmerged: true, conflict_branch: 'main', failure_reason: 'why' }],
      [{ status: 'pending-validation', unmerged: true, failure_reason: 'why', assigned: 'ann' }],
    ]);
    const silent = (mover: object, words?: string) => reviewUnreported(graph, 'a', { ...by(mover), words });
    expect(
      [merge, silent, (mover: object) => askToReport(graph, 'a', by(mover))].map((one) => codeOf(() => one(LATE))),
    ).toEqual(Array(3).fill('not_yours'));
    expect(set(silent(RUN, ' a \n b '))).toEqual([{ status: 'pending-validation', failure_reason: unreported('a b') }]);
    expect(unreported(' a \n b ')).toBe('Its run ended without reporting done, fail or wait. Its last words: a b');
    expect([unreported(undefined), unreported(' ')]).toEqual(
      Array(2).fill('Its run ended without reporting done, fail or wait.'),
    );
    expect([set(askToReport(graph, 'a', by(RUN))), set(askToReport(graph, 'p', by()))]).toEqual([
      [{ status: 'open', asked_to_report: 1 }],
      [{ status: 'open', asked_to_report: 0 }],
    ]);
    const review = (fields: object) => isUnreported(task(fields));
    expect([
      review({ status: 'pending-validation', failure_reason: unreported('x') }),
      review({ status: 'open', failure_reason: unreported('x') }),
      review({ status: 'pending-validation' }),
    ]).toEqual([...[true, false, false]]);
  },
);

verifies('door.file', 'held-back changes: their difference, and what accepting and discarding them does', () => {
  const edit = (whole: string | undefined, set: object = {}, unset: readonly string[] = []) => ({
    unverified_edit: { set, unset, ...(whole === undefined ? {} : { whole }) },
  });
  const shown = (fields: object) => editDifference(task({ title: 'Old', ...fields }));
  const long = 'x'.repeat(90);
  expect([
    shown({}),
    shown(edit('removed')),
    shown(edit('added', { title: 'New', paused: true })),
    shown(edit(undefined, { title: long, paused: true }, ['description'])),
  ]).toMatchInlineSnapshot(`
    [
      undefined,
      "its line was removed",
      "the task was added; title: "New"",
      "title: "Old" → "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…; paused: none → true; description: none → none",
    ]
  `);
  const graph = graphOf(
    { id: 'none' },
    { id: 'added', ...edit('added', { title: 'x' }) },
    { id: 'removed', ...edit('removed') },
    { id: 'changed', ...edit(undefined, { title: 'New', status: 'done' }, ['description']) },
  );
  const moved = (work: typeof acceptEdit, id: string) => {
    const { events, result } = work(graph, id, by());
    return [
      result.status,
      result.changed,
      ...events.map(({ op, patch }) => [
        op,
        patch?.map((part) => {
          const { log: _log, log_at: _at, ...rest } = part as { log?: unknown; log_at?: unknown };
          return rest;
        }),
      ]),
    ];
  };
  const ids = ['none', 'added', 'removed', 'changed'];
  expect([ids.map((id) => moved(acceptEdit, id)), ids.map((id) => moved(discardEdit, id))]).toMatchInlineSnapshot(`
    [
      [
        [
          "open",
          false,
        ],
        [
          "open",
          true,
          [
            "accept_edit",
            [
              {
                "id": "added",
                "set": {
                  "title": "x",
                },
                "unset": [
                  "unverified_edit",
                ],
              },
            ],
          ],
        ],
        [
          "open",
          true,
          [
            "accept_edit",
            [
              {
                "del": true,
                "id": "removed",
              },
            ],
          ],
        ],
        [
          "done",
          true,
          [
            "accept_edit",
            [
              {
                "id": "changed",
                "set": {
                  "status": "done",
                  "title": "New",
                },
                "unset": [
                  "unverified_edit",
                ],
              },
            ],
          ],
        ],
      ],
      [
        [
          "open",
          false,
        ],
        [
          "open",
          true,
          [
            "discard_edit",
            [
              {
                "del": true,
                "id": "added",
              },
            ],
          ],
        ],
        [
          "open",
          true,
          [
            "discard_edit",
            [
              {
                "id": "removed",
                "unset": [
                  "unverified_edit",
                ],
              },
            ],
          ],
        ],
        [
          "open",
          true,
          [
            "discard_edit",
            [
              {
                "id": "changed",
                "unset": [
                  "unverified_edit",
                ],
              },
            ],
          ],
        ],
      ],
    ]
  `);
});

verifies('graph.move.review', 'who reviews work: not its doer, and a run only in the review task of this work', () => {
  const graph = graphOf(
    { id: 'a', status: 'pending-validation', assigned: 'ann', created_by: 'agent-9' },
    { id: 'free', status: 'pending-validation' },
    { id: 'o' },
  );
  const of = (id: string, mover: object) => told(() => approveTask(graph, id, by(mover) as never)).split(' ')[0];
  expect([of('a', ann), of('a', { name: 'agent-9', fence: 1, taskId: 'x' }), of('o', ann)]).toEqual([
    ...['own_work:', 'own_work:', 'wrong_status:'],
  ]);
  expect(codeOf(() => approveTask(graph, 'a', by({ name: 'agent-9' }) as never))).toBe('none');
  expect(codeOf(() => approveTask(graph, 'free', by({ name: 'bob' }) as never))).toBe('none');
});
