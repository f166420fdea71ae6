import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { exportTrace } from '#core/history/export-trace.js';
import type { Zone } from '#core/history/zone.js';
import type { JsonObject } from '#kernel/json.js';
import { verifies } from '../../verifies.js';
import { History } from './entries.js';

const AT = '2026-03-22T00:00:00.000Z';

function out(
  history: History,
  zone: Zone,
  more: { root?: string; evaluations?: JsonObject[]; functions?: JsonObject[] } = {},
) {
  return exportTrace({
    view: history.state,
    entries: history.entries,
    evaluations: more.evaluations ?? [],
    functions: more.functions ?? [],
    zone,
    root: more.root === undefined ? undefined : (history.state.task(more.root) as Task),
    exportedAt: AT,
    source: 'project',
  });
}

/** A task with something in every field there is. */
const FULL = {
  title: 'A title',
  status: 'done',
  description: 'What it is about',
  assigned: 'ann',
  estimate: { hours: 2, cost: 3, secretly: 1 },
  before: ['other'],
  after: ['other', 'hidden-one', 'peer:theirs'],
  after_success: ['other', 'hidden-one'],
  requires: ['gpu'],
  tags: ['t'],
  skills: ['s'],
  inputs: ['in.md'],
  deliverables: ['out/report.md', '/home/ann/report.md', '../elsewhere.md', 'C:\\report.md', 'file:///etc/passwd'],
  artifacts: ['out/report.md', '~/report.md', 'notes/hidden-one.md', 'out/hidden-one/log.txt'],
  exec: 'make',
  delay: '5m',
  not_before: AT,
  created_at: '2026-03-21T10:00:00Z',
  started_at: '2026-03-21T10:01:00Z',
  completed_at: '2026-03-21T10:02:00Z',
  log: [{ timestamp: AT, message: 'a line' }],
  failure_reason: 'because',
  model: 'opus',
  verify_cmd: 'make test',
  agent: 'abc123',
  loop_iteration: 2,
  cycle_config: {
    max_iterations: 3,
    guard: { TaskStatus: { task: 'hidden-one', status: 'done' } },
    delay: '5m',
    note: 'hidden-one',
  },
  session_id: 'session',
  checkpoint: 'half way',
  superseded_by: ['hidden-one'],
  place_near: ['hidden-one'],
  created_by: 'agent-3',
  fence: 2,
  unheard_of: 'hidden-one',
};

function sample(): History {
  return new History()
    .put('hidden-one', { title: 'ZZ9', description: 'ZZ9' })
    .put('other', {
      visibility: 'public',
      cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'whole', status: 'failed' } } },
    })
    .put('theirs', { visibility: 'peer' })
    .put('whole', { ...FULL, visibility: 'public' });
}
const taskOf = (trace: { tasks: readonly JsonObject[] }, id: string) => trace.tasks.find((task) => task['id'] === id);

const PUBLIC_TASK = {
  id: 'whole',
  title: 'A title',
  status: 'done',
  visibility: 'public',
  skills: ['s'],
  after: ['other'],
  created_at: '2026-03-21T10:00:00.000Z',
  completed_at: '2026-03-21T10:02:00.000Z',
  loop_iteration: 2,
  cycle_config: { max_iterations: 3, delay: '5m' },
};

verifies(['graph.zone', 'sec.export'], 'tasks, their fields, edges and guards: what leaves for each zone', () => {
  const history = sample();
  const [internal, peer, open] = (['internal', 'peer', 'public'] as const).map((zone) => out(history, zone));
  const ids = (trace: typeof internal) => trace?.tasks.map((task) => task['id']);
  expect(ids(internal)).toEqual(['hidden-one', 'other', 'theirs', 'whole']);
  expect(ids(peer)).toEqual(['other', 'theirs', 'whole']);
  expect(ids(open)).toEqual(['other', 'whole']);
  expect(taskOf(internal as never, 'whole')).toEqual(history.state.task('whole'));
  expect(taskOf(open as never, 'whole')).toEqual(PUBLIC_TASK);
  expect(taskOf(peer as never, 'whole')).toEqual({
    ...PUBLIC_TASK,
    description: 'What it is about',
    tags: ['t'],
    deliverables: ['out/report.md'],
    estimate: { hours: 2, cost: 3 },
    after_success: ['other'],
    started_at: '2026-03-21T10:01:00.000Z',
    agent: 'abc123',
    artifacts: ['out/report.md'],
  });
  expect(taskOf(open as never, 'other')).toMatchObject({
    before: ['whole'],
    cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'whole', status: 'failed' } } },
  });
});

