import { expect, test } from 'vitest';
import { NO_AGENCY } from '#core/coordinator/agency.js';
import { REST } from '#core/coordinator/sessions.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import { SHOWN_STATES, STATUS_LOOK, wordOf } from '#core/graph/status-look.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { list } from '#operations/graph/list.js';
import { show } from '#operations/graph/show.js';
import { why } from '#operations/insight/blocking.js';
import { statusNow } from '#operations/insight/now.js';
import { taskOutput } from '#operations/insight/output.js';
import { problems } from '#operations/insight/problems.js';
import { graphPicture } from '#operations/insight/status-picture.js';
import type { Context } from '#operations/operation.js';
import { rolesPropose, rolesReject } from '#operations/roles/proposals.js';
import { world } from '../e2e/world.js';
import { NO_ACTS } from '../no-acts.js';
import { NO_RUNS } from '../no-runs.js';
import type { RolesInMemory } from '../roles-in-memory.js';
import { verifies } from '../verifies.js';

const ids = (list: { rows: readonly { id: string }[] }) => list.rows.map((row) => row.id);

test('an empty graph has nothing to say and says it', async () => {
  const { context } = world();
  const now = await statusNow.run(context, {});
  expect(now).toMatchObject({ seq: 0, at: '2026-03-01T10:00:00.000Z' });
  for (const list of [now.needs_you, now.running, now.ready, now.not_ready])
    expect(list).toEqual({ rows: [], total: 0 });
  expect(Object.values(now.counts).every((count) => count === 0)).toBe(true);
});

test('what has no time of its making comes first, by its id', async () => {
  const own = world();
  await own.add('b-new', {});
  for (const id of ['z-old', 'a-old']) await own.add(id, { created_at: undefined });
  expect(ids((await statusNow.run(own.context, {})).ready)).toEqual(['a-old', 'z-old', 'b-new']);
});

test('the three answers: what needs you, what runs, what comes next', async () => {
  const own = world();
  own.atWork.add('run-7');
  await own.add('done', { status: 'done' });
  await own.add('review', { status: 'pending-validation' });
  await own.add('held', { status: 'blocked' });
  await own.add('flop', { status: 'failed', failure_reason: 'exit code 2', completed_at: '2026-03-01T09:00:00Z' });
  await own.add('wanted', { status: 'failed', completed_at: '2026-03-01T09:30:00Z' });
  await own.add('runs', {
    status: 'in-progress',
    assigned: 'run-7',
    member: 'Trinity',
    started_at: '2026-03-01T09:58:00Z',
  });
  own.pass(1_000);
  await own.add('later', { after: ['runs'] });
  own.pass(1_000);
  await own.add('free', { after: ['done'] });
  await own.add('hopes', { after: ['wanted'], after_success: ['wanted'] });
  const now = await statusNow.run(own.context, {});
  expect(ids(now.needs_you)).toEqual(['review', 'held', 'wanted', 'flop']);
  expect(now.needs_you.rows[2]?.reason).toContain('1 waiting for it to succeed');
  expect(now.needs_you.rows[3]?.reason).toBe('exit code 2');
  expect(now.running.rows).toEqual([
    {
      ...{ id: 'runs', title: 'runs', state: 'in-progress', member: 'Trinity', run: 'run-7', live: true },
      ...{ since: '2026-03-01T09:58:00Z', acts: ['unclaim'] },
    },
  ]);
  expect(ids(now.ready)).toEqual(['free']);
  expect(ids(now.not_ready)).toEqual(['later', 'hopes']);
  expect(now.counts).toMatchObject({ open: 2, ready: 1, 'in-progress': 1, failed: 2, done: 1, blocked: 1 });
});

