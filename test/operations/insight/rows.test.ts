import { expect, test } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import { REST } from '#core/coordinator/sessions.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import type { NodeFields } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { statusNow } from '#operations/insight/now.js';
import { problems } from '#operations/insight/problems.js';
import { analysisReport } from '#operations/insight/report.js';
import { notRunningReason } from '#operations/insight/status-shapes.js';
import { statusWork } from '#operations/insight/work.js';
import type { Context } from '#operations/operation.js';
import { bothPorts } from '../../both-ports.js';
import { graphOf } from '../../core/graph/graph.js';
import { world } from '../../e2e/world.js';
import { COORDINATORS } from './busy-project.js';

test('of many only the first are listed, and all are counted', async () => {
  const own = world();
  const many = Array.from({ length: SURFACE_LIMITS.analysisRows + 1 }, (_, number) => ({
    id: `p-${String(number).padStart(4, '0')}`,
  }));
  const claimed = many
    .slice(0, TEAM_LIMITS.topRuns + 1)
    .map(({ id }) => ({ id: `held-${id}`, status: 'in-progress', assigned: 'ann' }));
  const gates = claimed.map(({ id }) => ({ id: `gate-${id}`, status: 'pending-validation' }));
  await own.addAll([...many, ...claimed, ...gates, { id: 'last', after: many.map(({ id }) => id) }] as never);
  const { why_blocked: held } = await analysisReport.run(own.context, { id: 'last', only: ['why-blocked'] });
  const { root_blockers, total_blockers } = held ?? expect.unreachable();
  expect([root_blockers.length, total_blockers]).toEqual([SURFACE_LIMITS.analysisRows, many.length]);
  expect(root_blockers[0]).toEqual({ id: 'p-0000', title: 'p-0000', status: 'open', assigned: null, is_ready: true });
  const { people, gates: waiting, counts } = await statusWork.run(own.context, {});
  expect([people.length, waiting.length]).toEqual([TEAM_LIMITS.topRuns, TEAM_LIMITS.topRuns]);
  expect(counts).toMatchObject({ 'in-progress': claimed.length, ready: many.length, open: 1 });
  const listed = await problems.run(own.context, {});
  expect([listed.problems.length, listed.total, listed.counts]).toEqual([
    ...[TEAM_LIMITS.problemRows, 203],
    { person: 102, review: 101 },
  ]);
});

test('a run that printed nothing has no last line; the least of the caps is the cap', async () => {
  const own = world();
  await own.add('lexer', { status: 'in-progress', assigned: 'agent-1', member: 'Ann', title: 'The lexer' });
  const plain = COORDINATORS['plain'];
  if (!plain) throw new Error('there is one');
  const { caps, ...budget } = await plain.spending();
  const [run] = await plain.agents();
  if (!run) throw new Error('there is one');
  const { usage: _, model: __, last_heartbeat: ___, ...bare } = run;
  const facts = (usdTotal: number | undefined, usdByOption: number | undefined) => ({
    ...plain,
    agents: async () => [run, { ...bare, id: 'agent-7', task_id: 'gone', status: 'stopping' as const }],
    spending: async () => ({ ...budget, caps: { ...caps, usdTotal, usdByOption } }),
  });
  const capOf = async (total: number | undefined, option: number | undefined) => {
    own.context.coordinator = () => facts(total, option) as never;
    return (await statusWork.run(own.context, {})).spend.usd_cap;
  };
  expect([
    await capOf(20, 25),
    await capOf(30, 25),
    await capOf(undefined, 7),
    await capOf(undefined, undefined),
  ]).toEqual([20, 25, 7, null]);
  expect((await statusWork.run(own.context, {})).runs).toEqual([
    {
      ...{ run: 'agent-1', task: 'lexer', title: 'The lexer', member: 'Ann', executor: 'claude', model: 'opus' },
      ...{ started_at: run.started_at, last_sign: run.last_heartbeat, tokens: 1_200, cost_usd: 0.5 },
      ...{ estimated_usd: 0.2, last_line: '', worker: null },
    },
    {
      ...{ run: 'agent-7', task: 'gone', title: 'gone', member: null, executor: 'claude', model: null },
      ...{ started_at: run.started_at, last_sign: null, tokens: null, cost_usd: null },
      ...{ estimated_usd: null, last_line: '', worker: null },
    },
  ]);
});

