import { expect, test } from 'vitest';
import { NO_COORDINATION } from '#core/insight/coordination.js';
import { type ProblemFacts, problemsOf } from '#core/insight/problems.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';

const QUIET: ProblemFacts = {
  coordination: { running: true, paused: false, alive: 0, most: 4, executor: 'claude', waitsForTrust: () => false },
  live: new Set(),
  stalled: new Map(),
  unmerged: [],
  awaited: [],
  toLand: 0,
};
const AT = '2026-03-21T09:58:00.000Z';

function found(tasks: (TaskFields & { id: string })[], facts: Partial<ProblemFacts> = {}) {
  return problemsOf(graphOf(...tasks), { ...QUIET, ...facts }, NOW);
}
const briefly = (problems: ReturnType<typeof found>) =>
  problems.map(({ kind, task, command }) => [kind, task, command]);

test('work that goes on by itself is no problem', () => {
  const tasks = [
    { id: 'done', status: 'done' },
    { id: 'over', status: 'done', formation_gate: { run: 'crew-1', command: 'start' } },
    { id: 'dropped', status: 'abandoned', formation_gate: { run: 'crew-1', command: 'start' } },
    { id: 'ready', exec: 'true' },
    { id: 'model' },
    { id: 'later', after: ['ready'] },
    { id: 'runs', status: 'in-progress', assigned: 'agent-1' },
    {
      id: 'timed',
      status: 'waiting',
      wait_condition: { mode: 'all', since: AT, conditions: [{ type: 'timer', resume_after: AT }] },
    },
  ] as const;
  expect(found([...(tasks as never)])).toEqual([]);
});

test('each thing that waits for a person stands there once, with the one command that helps', () => {
  const problems = found(
    [
      { id: 'flop', status: 'failed', failure_reason: 'no network', completed_at: AT },
      { id: 'hopes', after: ['flop'], after_success: ['flop'] },
      { id: 'review', status: 'pending-validation', verify: 'read it', completed_at: AT },
      { id: 'held', status: 'blocked' },
      { id: 'hers', human: true, member: 'Ann' },
      { id: 'has', status: 'in-progress', assigned: 'ann', started_at: AT },
      { id: 'lost', status: 'in-progress', assigned: 'agent-9', started_at: AT },
      { id: 'draft', paused: true },
      {
        id: 'asks',
        status: 'waiting',
        wait_condition: { mode: 'all', since: AT, conditions: [{ type: 'human-input' }] },
      },
    ],
    {
      stalled: new Map([['lost', 'agent-9 is not at work']]),
      unmerged: [{ task: 'lost', attempt: 2, why: '3 commits' }],
      toLand: 2,
    },
  );
  expect(briefly(problems)).toEqual([
    ['failed', 'flop', 'troupe retry flop'],
    ['stalled', 'lost', 'troupe unclaim lost'],
    ['review', 'review', 'troupe approve review'],
    ['person', 'hers', 'troupe claim hers'],
    ['person', 'asks', 'troupe answer asks "Decide yourself, and report how it ends."'],
    ['person', 'has', 'troupe show has'],
    ['blocked', 'held', 'troupe reopen held'],
    ['parked', 'draft', 'troupe resume draft'],
    ['unmerged', 'lost', 'troupe worktree show lost'],
    ['unlanded', null, 'troupe worktree land'],
  ]);
  expect(problems.map(({ text }) => text).join('\n')).toContain('no network; 1 waiting for it to succeed');
});