verifies('ui.status.why', 'whatever does not run says the one most useful reason', async () => {
  const own = world();
  own.atWork.add('agent-1');
  await own.add('z', { status: 'in-progress', assigned: 'agent-1' });
  await own.add('b');
  await own.add('c');
  await own.add('bad', { status: 'failed' });
  await own.add('one', { after: ['b'] });
  await own.add('two', { after: ['b', 'z'] });
  await own.add('many', { after: ['b', 'c', 'z'] });
  await own.add('hopes', { after: ['bad', 'z'], after_success: ['bad'] });
  await own.add('draft', { paused: true, after: ['z'] });
  await own.add('timed', { not_before: '2026-03-02T00:00:00Z' });
  const reasons = new Map((await graphPicture.run(own.context, {})).tasks.map((task) => [task.id, task.reason]));
  expect(reasons.get('one')).toBe('waits for b');
  expect(reasons.get('two')).toBe('waits for z and b');
  expect(reasons.get('many')).toBe('waits for z and 2 more');
  expect(reasons.get('hopes')).toBe('needs bad to succeed, and it did not');
  expect(reasons.get('draft')).toBe('paused: it starts when a person resumes it');
  expect(reasons.get('timed')).toBe('waits until 2026-03-02T00:00:00.000Z');
  expect(reasons.get('z')).toBeUndefined();
  expect(reasons.get('b')).toBeUndefined();
  const now = await statusNow.run(own.context, {});
  expect(now.not_ready.rows.every((row) => row.reason !== undefined)).toBe(true);
});

test('lists and pictures are bounded and say how much they leave out', async () => {
  const own = world();
  for (let index = 0; index < SURFACE_LIMITS.statusRows + 3; index++)
    await own.add(`t${String(index).padStart(3, '0')}`);
  await own.add('old', { status: 'done', completed_at: '2026-03-01T08:00:00Z' });
  await own.add('new', { status: 'done', completed_at: '2026-03-01T09:00:00Z' });
  const now = await statusNow.run(own.context, {});
  expect([now.ready.rows.length, now.ready.total]).toEqual([SURFACE_LIMITS.statusRows, SURFACE_LIMITS.statusRows + 3]);
  const small = await graphPicture.run(own.context, { limit: 10 });
  expect([small.tasks.length, small.total, small.left_out]).toEqual([10, 55, 45]);
  expect(small.tasks.every((task) => task.state === 'ready')).toBe(true);
  const whole = await graphPicture.run(own.context, {});
  expect(whole.tasks.slice(-2).map((task) => task.id)).toEqual(['new', 'old']);
  expect(graphPicture.input.safeParse({ limit: SURFACE_LIMITS.pictureTasks + 1 }).success).toBe(false);
});

verifies(
  'ui.web.room',
  'what failed or waits is in every picture; words and states are looked for in the whole graph',
  async () => {
    const own = world();
    for (let index = 0; index < 5; index++) await own.add(`ready-${index}`, { created_at: '2026-01-01T00:00:00Z' });
    await own.add('old', {
      status: 'failed',
      completed_at: '2020-01-01T00:00:00Z',
      created_at: '2026-02-01T00:00:00Z',
    });
    await own.add('asks', { status: 'waiting', created_at: '2026-03-01T00:00:00Z', title: 'Which Licence?' });
    const shown = async (input: Parameters<typeof graphPicture.run>[1]) => {
      const { tasks, left_out } = await graphPicture.run(own.context, input);
      return [...tasks.map(({ id }) => id), left_out];
    };
    expect(await shown({ limit: 1 })).toEqual(['old', 'asks', 5]);
    expect(await shown({ limit: 3 })).toEqual(['old', 'asks', 'ready-0', 4]);
    expect(await shown({ search: 'licence ASKS' })).toEqual(['asks', 0]);
    expect(await shown({ state: ['failed', 'ready'], limit: 2 })).toEqual(['old', 'ready-0', 4]);
    expect(await shown({ state: ['blocked'] })).toEqual([0]);
  },
);

test('a picture of cycles ends', async () => {
  const own = world();
  await own.add('a', { after: ['b'] });
  await own.add('b', { after: ['a', 'a'] });
  await own.add('self', { after: ['self', 'unknown'] });
  expect((await graphPicture.run(own.context, {})).tasks.map((task) => task.state)).toEqual(['open', 'open', 'open']);
});

