import { describe, expect, test } from 'vitest';
import { readiness } from '#core/graph/ready.js';
import { type ApplyOptions, applyFunction } from '#core/playbooks/apply-function.js';
import { parseFunction } from '#core/playbooks/function-file.js';
import { checkedValues, type FileContent } from '#core/playbooks/function-values.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

const code = (wanted: string) => expect.objectContaining({ code: wanted });
const NO_FILES = new Map<string, FileContent>();

const REVIEW = {
  kind: 'trace-function',
  version: 1,
  id: 'draft-review',
  inputs: [{ name: 'feature_name', type: 'string', required: true }],
  tasks: [
    {
      template_id: 'write',
      title: 'Write {{input.feature_name}}',
      after: ['review'],
      cycle: { max_iterations: 5, guard: 'task:review=failed', delay: '5m' },
    },
    { template_id: 'review', title: 'Review {{input.feature_name}}', after: ['write'], role_hint: 'Reviewer' },
  ],
};

function apply(
  file: unknown,
  given: Record<string, unknown> = {},
  options: Partial<ApplyOptions> = {},
  graph = graphOf(),
  contents = NO_FILES,
) {
  const found = parseFunction(file, 'f.yaml');
  const values = checkedValues(found, given, contents);
  const plan = applyFunction(graph, found, values, { now: NOW, by: { name: 'ann' }, holdCommands: false, ...options });
  return { graph, plan, ...commit(graph, plan) };
}

const simple = (task: object, more: object = {}) => ({
  kind: 'trace-function',
  version: 1,
  id: 'f',
  tasks: [{ template_id: 't', title: 'T', ...task }],
  ...more,
});