test('what stops everything comes first: no service, a pause, no client, no budget', () => {
  const tasks = [{ id: 'command', exec: 'true' }, { id: 'model' }];
  expect(briefly(found(tasks, { coordination: NO_COORDINATION }))).toEqual([
    ['service', null, 'troupe service start'],
    ['person', 'model', 'troupe claim model'],
  ]);
  const coordination = { ...QUIET.coordination, paused: true, backOffUntil: NOW + 60_000 };
  expect(briefly(found(tasks, { coordination }))).toEqual([
    ['service', null, 'troupe service resume'],
    ['service', null, 'troupe agents --all'],
  ]);
  const refusal = () => ({ text: '2 of 2 today is spent', cap: 'usd_per_day' as const, wanted: 3 });
  expect(found(tasks, { coordination: { ...QUIET.coordination, refusal } })).toMatchObject([
    {
      text: 'The budget holds 1 ready task: 2 of 2 today is spent; more at 00:00 UTC',
      command: 'troupe config set budget.usd_per_day 3',
    },
  ]);
  const { executor: _none, ...without } = QUIET.coordination;
  expect(
    found(tasks, { coordination: { ...without, missing: { text: 'claude is not installed', command: 'y' } } }).map(
      ({ text }) => text,
    ),
  ).toEqual(['No client can run 1 ready task: claude is not installed']);
});

verifies('meta.evaluate', 'that nobody can score is said once, however much there is to be scored', () => {
  const coordination = { ...QUIET.coordination, unjudged: 'There is no key for anthropic.' };
  const problems = found(
    [
      { id: 'a', exec: 'true' },
      { id: 'b', exec: 'true' },
    ],
    { coordination },
  );
  expect(briefly(problems)).toEqual([['executor', null, 'troupe config set agency.auto_evaluate false']]);
  expect(problems[0]?.text).toContain('There is no key for anthropic.');
});

verifies('ui.status.true', 'what failed comes first, and ready work is one line', () => {
  const tasks = [
    { id: 'a', human: true },
    { id: 'b', human: true },
    { id: 'c', exec: 'true' },
    { id: 'flop', status: 'failed', completed_at: AT },
  ] as const;
  const problems = found([...tasks], { coordination: { ...QUIET.coordination, running: false } });
  expect(problems.map(({ kind, task, text, command }) => [kind, task, text, command])).toEqual([
    ['failed', 'flop', 'It failed without a reason', 'troupe retry flop'],
    ['service', null, 'No service is running, and 1 ready task could run', 'troupe service start'],
    ['person', null, '2 ready tasks wait for a person', 'troupe ready'],
  ]);
});

verifies('wait.all', 'tasks that wait for one another are one row, and what it advises ends that', () => {
  const rows = (...tasks: Parameters<typeof graphOf>) => problemsOf(graphOf(...tasks), QUIET, NOW);
  const loop = [
    { id: 'a', after: ['b'] },
    { id: 'b', after: ['a'] },
  ];
  expect(rows(...loop)).toMatchObject([
    {
      kind: 'blocked',
      task: 'a',
      text: '2 tasks wait for one another, so none can start: a, b',
      command: 'troupe edit a --max-iterations 3',
    },
  ]);
  expect(rows({ id: 'a', after: ['b'], cycle_config: { max_iterations: 3 } }, { id: 'b', after: ['a'] })).toEqual([]);
  expect(rows({ id: 'a', after: ['a'] })).toMatchObject([{ task: 'a', command: 'troupe edit a --remove-after a' }]);
  expect(rows({ id: 'a', after: ['b'], status: 'done' }, { id: 'b', after: ['a'], status: 'done' })).toEqual([]);
});

verifies('wait.all', 'runs that wait for one another’s answers are one row, which has the asked one answer', () => {
  const tasks = [{ id: 'a-child' }, { id: 'lead' }, { id: 'other' }].map((task) => ({
    ...task,
    status: 'waiting' as const,
  }));
  const awaited = [
    { task: 'lead', from: 'a-child', askedBack: false },
    { task: 'a-child', from: 'lead', askedBack: true },
    { task: 'lead', from: 'other', askedBack: false },
  ];
  const rows = (status: string) =>
    problemsOf(
      graphOf(...tasks.map((task) => (task.id === 'lead' ? { ...task, status } : task) as never)),
      { ...QUIET, awaited },
      NOW,
    )
      .filter(({ text }) => /answers/.test(text))
      .map(({ task, text, command }) => ({ task, text, command }));
  expect(rows('waiting')).toEqual([
    {
      task: 'lead',
      text: "It and a-child wait for one another's answers",
      command: 'troupe answer lead "Answer the question you were asked, then go on."',
    },
  ]);
  expect(rows('in-progress'), 'it is at work, and may answer').toEqual([]);
});