test('the output of a task is what its holder printed, or whoever wrote its log last', async () => {
  const own = world();
  await own.add('a', {
    status: 'in-progress',
    assigned: 'run-2',
    log: [{ timestamp: '', actor: 'run-1', message: '' }],
  });
  await own.add('b', {
    status: 'done',
    log: [
      { timestamp: '', actor: 'run-1', message: '' },
      { timestamp: '', actor: 'run-3', message: '' },
      { timestamp: '', actor: 'you', message: 'looks good' },
    ],
  });
  await own.add('c');
  for (const run of ['run-1', 'run-2', 'run-3']) own.outputs.set(run, `of ${run}\n`);
  expect(await taskOutput.run(own.context, { id: 'a' })).toEqual({
    task: 'a',
    run: 'run-2',
    form: 'raw',
    text: 'of run-2\n',
    size: 9,
    next: 9,
    cut: false,
    running: false,
  });
  expect((await taskOutput.run(own.context, { id: 'b' })).run).toBe('run-3');
  expect(await taskOutput.run(own.context, { id: 'c' })).toMatchObject({ run: null, text: '', cut: false });
  expect(await taskOutput.run(own.context, { id: 'a', bytes: 3 })).toMatchObject({ text: '-2\n', size: 9, cut: true });
  await expect(taskOutput.run(own.context, { id: 'aa' })).rejects.toMatchObject({
    code: 'unknown_task',
    hint: 'Did you mean a?',
  });
});

verifies('sec.path.escape', 'a run id that a hand wrote into the graph never becomes a path', async () => {
  const own = world();
  const asked: string[] = [];
  const runs = async () => ({
    ...NO_RUNS,
    part: async (run: string) => {
      asked.push(run);
      return undefined;
    },
  });
  await own.add('a', {
    assigned: '../../etc/passwd',
    log: ['/etc/passwd', '..', 'a/../b', 'a..b', '-rf', 'a\u0000b', 'ok-1.2'].map((actor) => ({
      timestamp: '',
      actor,
      message: '',
    })),
  });
  await taskOutput.run({ ...own.context, runs }, { id: 'a' });
  expect(new Set(asked)).toEqual(new Set(['ok-1.2']));
});

verifies('sec.csp', 'terminal escapes in the output of a program are dropped or shown, never kept', async () => {
  const own = world();
  await own.add('a', { assigned: 'run-1' });
  own.outputs.set(
    'run-1',
    '\u001b[31mred\u001b[0m \u001b]8;;http://evil\u0007link\u001b]8;;\u0007\u001b]0;title\u001b\\ 10%\r 50%\r100%\r\nnext\u0007\u202e\u001b[2Jend\u001b',
  );
  expect((await taskOutput.run(own.context, { id: 'a' })).text).toBe('100%\nnext\\u{7}\\u{202e}end\\u{1b}');
});

test('what is not ready stands in the order of the work, whatever was written down first', async () => {
  const own = world();
  await own.add('runs', { status: 'in-progress' });
  await own.add('accept', { after: ['write'] });
  own.pass(1_000);
  await own.add('write', { after: ['runs', 'look'] });
  own.pass(1_000);
  await own.add('look', { after: ['runs', 'gone'] });
  await own.add('ring-a', { after: ['ring-b'] });
  await own.add('ring-b', { after: ['ring-a', 'runs'] });
  const now = await statusNow.run(own.context, {});
  const order = ids(now.not_ready);
  expect(order.indexOf('look')).toBeLessThan(order.indexOf('write'));
  expect(order.indexOf('write')).toBeLessThan(order.indexOf('accept'));
  expect([...order].sort()).toEqual(['accept', 'look', 'ring-a', 'ring-b', 'write']);
});