describe('tasks of a function', () => {
  verifies('graph.func.apply', 'ids from the prefix, all tasks in one group, guards and edges among them', () => {
    const { graph, plan, prefix } = apply(REVIEW, { feature_name: 'Login Page' });
    expect(prefix).toBe('login-page');
    expect(plan.events.map((event) => event.task_id)).toEqual(['login-page-write', 'login-page-review']);
    expect(graph.task('login-page-write')).toMatchObject({
      title: 'Write Login Page',
      status: 'open',
      after: ['login-page-review'],
      cycle_config: {
        max_iterations: 5,
        guard: { TaskStatus: { task: 'login-page-review', status: 'failed' } },
        delay: '5m',
      },
      created_by: 'ann',
    });
    expect(graph.task('login-page-review')).toMatchObject({ after: ['login-page-write'], tags: ['role:Reviewer'] });
    expect(readiness(graph, 'login-page-write', NOW).ready).toBe(true);
    expect(readiness(graph, 'login-page-review', NOW).ready).toBe(false);
  });

  verifies(
    'graph.func.apply',
    'the prefix is the flag, else feature_name, else the id; a taken one is numbered',
    () => {
      expect(apply(simple({}), {}, { prefix: 'mine' }).drafts[0]?.id).toBe('mine-t');
      expect(apply(simple({}), {}, { prefix: 'mine-' }).drafts[0]?.id, 'its dash is not doubled').toBe('mine-t');
      expect(apply(simple({})).drafts[0]?.id).toBe('f-t');
      const graph = graphOf({ id: 'login-review' });
      const given = { feature_name: 'login' };
      expect(apply(REVIEW, given, {}, graph).drafts.map((draft) => draft.id)).toEqual([
        'login-2-write',
        'login-2-review',
      ]);
      expect(apply(REVIEW, given, {}, graph).prefix).toBe('login-3');
      for (const prefix of ['../x', '.x', '-', 'a b', 'x'.repeat(120)]) {
        expect(() => apply(REVIEW, given, { prefix })).toThrowError(code('bad_input'));
      }
    },
  );

  verifies('graph.func.apply', '--after stands before the roots only, also where work begins in a cycle', () => {
    const three = simple(
      {},
      {
        tasks: [
          { template_id: 'a', title: 'A' },
          { template_id: 'b', title: 'B', after: ['a'] },
        ],
      },
    );
    const one = apply(three, {}, { after: ['x'] }, graphOf({ id: 'x' }));
    expect(one.drafts.map((draft) => draft.after)).toEqual([['x'], ['f-a']]);
    const two = apply(REVIEW, { feature_name: 'n' }, { after: ['x'] }, graphOf({ id: 'x' }));
    expect(two.drafts.map((draft) => draft.after)).toEqual([['x', 'n-review'], ['n-write']]);
    expect(() => apply(three, {}, { after: ['y'] })).toThrowError(
      expect.objectContaining({ code: 'unknown_task', hint: 'Add that task first.' }),
    );
  });

  verifies('graph.func.apply', 'everything missing, unknown or ill-typed is said at once, and nothing is added', () => {
    const inputs = [
      { name: 'a', type: 'string', required: true },
      { name: 'n', type: 'number', min: 1, max: 9 },
      { name: 'u', type: 'url' },
      { name: 'e', type: 'enum', values: ['red', 'green'] },
      { name: 'j', type: 'json' },
      { name: 'f', type: 'file_content' },
      { name: 'l', type: 'file_list' },
      { name: 's', type: 'string' },
    ];
    const given = { n: '12', u: 'no url', e: 'blue', j: '{', f: 'gone.txt', l: ',', s: 'two\nlines', typo: '1' };
    const contents = new Map([['f', { problem: 'names gone.txt, and there is no such file' }]]);
    let thrown: unknown;
    try {
      apply(simple({}, { inputs }), given, {}, graphOf(), contents);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'bad_input' });
    const { problems } = (thrown as { details: { problems: { input: string }[] } }).details;
    expect(problems.map((problem) => problem.input).sort()).toEqual(['a', 'e', 'f', 'j', 'l', 'n', 's', 'typo', 'u']);
    for (const { input } of problems) expect(String(thrown)).toContain(`${input} `);
  });

  verifies('graph.func.apply', 'values of every type, from a command line and from a file', () => {
    const inputs = [
      { name: 'n', type: 'number' },
      { name: 'l', type: 'file_list' },
      { name: 'j', type: 'json' },
      { name: 'f', type: 'file_content', default: '/etc/passwd' },
      { name: 'd', type: 'string', default: 'as ever' },
    ];
    const description = '{{input.n}}|{{input.l}}|{{input.j}}|{{input.f}}|{{ input.d }}';
    const said = (given: Record<string, unknown>, contents = NO_FILES) =>
      apply(simple({ description }, { inputs }), given, {}, graphOf(), contents).drafts[0]?.description;
    expect(said({ n: '3', l: 'a.ts, b.ts', j: '[1]' })).toBe('3|a.ts, b.ts|[1]||as ever');
    expect(said({ n: 3, l: ['a.ts'], j: { k: 1 }, d: '' })).toBe('3|a.ts|{"k":1}||');
    expect(said({ f: 'x' }, new Map([['f', { text: 'inside' }]]))).toBe('|||inside|as ever');
  });

  test('a model is set on every task, a delay counts from now', () => {
    const { graph } = apply(simple({ delay: '2h' }), {}, { model: 'large' });
    expect(graph.task('f-t')).toMatchObject({ model: 'large', delay: '2h', not_before: '2026-03-21T12:00:00.000Z' });
  });
});