verifies('graph.zone', 'operations: all within, who and what for peers, five kinds for everybody', () => {
  const history = sample();
  for (const [op, actor] of [
    ['claim', 'agent-4'],
    ['edit', 'coordinator'],
    ['done', 'ann'],
    ['fail', 'ann'],
  ] as const) {
    history.event({ op, actor, task_id: 'whole', detail: { note: 'ZZ9' }, patch: [{ id: 'whole', set: { x: 1 } }] });
    history.event({ op, actor, task_id: 'hidden-one', patch: [] });
  }
  history.event({ op: 'hand_edit', patch: [{ id: 'whole', set: { title: 'ZZ9' } }] });
  expect(out(history, 'internal').operations).toEqual(history.entries);
  const mine = (zone: Zone) =>
    out(history, zone)
      .operations.filter((entry) => entry['task_id'] === 'whole')
      .map(({ timestamp, task_id, ...rest }) => rest);
  expect(mine('peer')).toEqual([
    { op: 'add_task', actor: 'human' },
    { op: 'claim', actor: 'agent' },
    { op: 'edit', actor: 'system' },
    { op: 'done', actor: 'human' },
    { op: 'fail', actor: 'human' },
  ]);
  expect(mine('public')).toEqual([{ op: 'add_task' }, { op: 'done' }, { op: 'fail' }]);
  expect(out(history, 'public').operations[0]).toEqual({
    timestamp: '2026-03-21T10:00:01.000Z',
    op: 'add_task',
    task_id: 'other',
  });
});

verifies('graph.zone', 'evaluations: all within, nine fields for peers, none for everybody', () => {
  const kept = {
    id: 'e1',
    task_id: 'whole',
    agent_id: 'a',
    role_id: 'r',
    tradeoff_id: 't',
    score: 0.9,
    source: 'llm',
    timestamp: AT,
  };
  const evaluations: JsonObject[] = [
    { ...kept, dimensions: { correctness: 1, 'hidden-one': 1 }, notes: 'ZZ9', evaluator: 'x', model: 'y', attempt: 1 },
    { id: 'e2', task_id: 'hidden-one', score: 1 },
  ];
  expect(out(sample(), 'internal', { evaluations }).evaluations).toEqual(evaluations);
  expect(out(sample(), 'peer', { evaluations }).evaluations).toEqual([{ ...kept, dimensions: { correctness: 1 } }]);
  expect(out(sample(), 'public', { evaluations }).evaluations).toEqual([]);
});

verifies(
  'graph.zone',
  'functions: by their own visibility, without runs, and without what their owner redacted',
  () => {
    const template = {
      kind: 'trace-function',
      version: 1,
      id: 'draft-review',
      extracted_from: [
        { task_id: 'whole', run_id: 'agent-9', timestamp: AT },
        { task_id: 'hidden-one', run_id: 'agent-8' },
      ],
      extracted_by: 'ann@machine',
      extracted_at: AT,
      visibility: 'public',
      redacted_fields: ['description', 'inputs.example'],
      memory: [{ run: 'agent-9' }],
      inputs: [{ name: 'feature', type: 'string', required: true, example: 'ours', run_id: 'agent-9' }],
      tasks: [
        {
          template_id: 'write',
          title: 'Write {{input.feature}}',
          description: 'ours',
          exec: 'make',
          after: ['review'],
        },
      ],
    };
    const functions: JsonObject[] = [
      template,
      { ...template, id: 'within' },
      { ...template, id: 'among-peers', visibility: 'peer' },
    ];
    delete functions[1]?.['visibility'];
    const kept = {
      kind: 'trace-function',
      version: 1,
      id: 'draft-review',
      visibility: 'public',
      inputs: [{ name: 'feature', type: 'string', required: true }],
      tasks: [{ template_id: 'write', title: 'Write {{input.feature}}', after: ['review'] }],
      extracted_from: [{ task_id: 'whole', timestamp: AT }],
    };
    expect(out(sample(), 'internal', { functions }).functions).toEqual(functions);
    const peer = out(sample(), 'peer', { functions }).functions;
    expect(peer.map((item) => item['id'])).toEqual(['draft-review', 'among-peers']);
    expect(peer[0]).toEqual({ ...kept, extracted_by: 'agent', extracted_at: AT });
    expect(out(sample(), 'public', { functions }).functions).toEqual([kept]);
  },
);

