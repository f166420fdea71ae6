import { expect, test } from 'vitest';
import { answerCommand, asksPerson, questionOf, takeCommand } from '#core/graph/asks-person.js';
import { TaskTable } from '#core/graph/task-table.js';
import { type Coordination, coordinationOf, holdText, NO_COORDINATION } from '#core/insight/coordination.js';
import { doerOf } from '#core/insight/done-by.js';
import { obstacles } from '#core/insight/obstacles.js';
import { standstills } from '#core/insight/standstill.js';
import { selectTasks } from '#core/insight/task-selection.js';
import { waitingCircles } from '#core/insight/waiting-circle.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW, type TaskFields } from '../graph/graph.js';

const AT_WORK: Coordination = { ...NO_COORDINATION, running: true, most: 2, executor: 'claude' };
const taskWith = (fields: TaskFields = {}) => {
  const task = graphOf({ id: 'a', ...fields }).task('a');
  if (task === undefined) throw new Error('there is no task');
  return task;
};
const hold = (since: number) => ({
  ...{ client: 'claude', text: 'claude: the key is refused', remedy: 'mend the key', since },
  until: NOW + 60_000,
});

const HELD: readonly [string, Partial<Coordination>, TaskFields, object][] = [
  ['nothing', {}, {}, { code: 'slots', text: 'and about to be started: `troupe service tick` starts it now.' }],
  [
    'an unknown command',
    { waitsForTrust: () => true },
    { exec: 'x' },
    { code: 'trust', text: /command is not trusted/ },
  ],
  [
    'no client',
    { executor: undefined, missing: { text: 'x is gone', command: 'y' } },
    {},
    { code: 'executor', text: /can run it: x is gone$/ },
  ],
  [
    'a line-up',
    {},
    { formation_gate: { run: 'r 1', command: 'start' } },
    { code: 'executor', text: /only a person lets it go on: `troupe playbook accept 'r 1'`\.$/ },
  ],
  ['a person', {}, { human: true, member: 'ann' }, { code: 'executor', text: /for ann.*`troupe claim a --actor ann`/ }],
  ['nobody', { executor: undefined }, {}, { code: 'executor', text: /no command and no member: `troupe claim a`/ }],
  ['no service', { running: false }, {}, { code: 'service-down', text: /`troupe service start`/ }],
  ['a paused one', { paused: true }, {}, { code: 'service-paused', text: /`troupe service resume`/ }],
  [
    'silence',
    { backOffUntil: NOW + 1 },
    {},
    { code: 'back-off', text: /before 2026-03-21T10:00:00.001Z/, until: '2026-03-21T10:00:00.001Z' },
  ],
  ['silence that is over', { backOffUntil: NOW }, {}, { code: 'slots' }],
  [
    'its client',
    { holdOf: () => hold(NOW) },
    {},
    { code: 'provider', text: /the key is refused: mend the key\.$/, until: '2026-03-21T10:01:00.000Z' },
  ],
  ['its client, which a command does not need', { holdOf: () => hold(NOW) }, { exec: 'x' }, { code: 'slots' }],
  [
    'its session',
    { pausedSession: () => 's1' },
    {},
    {
      code: 'session-paused',
      text: /its session s1 is paused: `troupe service coordinators s1 --state running`\.$/,
    },
  ],
  [
    'an absent client',
    { absentClient: () => 'q is away' },
    {},
    { code: 'executor', text: /q is away: .* tells why\.$/ },
  ],
  ['an absent client of no use', { absentClient: () => 'q is away' }, { exec: 'x' }, { code: 'slots' }],
  [
    'its preparation',
    { unprepared: new Map([['a', 'no room.']]) },
    {},
    { code: 'executor', text: /prepared: no room: `troupe spawn a` retries now, the service later\.$/ },
  ],
  [
    'its agent',
    { missingAgent: () => 'abcdef0123456789' },
    {},
    { code: 'executor', text: /to abcdef012345, which does not exist: `troupe assign a --auto` chooses another, `/ },
  ],
  ['an agent of no use', { missingAgent: () => 'abcdef' }, { exec: 'x' }, { code: 'slots' }],
  ['much work', { full: () => 'ann has 2' }, {}, { code: 'capacity', text: 'It is ready, but ann has 2.' }],
  [
    'much work of no matter',
    { full: () => 'ann has 2' },
    { exec: 'x' },
    { code: 'slots', text: /about to be started/ },
  ],
  [
    'the budget',
    { refusal: () => ({ cap: 'usd_per_day', wanted: 3.2, text: 'too much' }) as never },
    {},
    { code: 'budget', text: /too much; more at 00:00 UTC. `troupe config set budget.usd_per_day 4` allows it\.$/ },
  ],
  ['one slot', { alive: 1, most: 1 }, {}, { code: 'slots', text: /the only slot is taken/ }],
  ['all slots', { alive: 2 }, {}, { code: 'slots', text: /all 2 slots are taken/ }],
];

test.each(HELD)(
  'a ready task says what holds it: %s',
  (_, coordination, fields, { text, ...said }: { text?: unknown }) => {
    const [only, ...others] = coordinationOf(taskWith(fields), { ...AT_WORK, ...coordination }, NOW);
    expect(others).toEqual([]);
    const { text: words, code, until } = only;
    expect({ code, ...(until === undefined ? {} : { until }) }).toEqual(said);
    if (text instanceof RegExp) expect(words).toMatch(text);
    else if (text !== undefined) expect(words).toBe(words.startsWith(String(text)) ? text : `It is ready ${text}`);
  },
);

verifies('hold.missing', 'a ready task says in a few words who does it, and what it really waits for', () => {
  const named = { ...AT_WORK, clientOf: () => 'qwen' };
  const briefs = HELD.map(([name, coordination, fields]) => {
    const [{ brief }] = coordinationOf(taskWith(fields), { ...named, ...coordination }, NOW);
    return `${name}: ${brief}`;
  });
  expect(briefs).toMatchInlineSnapshot(`
    [
      "nothing: for qwen, when a slot is free",
      "an unknown command: its command is not trusted on this machine",
      "no client: waits for a client",
      "a line-up: for a person",
      "a person: for a person",
      "nobody: for a person",
      "no service: for qwen, when a service is started",
      "a paused one: for qwen, when the service is resumed",
      "silence: for qwen, after 2026-03-21T10:00:00.001Z",
      "silence that is over: for qwen, when a slot is free",
      "its client: waits for claude: the key is refused",
      "its client, which a command does not need: its command runs when a slot is free",
      "its session: its session s1 is paused",
      "an absent client: q is away",
      "an absent client of no use: its command runs when a slot is free",
      "its preparation: no run could be prepared: no room",
      "its agent: it is assigned to abcdef012345, which does not exist",
      "an agent of no use: its command runs when a slot is free",
      "much work: ann has 2",
      "much work of no matter: its command runs when a slot is free",
      "the budget: for qwen, when the budget allows it",
      "one slot: for qwen, when a slot is free",
      "all slots: for qwen, when a slot is free",
    ]
  `);
});

test('who does a task', () => {
  const doer = (fields: TaskFields, client = {}) => doerOf(taskWith(fields), client);
  const claude = { executor: 'claude' };
  expect(doer({ exec: 'make', human: true })).toBe('command');
  expect([doer({}), doer({}, claude), doer({}, { missing: { text: 'gone', command: 'y' } })]).toEqual([
    'person',
    'client',
    'client',
  ]);
  expect([doer({ human: true }, claude), doer({ exec_mode: 'shell' }, claude)]).toEqual(['person', 'person']);
  expect(doer({ team: 't', verify: 'read' }, claude)).toBe('person');
});

test('a hold is told with how many wait', () => {
  expect(holdText(hold(NOW), 1)).toBe('claude: the key is refused; 1 task waits');
  expect(holdText(hold(NOW), 2)).toBe('claude: the key is refused; 2 tasks wait');
});

test('a run that waits for a word of a person asks it in one line', () => {
  const asks = (status: 'waiting' | 'open', ...conditions: object[]) =>
    asksPerson(taskWith({ status, wait_condition: { conditions } as never }));
  const human = { type: 'human-input' };
  expect(asks('waiting', { type: 'timer' }, human)).toBe(true);
  expect([asks('open', human), asks('waiting', { ...human, seen: true }), asks('waiting', { type: 'timer' })]).toEqual([
    ...[false, false, false],
  ]);
  expect(asksPerson(taskWith({ status: 'waiting', wait_condition: { conditions: 'x' } as never }))).toBe(false);
  expect(questionOf(taskWith({ checkpoint: ' Tabs\n or  spaces? ' }))).toBe('Tabs or spaces?');
  expect([questionOf(taskWith({ checkpoint: ' ' })), questionOf(taskWith())]).toEqual([undefined, undefined]);
  const long = questionOf(taskWith({ checkpoint: 'x'.repeat(TEAM_LIMITS.executorReasonCharacters + 1) })) ?? '';
  expect(long.length).toBeLessThanOrEqual(TEAM_LIMITS.executorReasonCharacters);
  expect(answerCommand(taskWith())).toBe('troupe answer a "Decide yourself, and report how it ends."');
  expect([takeCommand('a', undefined), takeCommand('a', 'c')]).toEqual(['troupe claim a', 'troupe answer a "…"']);
});

test('what keeps ready tasks is told once for each cause, of the first of them', () => {
  const graph = graphOf(
    { id: 'b', created_at: '2026-03-01T00:00:00.000Z' },
    { id: 'a', created_at: '2026-03-02T00:00:00.000Z' },
    { id: 'later', after: ['a'] },
    { id: 'mine', session: 's' },
    { id: 'unknown', exec: 'x', session: 's' },
  );
  const told = obstacles(
    graph,
    {
      ...AT_WORK,
      absentClient: ({ id }) => (id === 'mine' ? undefined : 'q is away'),
      pausedSession: ({ id }) => (id === 'mine' || id === 'unknown' ? 's1' : undefined),
      waitsForTrust: ({ id }) => id === 'unknown',
    },
    NOW,
  );
  expect(told.map(({ task, ...rest }) => ({ task: task.id, ...rest }))).toEqual([
    {
      ...{ task: 'a', kind: 'executor', since: '2026-03-02T00:00:00.000Z', command: 'troupe executor list' },
      text: 'It and 1 more are ready, but q is away',
    },
    {
      ...{
        task: 'mine',
        kind: 'service',
        since: undefined,
        command: 'troupe service coordinators s1 --state running',
      },
      text: 'It is ready, but its session s1 is paused',
    },
  ]);
});

test('what can never start says so, with the command that helps', () => {
  const ring = ['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((id, at, ids) => ({ id, after: [ids.at(at - 1) ?? ''] }));
  const waits = (id: string, since?: string) => ({
    ...{ id, status: 'waiting' as const, wait_condition: { conditions: [], ...(since ? { since } : {}) } as never },
  });
  const graph = graphOf(
    { id: 'a b', after: ['a b'], created_at: '2026-03-01T00:00:00.000Z' },
    ...ring,
    { id: 'fine', after: ['fine'], cycle_config: { max_iterations: 2 } },
    waits('x', '2026-03-03T00:00:00.000Z'),
    waits('y'),
  );
  const awaited = [
    { task: 'x', from: 'y', askedBack: false },
    { task: 'y', from: 'x', askedBack: true },
  ];
  expect(standstills(new TaskTable(graph), awaited).map(({ task, ...rest }) => ({ task: task.id, ...rest }))).toEqual([
    {
      ...{ task: 'c', kind: 'blocked', since: undefined, command: 'troupe edit c --max-iterations 3' },
      text: `7 tasks wait for one another, so none can start: ${'cdefghi'.slice(0, WORK_LIMITS.cycleMembersTold).split('').join(', ')}`,
    },
    {
      ...{
        task: 'a b',
        kind: 'blocked',
        since: '2026-03-01T00:00:00.000Z',
        command: "troupe edit 'a b' --remove-after 'a b'",
      },
      text: 'It waits for itself and can never start',
    },
    {
      ...{ task: 'x', kind: 'person', since: '2026-03-03T00:00:00.000Z' },
      command: 'troupe answer x "Answer the question you were asked, then go on."',
      text: "It and y wait for one another's answers",
    },
  ]);
});

test('circles of answers begin with whoever was asked back; what a run is still at is in none', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const graph = graphOf(
    ...ids.map((id) => ({ id, status: id === 'f' ? ('in-progress' as const) : ('waiting' as const) })),
  );
  const edge = (task: string, from: string, askedBack = false) => ({ task, from, askedBack });
  const circles = (...awaited: ReturnType<typeof edge>[]) => waitingCircles(graph, awaited);
  expect(circles(edge('a', 'b'), edge('b', 'c'), edge('c', 'a'))).toEqual([['a', 'b', 'c']]);
  expect(circles(edge('a', 'b'), edge('b', 'c', true), edge('c', 'a'))).toEqual([['c', 'a', 'b']]);
  expect(circles(edge('b', 'a', true), edge('a', 'b'))).toEqual([['a', 'b']]);
  expect(circles(edge('a', 'b'), edge('b', 'c'))).toEqual([]);
  expect(circles(edge('a', 'f'), edge('f', 'a'))).toEqual([]);
  expect(circles(edge('a', 'd'), edge('a', 'b'), edge('b', 'a'), edge('c', 'a'))).toEqual([['a', 'b']]);
  expect(circles(edge('a', 'b'), edge('b', 'a'), edge('d', 'e'), edge('e', 'd'))).toEqual([
    ['a', 'b'],
    ['d', 'e'],
  ]);
});

test('a picture shows trees in which something is left to do, or those that were asked for', () => {
  const graph = graphOf(
    { id: 'b', after: ['a'] },
    { id: 'a', status: 'done' },
    { id: 'over', status: 'done' },
    { id: 'over-too', after: ['over'], status: 'abandoned' },
    { id: 'bad', status: 'failed' },
    { id: '.place-b', after: ['b'] },
  );
  const select = (more: object = {}) => {
    const { tasks, ...counts } = selectTasks(graph, { finished: false, internal: false, matches: () => true, ...more });
    return { ids: tasks.map(({ id }) => id), ...counts };
  };
  expect(select()).toEqual({ ids: ['a', 'b', 'bad'], total: 6, finished: 2, internal: 1 });
  expect(select({ finished: true })).toEqual({
    ...{ ids: ['a', 'b', 'bad', 'over', 'over-too'], total: 6, finished: 0, internal: 1 },
  });
  expect(select({ internal: true }).ids).toEqual(['.place-b', 'a', 'b', 'bad']);
  expect(select({ ids: ['over'] })).toEqual({ ids: ['over', 'over-too'], total: 6, finished: 0, internal: 1 });
  expect(select({ ids: ['.place-b'] })).toMatchObject({ ids: ['.place-b', 'a', 'b'], internal: 0 });
  expect(select({ matches: ({ status }: { status: string }) => status === 'done' })).toMatchObject({
    ...{ ids: ['a'], finished: 2 },
  });
});