describe('applied by a run', () => {
  const many = (count: number) => ({
    ...simple({}),
    tasks: Array.from({ length: count }, (_, number) => ({ template_id: `t${number}`, title: 'T' })),
  });
  const by = { name: 'agent-1', fence: 1, taskId: 'own' };
  const own = (more: object = {}) =>
    graphOf({ id: 'own', status: 'in-progress', assigned: 'agent-1', fence: 1, ...more });

  verifies('graph.func.apply', 'its tasks count for the limits of the run, all of a group together', () => {
    const graph = own();
    apply(many(WORK_LIMITS.childTasksPerAgent - 1), {}, { by }, graph);
    expect(graph.task('f-t0')).toMatchObject({ parent: 'own', created_by: 'agent-1' });
    expect(() => apply(many(2), {}, { by, prefix: 'g' }, graph)).toThrowError(code('child_limit'));
    expect(graph.task('g-t0')).toBeUndefined();
    apply(many(1), {}, { by, prefix: 'g' }, graph);
    expect(() => apply(many(WORK_LIMITS.childTasksPerAgent + 1), {}, { by }, own())).toThrowError(code('child_limit'));
  });

  test('a run that may run no commands cannot bring some in by a function', () => {
    expect(() => apply(simple({ exec: 'true' }), {}, { by }, own({ exec_mode: 'light' }))).toThrowError(
      code('not_yours'),
    );
  });
});

describe('values are text', () => {
  verifies('graph.func.inert', 'a value is not expanded again, whatever it holds', () => {
    const inputs = [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string' },
    ];
    const { drafts } = apply(simple({ title: '{{input.a}} {{input.b}} {{input.c}}' }, { inputs }), {
      a: '{{input.b}} $& $1',
      b: '{{input.a}}',
    });
    expect(drafts[0]?.title).toBe('{{input.b}} $& $1 {{input.a}} {{input.c}}');
  });

  verifies('graph.func.inert', 'a value reaches texts only: no command, tag, edge or bound', () => {
    const inputs = [{ name: 'a', type: 'string', required: true }];
    const held = '{{input.a}}';
    const { graph } = apply(
      simple(
        {
          exec: `echo ${held}`,
          verify_cmd: held,
          tags: [held],
          environment: { IN_A: held },
          verify: held,
          skills: [held],
        },
        { inputs },
      ),
      { a: '; rm -rf ~' },
    );
    expect(graph.task('f-t')).toMatchObject({
      exec: 'echo {{input.a}}',
      verify_cmd: '{{input.a}}',
      environment: { IN_A: '{{input.a}}' },
      verify: '; rm -rf ~',
      skills: ['; rm -rf ~'],
    });
    expect(graph.task('f-t')?.tags).toContain('{{input.a}}');
  });

  verifies('graph.func.inert', 'commands from elsewhere wait, paused and tagged; other tasks do not', () => {
    const tasks = [
      { template_id: 'a', title: 'A', exec: 'true' },
      { template_id: 'b', title: 'B', verify_cmd: 'true' },
      { template_id: 'c', title: 'C', tags: ['x'] },
    ];
    const foreign = apply(simple({}, { tasks }), {}, { holdCommands: true });
    expect(foreign.held).toEqual(['f-a', 'f-b']);
    for (const id of foreign.held) {
      expect(foreign.graph.task(id)).toMatchObject({ paused: true });
      expect(foreign.graph.task(id)?.tags).toContain('review-exec');
    }
    expect(foreign.graph.task('f-c')).toMatchObject({ tags: ['x'] });
    expect(foreign.graph.task('f-c')?.paused).toBeUndefined();
    const own = apply(simple({}, { tasks }));
    expect(own.held).toEqual([]);
    expect(own.graph.task('f-a')?.paused).toBeUndefined();
  });
});