test('each case of each kind, in the order in which a person should look at them', () => {
  const asks = (...types: string[]) => ({
    ...{ status: 'waiting' as const },
    wait_condition: { mode: 'all' as const, since: AT, conditions: types.map((type) => ({ type })) as never },
  });
  const gate = (command: string) => ({ paused: true, formation_gate: { run: 'crew-1', command } }) as never;
  const review = { status: 'pending-validation' as const };
  const tasks = [
    { id: 'edited', unverified_edit: { set: { exec: 'curl' }, unset: ['title'] } },
    { id: 'came', paused: true, unverified_edit: { set: {}, unset: [], whole: 'added' } },
    { id: 'went', status: 'done', unverified_edit: { set: {}, unset: [], whole: 'removed' } },
    { id: 'parked', paused: true, created_at: AT },
    { id: 'line-b', ...(gate('start') as object), created_at: AT },
    { id: 'line-a', ...(gate('start') as object) },
    { id: 'release', human: true, formation_gate: { run: 'crew-1', command: 'go' } },
    { id: 'her own', human: true, member: 'Ann' },
    { id: 'mail', ...asks('message') },
    { id: 'both', ...asks('timer', 'message') },
    { id: 'time', ...asks('timer', 'task-status') },
    { id: 'nothing', ...asks() },
    { id: 'asked', ...asks('human-input'), checkpoint: 'Which one?' },
    { id: 'asked-2', ...asks('human-input') },
    { id: 'failed', status: 'failed', failure_reason: '' },
    { id: 'failed-2', status: 'failed', failure_reason: 'exit code 2', completed_at: AT },
    { id: 'hopes', after: ['failed-2'], after_success: ['failed-2'] },
    { id: 'gave-up', status: 'abandoned', after: ['failed-2'], after_success: ['failed-2'] },
    { id: 'review', ...review },
    { id: 'review-2', ...review, verify: '', failure_reason: '' },
    { id: 'review-3', ...review, verify: 'Read it', log: [{ timestamp: AT, message: 'done' }] },
    { id: 'review-4', ...review, verify: 'Read it', failure_reason: 'red' },
    { id: 'blocked', status: 'blocked', started_at: AT },
    { id: 'ours', status: 'in-progress', assigned: 'Ann' },
    { id: 'nobodys', status: 'in-progress' },
    { id: 'lost', status: 'in-progress', assigned: 'agent-7' },
    { id: 'stalled', status: 'in-progress', assigned: 'agent-8' },
    { id: 'live', status: 'in-progress', assigned: 'Bob' },
    { id: 'self', after: ['self'] },
    { id: 'ring-b', after: ['ring-a'] },
    { id: 'ring-a', after: ['ring-b'] },
    { id: 'begun', session_id: 's-1', token_usage: { cost_usd: 1 } },
    { id: 'fresh' },
    { id: 'command', exec: 'make' },
  ] as never as (TaskFields & { id: string })[];
  const wanted: Record<string, number> = { begun: 2, fresh: 5 };
  const facts: Partial<ProblemFacts> = {
    live: new Set(['live']),
    stalled: new Map([['stalled', 'agent-8 is not running']]),
    awaited: [
      { task: 'mail', from: 'both', askedBack: false },
      { task: 'both', from: 'mail', askedBack: true },
    ],
    coordination: {
      ...QUIET.coordination,
      refusal: ({ id }) => ({ text: 'the cap is reached', cap: 'usd_per_day', wanted: wanted[id] ?? 0 }) as never,
    },
  };
  const told = (rows: ReturnType<typeof found>) => rows.map((row) => Object.values(row).join(' | '));
  expect(told(found(tasks, facts))).toMatchInlineSnapshot(`
    [
      "unverified | came | came | Edited in graph.jsonl while runs were active, not applied: the task was added. Throw it away: \`troupe accept-edit came --discard\` |  | troupe accept-edit came",
      "unverified | edited | edited | Edited in graph.jsonl while runs were active, not applied: exec: none → "curl"; title: "edited" → none. Throw it away: \`troupe accept-edit edited --discard\` |  | troupe accept-edit edited",
      "unverified | went | went | Edited in graph.jsonl while runs were active, not applied: its line was removed. Throw it away: \`troupe accept-edit went --discard\` |  | troupe accept-edit went",
      "failed | failed | failed | It failed without a reason |  | troupe retry failed",
      "failed | failed-2 | failed-2 | exit code 2; 1 waiting for it to succeed | 2026-03-21T09:58:00.000Z | troupe retry failed-2",
      "stalled | stalled | stalled | agent-8 is not running |  | troupe unclaim stalled",
      "budget |  |  | The budget holds 3 ready tasks: the cap is reached; more at 00:00 UTC |  | troupe config set budget.usd_per_day 5",
      "review | review | review | It needs review |  | troupe approve review",
      "review | review-2 | review-2 | It needs review |  | troupe approve review-2",
      "review | review-4 | review-4 | It needs review: red |  | troupe approve review-4",
      "review | review-3 | review-3 | It needs review: Read it | 2026-03-21T09:58:00.000Z | troupe approve review-3",
      "person |  |  | 2 ready tasks wait for a person |  | troupe ready",
      "person | nobodys | nobodys | Someone holds it |  | troupe show nobodys",
      "person | ours | ours | Ann holds it |  | troupe show ours",
      "person |  |  | A line-up of 2 tasks waits to be accepted | 2026-03-21T09:58:00.000Z | troupe playbook accept crew-1",
      "person | asked | asked | It asks: Which one? | 2026-03-21T09:58:00.000Z | troupe answer asked "Decide yourself, and report how it ends."",
      "person | asked-2 | asked-2 | It asks a person | 2026-03-21T09:58:00.000Z | troupe answer asked-2 "Decide yourself, and report how it ends."",
      "person | mail | mail | It and both wait for one another's answers | 2026-03-21T09:58:00.000Z | troupe answer mail "Answer the question you were asked, then go on."",
      "blocked | ring-a | ring-a | 2 tasks wait for one another, so none can start: ring-a, ring-b |  | troupe edit ring-a --max-iterations 3",
      "blocked | self | self | It waits for itself and can never start |  | troupe edit self --remove-after self",
      "blocked | blocked | blocked | A person blocked it | 2026-03-21T09:58:00.000Z | troupe reopen blocked",
      "parked | both | both | It is waiting until 0ms have passed and a message comes | 2026-03-21T09:58:00.000Z | troupe resume both",
      "parked | mail | mail | It is waiting until a message comes | 2026-03-21T09:58:00.000Z | troupe resume mail",
      "parked | nothing | nothing | It is waiting | 2026-03-21T09:58:00.000Z | troupe resume nothing",
      "parked | parked | parked | It is paused until a person resumes it | 2026-03-21T09:58:00.000Z | troupe resume parked",
    ]
  `);
  const people = found([
    { id: 'b', human: true, created_at: AT },
    { id: 'a', human: true },
  ] as never);
  expect(told(people)).toMatchInlineSnapshot(`
    [
      "person |  |  | 2 ready tasks wait for a person |  | troupe ready",
    ]
  `);
});