test('each status and each reason not to start has its sentence, the most useful first', () => {
  const view = graphOf({ id: 'runs', status: 'in-progress' }, { id: 'waits' }, { id: 'idle' });
  const open = (...reasons: { code: string; ids?: string[]; until?: string }[]) =>
    notRunningReason(
      view,
      { kind: 'task', id: 'x', title: 'x', status: 'open' },
      { ready: false, reasons } as never,
      false,
    );
  const of = (status: string, fields: NodeFields = {}, live: boolean | 'finishing' = false) =>
    notRunningReason(
      view,
      { kind: 'task', id: 'x', title: 'x', status, ...fields } as never,
      { id: 'x', ready: false, reasons: [] },
      live as never,
    );
  expect([
    open(),
    open({ code: 'status' }),
    open({ code: 'status' }, { code: 'time', until: '2026-03-01' }),
    open({ code: 'time' }),
    open({ code: 'time' }, { code: 'unplaced' }),
    open({ code: 'unplaced' }, { code: 'cycle-restart', ids: ['waits', 'idle', 'runs'] }),
    open({ code: 'cycle-restart' }, { code: 'predecessor', ids: ['waits', 'idle', 'runs'] }),
    open({ code: 'predecessor', ids: ['waits', 'idle'] }),
    open({ code: 'predecessor' }),
    open({ code: 'predecessor', ids: ['a'] }, { code: 'needs-success', ids: ['waits', 'idle'] }),
    open({ code: 'needs-success', ids: ['a'] }, { code: 'paused' }),
    open({ code: 'paused', ids: ['waits'] }),
    open({ code: 'paused' }, { code: 'line-up' }),
    of('in-progress', {}, true),
    of('in-progress', {}, 'finishing'),
    of('in-progress'),
    of('in-progress', { assigned: 'ann' }),
    of('in-progress', { assigned: 'agent-1' }),
    of('in-progress', { assigned: 'agent-1234567890' }),
    of('done'),
    of('pending-validation'),
    of('pending-validation', { failure_reason: 'two lines conflict' }),
    of('blocked'),
    of('failed'),
    of('failed', { failure_reason: 'exit code 2' }),
    of('abandoned'),
    of('abandoned', { failure_reason: 'not needed' }),
    of('waiting'),
    of('waiting', { ready_after: '2026-03-02' }),
  ]).toMatchInlineSnapshot(`
    [
      "not ready",
      "its status does not allow it",
      "waits until 2026-03-01",
      "waits until later",
      "waits for its place in the graph",
      "a member failed: the cycle of waits and 2 more restarts when the others have ended",
      "waits for runs and 2 more",
      "waits for waits and idle",
      "waits for something",
      "needs waits and idle to succeed, and it did not",
      "paused: it starts when a person resumes it",
      "the cycle it depends on is halted: waits is paused",
      "its line-up is not accepted",
      undefined,
      undefined,
      "claimed by an unknown holder",
      "claimed by ann",
      "agent-1 holds it but is not running",
      "claimed by agent-1234567890",
      undefined,
      "needs review before it is done",
      "two lines conflict",
      "a person blocked it and has to reopen it",
      "its last attempt failed; no reason was given",
      "exit code 2",
      "abandoned; it will not run",
      "not needed",
      "waits for its condition",
      "waits until 2026-03-02",
    ]
  `);
});

const HOLD: ClientHold = {
  ...{ client: 'codex', trouble: 'weekly-limit', pauseMs: 1_200_000, run: 'agent-1' },
  ...{ since: Date.parse('2026-03-01T09:50:00Z'), until: Date.parse('2026-03-01T10:10:00Z') },
};