verifies(
  'graph.trace.export',
  'metadata says what it is; a root narrows it, and is named only where it goes along',
  () => {
    const history = new History()
      .put('hidden-root')
      .put('p', { after: ['hidden-root'], visibility: 'public' })
      .put('q', { after: ['p'], visibility: 'public' })
      .put('apart', { visibility: 'public' });
    const evaluations: JsonObject[] = [{ id: 'e', task_id: 'apart', score: 1 }];
    expect(out(history, 'public').metadata).toEqual({ version: 1, exported_at: AT, visibility: 'public' });
    const whole = out(history, 'internal', { root: 'p', evaluations });
    expect(whole.metadata).toEqual({
      version: 1,
      exported_at: AT,
      visibility: 'internal',
      root_task: 'p',
      source: 'project',
    });
    expect(whole.tasks.map((task) => task['id'])).toEqual(['p', 'q']);
    expect(whole.operations.map((entry) => entry['task_id'])).toEqual(['p', 'q']);
    expect(whole.evaluations).toEqual([]);
    const open = out(history, 'public', { root: 'hidden-root' });
    expect(open.metadata).toEqual({ version: 1, exported_at: AT, visibility: 'public' });
    expect(open.tasks.map((task) => task['id'])).toEqual(['p', 'q']);
    expect(JSON.stringify(open)).not.toContain('hidden-root');
  },
);

verifies('graph.trace.no-leak', 'the example: a public task after an internal one', () => {
  const history = new History()
    .put('secret-plan', { title: 'ZZ9', description: 'ZZ9', log: [{ timestamp: AT, message: 'ZZ9' }] })
    .put('p', { after: ['secret-plan'], visibility: 'public' });
  const text = JSON.stringify(out(history, 'public'));
  expect(JSON.parse(text).tasks).toEqual([{ id: 'p', title: 'Task p', status: 'open', visibility: 'public' }]);
  expect(text).not.toContain('secret-plan');
  expect(text).not.toContain('ZZ9');
});

verifies('graph.trace.no-leak', 'what people wrote is freed of secrets and of the ids of tasks that stay', () => {
  const history = new History()
    .put('secret-plan')
    .put('tests')
    .put('gone-task-2')
    .event({ op: 'gc', patch: [{ id: 'gone-task-2', del: true }] })
    .put('p', {
      visibility: 'peer',
      title: 'After secret-plan. AKIAABCDEFGHIJKLMNOP',
      description:
        'See secret-plan.md, gone-task-2, docs/secret-plan/x, my-secret-plan and the tests; token: abcdefgh12345678',
      tags: ['secret-plan', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
    })
    .put('AKIAABCDEFGHIJKLMNOQ', { visibility: 'peer' });
  const { tasks } = out(history, 'peer');
  expect(tasks).toEqual([
    {
      id: 'p',
      title: 'After [hidden] ********',
      status: 'open',
      visibility: 'peer',
      description: 'See [hidden], [hidden], docs/[hidden]/x, my-secret-plan and the tests; token: ********',
      tags: ['[hidden]', '********'],
    },
  ]);
  expect(JSON.stringify(out(history, 'peer'))).not.toContain('AKIA');
});

test('words and fields of the wrong kind never pass', () => {
  const odd = new History().put('p', {
    visibility: 'public',
    skills: [{ name: 'x' }, 'kept', 7],
    created_at: 'ZZ9',
    loop_iteration: 'ZZ9',
    cycle_config: { max_iterations: 'ZZ9', guard: { TaskStatus: 'ZZ9' }, delay: 'ZZ9' },
  });
  expect(out(odd, 'public').tasks).toEqual([
    { id: 'p', title: 'Task p', status: 'open', visibility: 'public', skills: ['kept'] },
  ]);
  expect(out(new History().put('p', { visibility: 'everybody' }), 'peer').tasks).toEqual([]);
});