describe('older and newer files', () => {
  const loops = (loop: object) => ({
    ...REVIEW,
    inputs: [],
    tasks: [
      { template_id: 'write', title: 'Write' },
      { template_id: 'review', title: 'Review', blocked_by: ['write'], loops_to: [loop] },
    ],
  });

  verifies('graph.func.legacy', 'loops_to makes the target come after the task, with the bounds on the target', () => {
    const GUARDS: [unknown, unknown][] = [
      ['task:review=failed', { TaskStatus: { task: 'draft-review-review', status: 'failed' } }],
      [
        { TaskStatus: { task: 'review', status: 'Failed' } },
        { TaskStatus: { task: 'draft-review-review', status: 'failed' } },
      ],
      [{ IterationLessThan: 3 }, { IterationLessThan: 3 }],
      ['Always', 'Always'],
      [null, undefined],
    ];
    for (const [guard, stored] of GUARDS) {
      const { graph } = apply(loops({ target: 'write', max_iterations: 3, guard, delay: '1h' }));
      expect(graph.task('draft-review-write')).toMatchObject({
        after: ['draft-review-review'],
        cycle_config: { max_iterations: 3, delay: '1h', ...(stored === undefined ? {} : { guard: stored }) },
      });
      expect(graph.task('draft-review-review')?.after).toEqual(['draft-review-write']);
      expect(graph.task('draft-review-review')?.cycle_config).toBeUndefined();
    }
    expect(() => apply(loops({ target: 'nobody', max_iterations: 3 }))).toThrowError(code('function_invalid'));
  });

  verifies('graph.func.legacy', 'versions 2 and 3 need static_fallback; their keys are kept', () => {
    for (const version of [2, 3]) {
      const planned = { ...REVIEW, version, planning: { planner_template: 'p' }, memory: { max_runs: 3 } };
      expect(() => apply(planned, { feature_name: 'x' })).toThrowError(code('function_unsupported'));
      const fixed = { ...planned, planning: { ...planned.planning, static_fallback: true } };
      expect(apply(fixed, { feature_name: 'x' }).drafts).toHaveLength(2);
      expect(parseFunction(fixed, 'f').source).toMatchObject({ planning: fixed.planning, memory: { max_runs: 3 } });
    }
    expect(() => parseFunction({ ...REVIEW, version: 4 }, 'f')).toThrowError(code('function_unsupported'));
  });
});

describe('a file nobody vouches for', () => {
  const BAD: [string, unknown][] = [
    ['not an object', 'x'],
    ['another kind', { ...REVIEW, kind: 'other' }],
    ['an id that climbs', { ...REVIEW, id: '../../x' }],
    ['a template id that climbs', simple({ template_id: '../x' })],
    ['an edge to nowhere', simple({ after: ['x'] })],
    [
      'a template twice',
      simple({}, { tasks: [REVIEW.tasks[1], REVIEW.tasks[1]].map((task) => ({ ...task, after: [] })) }),
    ],
    ['an input twice', simple({}, { inputs: [REVIEW.inputs[0], REVIEW.inputs[0]] })],
    ['an enum without values', simple({}, { inputs: [{ name: 'e', type: 'enum' }] })],
    ['an unknown type', simple({}, { inputs: [{ name: 'e', type: 'secret' }] })],
    ['an unbounded cycle', simple({ after: ['t'], cycle: { guard: 'always' } })],
    ['a cycle without end', simple({ after: ['t'], cycle: { max_iterations: 1e9 } })],
    ['a guard that says nothing', simple({ after: ['t'], cycle: { max_iterations: 1, guard: 'perhaps' } })],
    ['an environment of its own', simple({ exec: 'x', environment: { PATH: '/tmp' } })],
    [
      'too many tasks',
      simple({}, { tasks: Array.from({ length: 1_001 }, (_, n) => ({ template_id: `t${n}`, title: 'T' })) }),
    ],
  ];
  for (const [what, file] of BAD) {
    test(`${what} is refused`, () => expect(() => apply(file)).toThrowError(code('function_invalid')));
  }

  test('the refusal names file and field, and no escape of the file acts', () => {
    expect(() => apply(simple({ title: 3 }))).toThrowError(/^f\.yaml: tasks\.0\.title must be text/);
    let message = '';
    try {
      apply({ ...REVIEW, kind: 'red \u001b[31m' });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toMatch(/^f\.yaml: kind must be/);
    expect(message).not.toContain('\u001b');
  });
});