verifies('status.truth', 'running is what a run is at work on; a claim alone is said to be one', async () => {
  const own = world();
  own.atWork.add('agent-1');
  const held = (assigned: string) => ({ status: 'in-progress', assigned, exec: 'make' });
  await own.add('alive', held('agent-1'));
  await own.add('dead', held('agent-2'));
  await own.add('ann', held('ann'));
  const rows = async (context = own.context) => {
    const now = await statusNow.run(context, {});
    const listed = await list.run(context, {});
    const pictured = await graphPicture.run(context, {});
    expect(pictured.tasks.map(({ id, live }) => [id, live])).toEqual(listed.tasks.map(({ id, live }) => [id, live]));
    for (const { id, live } of listed.tasks) expect((await show.run(context, { id })).live, id).toBe(live);
    return { needs: ids(now.needs_you), running: now.running.rows.map(({ id, live }) => [id, live]) };
  };
  expect(await rows()).toEqual({
    needs: ['dead'],
    running: [
      ['alive', true],
      ['ann', false],
    ],
  });
  expect((await statusNow.run(own.context, {})).needs_you.rows[0]?.reason).toBe('agent-2 holds it but is not running');
  own.atWork.delete('agent-1');
  expect((await rows()).needs).toEqual(['alive', 'dead']);
  // With a coordinator its own picture counts: what it has just asked for has no process yet.
  const row = { executor: 'shell', started_at: '2026-03-01T09:58:00Z' };
  const context: Context = {
    ...own.context,
    coordinator: () => ({
      ...{
        paused: false,
        maxAgents: 2,
        holds: [],
        standIns: [],
        lostStandIns: [],
        sessionClients: new Set<string>(),
      },
      ...NO_ACTS,
      spending: NO_ACTS.inForce,
      agents: async () => [
        { ...row, id: 'agent-1', task_id: 'alive', status: 'starting' },
        { ...row, id: 'agent-2', task_id: 'dead', status: 'dead' },
      ],
    }),
  };
  expect(await rows(context)).toEqual({
    needs: [],
    running: [
      ['alive', true],
      ['ann', false],
      ['dead', false],
    ],
  });
});

verifies('status.truth', 'no word for a task in progress claims that it runs, unless somebody looked', () => {
  for (const state of SHOWN_STATES) expect(STATUS_LOOK[state].word).not.toBe('running');
  expect(
    ['in-progress' as const].flatMap((state) => [true, false, undefined].map((live) => wordOf(state, live, undefined))),
  ).toEqual(['running', 'claimed', 'in progress']);
});

verifies('ui.status.true', '`show` says what `why` says first, of whatever somebody has to decide', async () => {
  const own = world();
  await own.add('free', { exec: 'true' });
  await own.add('hers', { human: true });
  await own.add('review', { status: 'pending-validation', verify: 'It reads well', fence: 1 });
  await own.add('flop', { status: 'failed', failure_reason: 'exit code 2' });
  await own.add('held', { status: 'blocked' });
  for (const id of ['review', 'flop', 'held']) {
    const [first] = await why.run(own.context, { id });
    const shown = await show.run(own.context, { id });
    expect(shown['why'], id).toBe(first?.text);
  }
  await own.add('later', { after: ['free'] });
  expect((await show.run(own.context, { id: 'later' }))['why']).toBeUndefined();
});

verifies(
  'roles.rule.identity',
  'what only a person decides about roles is said beside the tasks that need them',
  async () => {
    const own = world();
    const files = (await own.context.roleFiles()) as RolesInMemory;
    expect((await statusNow.run(own.context, {})).roles).toEqual({ rows: [], total: 0 });
    const lesson = '- learnings:\n  - 2026-02-01 — Ask for the number.\n';
    files.texts.set('.claude/roles/skeptic.md', '# skeptic\n\n## Charter\n\nDoubts.\n');
    files.texts.set(
      '.claude/roles/crew.md',
      `### doubter\n- role: skeptic\n- status: stable\n- runs: clean 3, thin 0, cuts 3\n${lesson}`,
    );
    files.texts.set('.claude/roles/panel.md', `### skeptic\n- role: skeptic\n- status: stable\n${lesson}`);
    const { id } = await rolesPropose.run(own.context, { role: 'skeptic', section: 'charter', text: 'Asks.' });
    const { roles } = await statusNow.run(own.context, {});
    expect(roles.rows.map(({ kind, command }) => [kind, command])).toEqual([
      ['proposal', `troupe roles proposals ${id} --accept`],
      ['graduate', 'troupe roles graduate c1'],
      ['retire', 'troupe roles retire doubter --lane crew'],
    ]);
    expect(roles.rows[1]?.text).toBe('skeptic learned in crew, panel: "Ask for the number."');
    // What was decided is gone, and so is what the files say no more.
    await rolesReject.run(own.context, { id });
    files.texts.delete('.claude/roles/panel.md');
    expect((await statusNow.run(own.context, {})).roles.rows.map(({ kind }) => kind)).toEqual(['retire']);
  },
);