test('a held client holds the tasks of its sessions and its agents up, and no others', async () => {
  const own = world();
  await own.addAll([
    { id: 'hers', agent: 'a-1' },
    { id: 'in-session', tags: ['night'] },
    { id: 'plain' },
    { id: 'command', exec: 'make' },
    { id: 'over', tags: ['night'], status: 'done' },
    { id: 'later', tags: ['night'], after: ['plain'] },
  ] as never);
  const agent = { human: false, capacity: 3, executor: 'codex', provider: undefined };
  const facts = {
    ...COORDINATORS['plain'],
    holds: [HOLD, { ...HOLD, client: 'gone', until: HOLD.since, pauseMs: 0 }],
    sessions: [{ ...REST, id: 1, scope: { tags: ['night'], roots: [] }, executor: 'codex' }],
    agency: { ...NO_AGENCY, agents: new Map([['a-1', agent]]) },
    agents: () => [],
  };
  own.context.coordinator = () => facts as never;
  const held = async () =>
    (await statusWork.run(own.context, {})).held_clients.map(({ client, tasks, command, since, until }) => [
      client,
      tasks,
      command,
      since,
      until,
    ]);
  const row = [null, '2026-03-01T09:50:00.000Z', '2026-03-01T10:10:00.000Z'];
  expect(await held()).toEqual([['codex', 2, ...row]]);
  facts.sessions = [];
  expect(await held()).toEqual([['codex', 1, ...row]]);
  facts.agency = NO_AGENCY as never;
  expect(await held()).toEqual([]);
});

test('what cannot be looked at is a warning where there should be something, and nothing else is left out', async () => {
  const own = world();
  await own.add('a', { status: 'failed', fence: 1 });
  await own.add('.lead', { status: 'failed', fence: 0 });
  const failing = (code: 'unreadable' | 'git_missing' | 'not_a_repository') => async () => {
    throw new TroupeError(code);
  };
  const told = async (changes: Partial<Context>) => {
    const { warnings, problems: rows } = await problems.run({ ...own.context, ...changes }, {});
    return [...warnings, ...rows.map(({ kind, task, text }) => `${kind} ${task}: ${text}`)];
  };
  const plain = await told({});
  expect(plain).toMatchInlineSnapshot(`
    [
      "failed .lead: It failed without a reason",
      "failed a: It failed without a reason",
    ]
  `);
  expect(await told({ ...bothPorts(failing('git_missing')) })).toEqual(plain);
  expect(await told({ ...bothPorts(failing('unreadable')) })).toEqual(['worktrees: A file cannot be read.', ...plain]);
  expect(await told({ mail: failing('unreadable') })).toEqual(['conversations: A file cannot be read.', ...plain]);
  expect(await told({ workflowFiles: failing('unreadable') })).toEqual(['workflows: A file cannot be read.', ...plain]);
  const tree = (slug: string, rest: object) => ({
    slug,
    attempt: 1,
    ahead: 0,
    dirty: 0,
    removable: false,
    text: `of ${slug}`,
    ...rest,
  });
  const listed = [
    tree('a', { ahead: 1 }),
    tree('b', { dirty: 1 }),
    tree('c', {}),
    tree('d', { dirty: 1, removable: true }),
    tree('e', { ahead: 1, reason: 'in-use' }),
    tree('f', { ahead: 1, reason: 'unmerged' }),
  ];
  const worktrees = async () => ({ list: async () => listed, waiting: async () => 2 }) as never;
  expect((await told(bothPorts(worktrees))).filter((row) => !plain.includes(row))).toMatchInlineSnapshot(`
    [
      "unmerged a: Attempt 1 left unmerged work: of a",
      "unmerged b: Attempt 1 left unmerged work: of b",
      "unmerged f: Attempt 1 left unmerged work: of f",
      "unlanded null: 2 commits on wg/integration to land",
    ]
  `);
  await own.set('a', { fence: 0 });
  expect(await told({ ...bothPorts(failing('unreadable')) }), 'without an attempt git is not asked').toEqual(plain);
});

test('who waits for an answer of whom is looked at as soon as two wait', async () => {
  const own = world();
  const waits = { status: 'waiting', wait_condition: { mode: 'all', since: '', conditions: [{ type: 'message' }] } };
  await own.add('one', waits);
  let asked = 0;
  const mail = async () => ({ open: async () => [].slice(asked++) }) as never;
  const look = async () => await statusNow.run({ ...own.context, mail }, {});
  await look();
  expect(asked).toBe(0);
  await own.add('two', waits);
  await look();
  expect(asked).toBe(1);
  const broken = { ...own.context, mail: () => Promise.reject(new TroupeError('unreadable')) };
  expect((await statusNow.run(broken, {})).counts.waiting).toBe(2);
});