test('each case of the service, its workers and its clients, for no task, one and two', () => {
  const [command, model] = [{ id: 'command', exec: 'true' }, { id: 'model' }];
  const texts = (tasks: (TaskFields & { id: string })[], more: Partial<ProblemFacts['coordination']>, facts = {}) =>
    found(tasks, { coordination: { ...QUIET.coordination, ...more }, ...facts }).map(
      ({ text, since, command: help }) => `${text} | ${since ?? ''} | ${help}`,
    );
  const untrusted = { waitsForTrust: ({ id }: { id: string }) => id.startsWith('command') };
  const hold = { client: 'claude', text: 'claude: no key', remedy: 'give it one', since: NOW - 60_000, until: NOW };
  const stalled = new Map([['gone', 'agent-1 is not running']]);
  const gone = { id: 'gone', status: 'in-progress', assigned: 'agent-1' } as const;
  expect({
    trust: texts([command, { id: 'command-2', exec: 'false' }, model], untrusted),
    away: [
      texts([], { running: false }),
      texts([model], { running: false }),
      texts([command, model], { running: false }),
      texts([gone], { running: false }, { stalled }),
      texts([gone], {}, { stalled }),
    ],
    paused: [texts([], { paused: true }), texts([model], { paused: true }), texts([command], { paused: true })],
    pausedAndAway: texts([command], { paused: true, running: false }),
    backOff: [texts([], { backOffUntil: NOW + 1 }), texts([], { backOffUntil: NOW })],
    workers: [
      texts([], { silentWorkers: [{ name: 'w1', since: NOW - 1_000 }] }),
      texts([], { unusedWorkers: ['w1'] }),
      texts([], { unusedWorkers: ['w1', 'w2'] }),
      texts([], {
        workerWorries: [
          { kind: 'unagreed', name: 'w1', labels: [] },
          { kind: 'garbled', name: 'w2', run: 'agent-3', why: 'no number' },
        ],
      }),
    ],
    holds: texts([model, { id: 'model-2' }, command], { holdOf: () => hold }),
    missing: [
      texts([command], { missing: { text: 'none', command: 'y' } }),
      texts([model], {
        executor: undefined,
        missing: { text: 'Run `troupe trust executor own`.', command: 'troupe executor list' },
      }),
    ],
  }).toMatchInlineSnapshot(`
    {
      "away": [
        [],
        [
          "No service is running, and 1 ready task could run |  | troupe service start",
        ],
        [
          "No service is running, and 2 ready tasks could run |  | troupe service start",
        ],
        [
          "agent-1 is not running |  | troupe unclaim gone",
          "No service is running, and 0 ready tasks could run |  | troupe service start",
        ],
        [
          "agent-1 is not running |  | troupe unclaim gone",
        ],
      ],
      "backOff": [
        [
          "Too many clients were silent: none starts before 2026-03-21T10:00:00.001Z |  | troupe agents --all",
        ],
        [],
      ],
      "holds": [
        "claude: no key; 2 tasks wait: give it one | 2026-03-21T09:59:00.000Z | troupe service reload",
      ],
      "missing": [
        [],
        [
          "No client can run 1 ready task: Run \`troupe trust executor own\`. |  | troupe executor list",
        ],
      ],
      "paused": [
        [],
        [
          "The service is paused, and 1 ready task waits |  | troupe service resume",
        ],
        [
          "The service is paused, and 1 ready task waits |  | troupe service resume",
        ],
      ],
      "pausedAndAway": [
        "No service is running, and 1 ready task could run |  | troupe service start",
      ],
      "trust": [
        "2 ready tasks would run a command that is not trusted |  | troupe trust --show",
      ],
      "workers": [
        [
          "The worker w1 is silent: what it had is given to others | 2026-03-21T09:59:59.000Z | troupe machines --workers",
        ],
        [
          "1 worker gets nothing: no remote is chosen by which their work could come here |  | troupe config set database.remote origin",
        ],
        [
          "2 workers get nothing: no remote is chosen by which their work could come here |  | troupe config set database.remote origin",
        ],
        [
          "The worker w1 has not agreed to this leader and takes nothing; on its machine, in its clone, a person can |  | troupe worker agree",
          "The worker w2 reports on agent-3 in a form that is not valid (no number): what that run uses is not known |  | troupe machines --workers",
        ],
      ],
    }
  `);
  expect(found([{ id: 'note', kind: 'note', status: 'failed' } as never])).toEqual([]);
  const teams = { text: 'It cannot be read', command: 'troupe check' };
  expect(found([], { teams })).toEqual([{ kind: 'store', task: null, title: null, since: null, ...teams }]);
});