verifies(
  'wait.person',
  'what needs you holds every decision a person owes, each once, with the command that gives it',
  async () => {
    const own = world();
    const wait = (type: string) => ({ condition: 'all', conditions: [{ type }], since: '2026-03-01T09:00:00Z' });
    await own.add('decide', { human: true } as never);
    await own.add('later', { human: true, after: ['decide'] } as never);
    await own.add('asks', {
      status: 'waiting',
      checkpoint: 'Which\ngrammar?',
      wait_condition: wait('human-input'),
    } as never);
    await own.add('heard', {
      status: 'waiting',
      wait_condition: { ...wait('human-input'), conditions: [{ type: 'human-input', seen: true }] },
    } as never);
    await own.add('mail', { status: 'waiting', wait_condition: wait('message') } as never);
    for (const id of ['next-1', 'next-2'])
      await own.add(id, { paused: true, formation_gate: { run: 'crew-2', command: 'start' } } as never);
    const { needs_you, ready, counts } = await statusNow.run(own.context, {});
    expect(ids(needs_you)).toEqual(['asks', 'decide', 'next-1']);
    const reasons = Object.fromEntries(needs_you.rows.map(({ id, reason }) => [id, reason]));
    expect(reasons['asks']).toBe('it asks: Which grammar? (`troupe answer asks "…"`)');
    expect(reasons['next-1']).toBe('it waits for `troupe playbook accept crew-2`');
    expect(needs_you.rows.find(({ id }) => id === 'decide')).toMatchObject({ state: 'ready', done_by: 'person' });
    expect([ids(ready), counts.ready], 'it can be claimed as well').toEqual([['decide'], 1]);
  },
);

verifies('pay.words', 'a hold that another client bridges is told, and holds no task up', async () => {
  const own = world();
  await own.add('a', {});
  await own.add('named', { model: 'opus' });
  const now = own.clock.now();
  const hold = {
    client: 'claude',
    trouble: 'weekly-limit',
    since: now,
    until: now + 60_000,
    pauseMs: 60_000,
    run: 'agent-1',
  } as const;
  const told = async (
    standIns: readonly string[],
    holds: readonly ClientHold[],
    lostStandIns: readonly string[] = [],
  ) => {
    own.coordinate({ executor: 'claude', holds, standIns, lostStandIns });
    const { held_clients: held } = await statusNow.run(own.context, {});
    return held.map(({ text }) => text.replace(/since \d\d:\d\d UTC/, 'since T'));
  };
  expect(await told([], [hold])).toEqual(['claude: the weekly limit is reached since T; 2 tasks wait']);
  expect(await told(['codex'], [hold])).toEqual(['claude: the weekly limit is reached since T; 1 task waits']);
  await own.set('named', { status: 'done' });
  expect(await told(['codex'], [hold])).toEqual(['claude: the weekly limit is reached since T; codex takes over']);
  expect(await told(['codex'], [hold, { ...hold, client: 'codex' }]), 'which is held too').toHaveLength(1);
  expect(await told(['codex'], [{ ...hold, trouble: 'key-refused' }])).toEqual([
    'claude: the key is refused since T; 1 task waits',
  ]);
  const lost = 'codx cannot take over: There is no executor "codx". Did you mean codex?';
  await told([], [hold], [lost]);
  const { held_clients: held } = await statusNow.run(own.context, {});
  expect(held[0]?.remedy, 'who was to take over and cannot').toContain(lost);
  const [reason] = await why.run(own.context, { id: 'a' });
  expect(reason?.text).toContain(lost);
  expect((await problems.run(own.context, {})).problems).toContainEqual(
    expect.objectContaining({ kind: 'client', text: expect.stringContaining(lost) }),
  );
});

verifies(
  'wait.all',
  'what keeps ready tasks from being started is told alike by why, status and problems',
  async () => {
    const own = world();
    for (const id of ['x', 'y', 'z', 'night', 'day', 'lost', 'free'])
      await own.add(id, { tags: [id], ...(id === 'lost' ? { agent: 'gone' } : {}) } as never);
    own.coordinate({ executor: 'claude', holds: [] });
    const { context } = own;
    const standing = context.coordinator?.();
    const session = { ...REST, max_agents: 1 };
    const sessions = [
      { ...session, id: 1, scope: { tags: ['night'], roots: [] }, executor: 'codex' },
      { ...session, id: 2, scope: { tags: ['day'], roots: [] }, paused: true },
    ];
    const taken = 'wg/y/1 is checked out in /tmp/y.';
    const full = 'There is no space left.';
    const unprepared = new Map([
      ['y', full],
      ['z', full],
      ['x', taken],
    ]);
    const agency = { ...NO_AGENCY };
    const served = { ...context, coordinator: () => ({ ...standing, sessions, unprepared, agency }) } as Context;
    const causes = {
      x: ['no run could be prepared: wg/y/1 is checked out in /tmp/y', 'troupe spawn x'],
      y: ['no run could be prepared: There is no space left', 'troupe spawn y'],
      night: ['codex, the client of its session 1, cannot be started here', 'troupe executor list'],
      day: ['its session 2 is paused', 'troupe service coordinators 2 --state running'],
      lost: ['it is assigned to gone, which does not exist', 'troupe assign lost --auto'],
    };
    const told = (await problems.run(served, {})).problems;
    const { needs_you } = await statusNow.run(served, {});
    expect(ids(needs_you).sort()).toEqual(Object.keys(causes).sort());
    for (const [id, [cause = '', command]] of Object.entries(causes)) {
      const [fact] = await why.run(served, { id });
      expect(fact?.text).toContain(cause);
      expect(fact?.text).toContain(`\`${command}\``);
      expect(told.filter(({ task }) => task === id)).toMatchObject([{ text: expect.stringContaining(cause), command }]);
      const row = needs_you.rows.find((one) => one.id === id);
      expect(row).toMatchObject({ reason: expect.stringContaining(cause), command });
    }
    expect(told.find(({ task }) => task === 'y')?.text, 'one row for one cause').toContain('It and 1 more are ready');
  },
);

verifies(
  'wait.all',
  'what waits for itself for ever is among what needs you, with the command that ends it',
  async () => {
    const own = world();
    await own.add('a');
    await own.add('b', { after: ['a'] });
    await own.set('a', { after: ['b'] } as never);
    for (const id of ['lead', 'helper']) await own.add(id, { status: 'waiting' } as never);
    const open = [
      { openedBy: 'lead', taskId: 'helper', kind: 'request' },
      { openedBy: 'helper', taskId: 'lead', kind: 'question' },
    ];
    const mail = { ...(await own.context.mail()), open: async () => open } as never;
    const { needs_you } = await statusNow.run({ ...own.context, mail: async () => mail }, {});
    expect(needs_you.rows.map(({ id, reason, command }) => [id, reason, command])).toEqual([
      [
        'a',
        '2 tasks wait for one another, so none can start: a, b: `troupe edit a --max-iterations 3`',
        'troupe edit a --max-iterations 3',
      ],
      [
        'lead',
        expect.stringContaining("It and helper wait for one another's answers"),
        'troupe answer lead "Answer the question you were asked, then go on."',
      ],
    ]);
  },
);
