import { expect, test } from 'vitest';
import { detect } from '#core/playbooks/detect-inputs.js';
import { type ExtractOptions, extractFunction } from '#core/playbooks/extract-function.js';
import { rootsOf } from '#core/playbooks/function.js';
import { parseFunction } from '#core/playbooks/function-file.js';
import { featureName, parametrize } from '#core/playbooks/function-inputs.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';
import { sourcesOf } from './sources.js';

const done = { status: 'done' as const };
type Row = TaskFields & { id: string };
const extract = (rows: Row[], ids: string[], options: Partial<ExtractOptions> = {}) =>
  extractFunction(graphOf(...rows), ids, { now: NOW, actor: 'ann', roles: new Map(), ...options });
const said = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing';
};

test('every field of a task that says what it is comes along, and none that says how it went', () => {
  const fields = {
    description: 'Text',
    skills: ['prose'],
    inputs: ['a'],
    deliverables: ['b'],
    tags: ['text'],
    requires: ['gpu'],
    verify: 'Read it',
    verify_cmd: 'check',
    exec: 'make',
    exec_mode: 'shell' as const,
    environment: { IN_A: '1' },
    estimate: { hours: 2, cost: 3 },
    delay: '5m',
    timeout: '1h',
    max_retries: 2,
    context_scope: 'task' as const,
  };
  const wentSo = { assigned: 'agent-1', fence: 2, retry_count: 1, log: [], artifacts: ['x'], completed_at: 'then' };
  const [template] = extract([{ id: 'a', title: 'Ö', ...fields, ...wentSo, ...done }], ['a']).tasks;
  expect(template).toEqual({ template_id: 'a', title: 'Ö', ...fields });
  const tags = ['converged', 'eval-gate', 'review-exec', 'role:QA', 'kept'];
  expect(extract([{ id: 'a', title: 'Ö', tags, ...done }], ['a']).tasks).toEqual([
    { template_id: 'a', title: 'Ö', description: '', tags: ['kept'], role_hint: 'QA' },
  ]);
  expect(extract([{ id: 'a', title: 'Ö', skills: [], member: 'Ann', ...done }], ['a']).tasks).toEqual([
    { template_id: 'a', title: 'Ö', description: '' },
  ]);
});

test('what it was made from is said by id, three at most, and no task at all is refused', () => {
  const rows = ['d', 'c', 'b', 'a'].map((id) => ({ id: `x-${id}`, title: 'Ö', ...done }));
  const ids = rows.map(({ id }) => id);
  const from = (count: number) => extract(rows, ids.slice(-count)).description;
  expect([from(1), from(3), from(4)]).toEqual([
    'Made from x-a',
    'Made from x-a, x-b, x-c',
    'Made from x-a, x-b, x-c and 1 more',
  ]);
  expect(extract(rows, ids)).toMatchObject({
    id: 'x',
    name: 'x',
    extracted_from: ['x-a', 'x-b', 'x-c', 'x-d'].map((task_id) => ({ task_id, timestamp: expect.any(String) })),
    extracted_by: 'ann',
  });
  expect(extract(rows, ids, { name: 'own' }).id).toBe('own');
  expect(said(() => extract(rows, []))).toBe('Name the tasks to extract.');
  const open = Array.from({ length: 12 }, (_, index) => ({ id: `t${10 + index}`, title: 'Ö' }));
  const message = said(() =>
    extract(
      open,
      open.map(({ id }) => id),
    ),
  );
  expect(message).toMatch(/t19 \(open\) and 2 more\.$/);
  expect(
    said(() =>
      extract(
        open,
        open.slice(2).map(({ id }) => id),
      ),
    ),
  ).toMatch(/t21 \(open\)\.$/);
  const many = Array.from({ length: TEAM_LIMITS.functionTasks }, (_, index) => ({
    id: `t${index}`,
    title: 'Ö',
    ...done,
  }));
  expect(
    extract(
      many,
      many.map(({ id }) => id),
    ).tasks,
  ).toHaveLength(TEAM_LIMITS.functionTasks);
});

test('ids lose the whole words they have in common, never all of one', () => {
  const names = (...ids: string[]) =>
    extract(
      ids.map((id) => ({ id, title: 'Ö', ...done })),
      ids,
    ).tasks.map((one) => one.template_id);
  expect(names('a-b-c', 'a-b-d')).toEqual(['c', 'd']);
  expect(names('a-b', 'a-b-d')).toEqual(['b', 'b-d']);
  expect(names('a-bc', 'a-bd')).toEqual(['bc', 'bd']);
  expect(names('a-', 'a-b')).toEqual(['a-', 'a-b']);
  expect(names('a-b')).toEqual(['a-b']);
  expect(names('ab', 'ac')).toEqual(['ab', 'ac']);
  expect(names('a-b', 'c-d')).toEqual(['a-b', 'c-d']);
  const most = TEAM_LIMITS.functionTemplateIdCharacters;
  expect(names('x'.repeat(most))).toEqual(['x'.repeat(most)]);
  expect(names(`${'x'.repeat(most)}y`)[0]?.length).toBeLessThanOrEqual(most);
});

test('a guard keeps what it asks for: a task of the function by its name there, another one by its own', () => {
  const guarded = (task: string) =>
    extract(
      [
        {
          ...{ id: 'x-a', title: 'Ö', after: ['x-b'], ...done },
          cycle_config: { max_iterations: 2, guard: { TaskStatus: { task, status: 'done' } } },
        },
        { id: 'x-b', title: 'Ö', ...done },
      ],
      ['x-a', 'x-b'],
    ).tasks.map(({ template_id, after, cycle }) => [template_id, after, cycle?.guard]);
  expect(guarded('x-b')).toEqual([
    ['a', ['b'], 'task:b=done'],
    ['b', undefined, undefined],
  ]);
  // A task outside is called as the template would be: the template gets another name.
  expect(guarded('b')).toEqual([
    ['a', ['b-2'], 'task:b=done'],
    ['b-2', undefined, undefined],
  ]);
  const whole = extract(
    [
      {
        id: 'a',
        title: 'Ö',
        cycle_config: { max_iterations: 2, guard: { TaskStatus: { task: 'a', status: 'done' } } },
        ...done,
      },
    ],
    ['a'],
  ).tasks;
  expect(whole.map(({ template_id, cycle }) => [template_id, cycle?.guard])).toEqual([['a', 'task:a=done']]);
});

test('children of children come along once, those of others do not', () => {
  const rows: Row[] = [
    { id: 'a', ...done },
    { id: 'b', parent: 'a', ...done },
    { id: 'c', parent: 'a', ...done },
    { id: 'd', parent: 'c', ...done },
    { id: 'e', parent: 'x', ...done },
    { id: 'f', ...done },
  ];
  expect(sourcesOf(extract(rows, ['a'], { recursive: true }))).toEqual(['a', 'b', 'c', 'd']);
  expect(sourcesOf(extract(rows, ['a']))).toEqual(['a']);
});

test('edges go through every task about tasks, in the order they stand, and to oneself only with a bound', () => {
  const meta = { tags: ['assignment'], ...done };
  const rows: Row[] = [
    { id: 'one', ...done },
    { id: 'two', ...done },
    { id: 'm1', after: ['one', 'm2'], ...meta },
    { id: 'm2', after: ['two', 'm1'], tags: ['evaluation'], ...done },
    { id: 'm3', after: ['two'], tags: ['evolution'], ...done },
    { id: 'end', after: ['m1', 'm3', 'gone', 'end'], after_success: ['m1', 'two'], ...done },
  ];
  const tasks = extract(rows, ['one', 'two', 'end']).tasks;
  const end = tasks.find((one) => one.template_id === 'end');
  expect([...(end?.after ?? [])].sort()).toEqual(['one', 'two']);
  expect(end?.after_success).toEqual(['two']);
  const order = extract(
    [
      { id: 'x', ...done },
      { id: 'y', ...done },
      { id: 'z', after: ['y', 'x'], ...done },
    ],
    ['x', 'y', 'z'],
  );
  expect(order.tasks.find((one) => one.template_id === 'z')?.after).toEqual(['y', 'x']);
  const self = (cycle?: object) =>
    extract([{ id: 'a', after: ['a'], ...(cycle ? { cycle_config: cycle as never } : {}), ...done }], ['a']).tasks[0];
  expect(self()).not.toHaveProperty('after');
  expect(self({ max_iterations: 1 })).toMatchObject({ after: ['a'], cycle: { max_iterations: 1 } });
  expect(self({ max_iterations: WORK_LIMITS.cycleIterations })).toHaveProperty('cycle');
  for (const max_iterations of [0, 1.5, WORK_LIMITS.cycleIterations + 1])
    expect(said(() => self({ max_iterations }))).toBe('The cycle of a has no iteration limit.');
});

const file = (tasks: object[], more: object = {}) =>
  parseFunction({ kind: 'trace-function', version: 1, id: 'f', tasks, ...more }, 'f.yaml');
const template = (template_id: string, more: object = {}) => ({ template_id, title: template_id, ...more });

test('older files: edges under other names, loops as bounds, guards as other tools write them', () => {
  const parsed = file([
    template('a', { after: ['b'], blocked_by: ['c', 'b'], after_success: ['d'] }),
    template('b', {
      loops_to: [{ target: 'c', max_iterations: 3, guard: { TaskStatus: { task: 'b', status: 'InProgress' } } }],
    }),
    template('c', { after: ['d'], loops_to: [{ target: 'c', max_iterations: 9 }] }),
    template('d', {
      loops_to: [
        { target: 'b', max_iterations: 2, guard: null, delay: null },
        { target: 'e', max_iterations: 2, guard: 'Always', delay: '5m' },
      ],
    }),
    template('e', { cycle: { max_iterations: 4, guard: { iteration_less_than: 3 }, delay: '1m' } }),
    template('f', {
      after: ['f'],
      cycle: { max_iterations: 4, no_converge: true, restart_on_failure: false, max_failure_restarts: 0 },
    }),
    template('g', {
      after: ['g'],
      cycle: {
        max_iterations: 4,
        no_converge: false,
        restart_on_failure: true,
        guard: { task_status: { task: 'a', status: 'done' } },
      },
    }),
    template('h', { after: ['h'], cycle: { max_iterations: 1, guard: { IterationLessThan: 3 } } }),
  ]);
  expect(parsed.tasks.map(({ template_id, after, cycle }) => ({ template_id, after, cycle }))).toEqual([
    { template_id: 'a', after: ['b', 'c', 'd'], cycle: undefined },
    { template_id: 'b', after: ['d'], cycle: { max_iterations: 2 } },
    { template_id: 'c', after: ['d', 'b', 'c'], cycle: { max_iterations: 3, guard: 'task:b=in-progress' } },
    { template_id: 'd', after: undefined, cycle: undefined },
    { template_id: 'e', after: ['d'], cycle: { max_iterations: 4, guard: 'iteration<3', delay: '1m' } },
    {
      template_id: 'f',
      after: ['f'],
      cycle: { max_iterations: 4, no_converge: true, restart_on_failure: false, max_failure_restarts: 0 },
    },
    { template_id: 'g', after: ['g'], cycle: { max_iterations: 4, guard: 'task:a=done' } },
    { template_id: 'h', after: ['h'], cycle: { max_iterations: 1, guard: 'iteration<3' } },
  ]);
});

test('what a file of a function may say, and what is refused of it', () => {
  expect(file([template('a')], { name: 'N', description: 'D' })).toMatchObject({
    name: 'N',
    description: 'D',
    fixed: true,
  });
  const bare = file([template('a')]);
  expect(Object.keys(bare).sort()).toEqual(['fixed', 'id', 'inputs', 'source', 'tasks', 'version']);
  const fixed = (more: object) => file([template('a')], { version: 2, ...more }).fixed;
  expect(fixed({})).toBe(false);
  expect(fixed({ static_fallback: true })).toBe(true);
  expect(fixed({ static_fallback: false, planning: { static_fallback: true } })).toBe(true);
  expect(fixed({ planning: null })).toBe(false);
  const rows: [object[], object, string][] = [
    [[template('a'), template('a')], {}, 'tasks.1.template_id a is used twice'],
    [[template('a', { after: ['b'] })], {}, 'tasks.0.after names b, and there is no such template'],
    [
      [template('a'), template('b', { loops_to: [{ target: 'c', max_iterations: 1 }] })],
      {},
      'tasks.1.loops_to names c',
    ],
    [[template('a', { cycle: { max_iterations: 1, guard: 'whatever' } })], {}, 'tasks.0.cycle.guard: '],
    [[template('a', { cycle: { max_iterations: 1, guard: {} } })], {}, 'tasks.0.cycle.guard: '],
    [
      [],
      {
        inputs: [
          { name: 'n', type: 'text' },
          { name: 'n', type: 'text' },
        ],
      },
      'inputs.1.name n is used twice',
    ],
    [[], { inputs: [{ name: 'n', type: 'enum', values: [] }] }, 'inputs.0.values is missing'],
    [[], { inputs: [{ name: 'n', type: 'enum' }] }, 'inputs.0.values is missing'],
    [[], { version: 4 }, 'f.yaml has version 4; known are 1 to 3.'],
  ];
  for (const [tasks, more, text] of rows)
    expect(
      said(() => file(tasks, more)),
      text,
    ).toContain(text);
  expect(said(() => file([], { version: 3, inputs: [{ name: 'n', type: 'enum', values: ['x'] }] }))).toBe('nothing');
});

test('work begins with what comes after nothing, and with cycles that nothing leads into', () => {
  const roots = (...rows: [string, ...string[]][]) =>
    rootsOf(
      rows.map(([template_id, ...after]) => ({
        template_id,
        title: template_id,
        ...(after.length > 0 ? { after } : {}),
      })),
    );
  expect(roots(['a'], ['b', 'a'])).toEqual(['a']);
  expect(roots(['a', 'b'], ['b', 'a'])).toEqual(['a']);
  expect(roots(['a', 'b'], ['b', 'a', 'c'], ['c'])).toEqual(['c']);
  expect(roots(['a', 'a'], ['b', 'a'])).toEqual(['a']);
});

test('what stands in a text that another piece of work would say differently', () => {
  const found = (text: string) => detect(text).map(({ kind, value }) => `${kind} ${value}`);
  expect(found('See https://a.example/x.')).toContain('url https://a.example/x');
  expect(found('`npm test`, ` npm test`, `npm`, `else x`')).toEqual(['command npm test']);
  expect(found('  $ make all  \n$ ')).toEqual(['command make all']);
  expect(found('and/or, src/, /etc/x, ~/x/y, a/b/c, a/b.ts, ../x, a/b, ..., ./')).toEqual(
    ['src/', '/etc/x', '~/x/y', 'a/b/c', 'a/b.ts', '../x'].map((value) => `path ${value}`),
  );
  expect(found('Read notes.md.')).toEqual(['path notes.md']);
  expect(found('at least 80, under 1.50, 30%, 7')).toEqual(['threshold 80', 'threshold 30']);
});

test('every program begins a command, every word of a bound a threshold, and small words no name', () => {
  const found = (text: string) => detect(text).map(({ kind, value }) => `${kind} ${value}`);
  const programs = [
    'npm npx pnpm yarn node deno bun tsc vitest jest eslint biome prettier cargo rustc go make cmake ninja python',
    'python3 pytest pip uv ruff mypy tox mvn gradle dotnet bundle rake rspec composer php git docker kubectl',
    'terraform bash sh curl wg troupe just bazel swift mix ansible',
  ].flatMap((line) => line.split(' '));
  for (const program of [...programs, './gradlew'])
    expect(found(`Run \`${program} x\``), program).toContain(`command ${program} x`);
  const bounds = [
    'at least, at most, no more than, no less than, no fewer than, fewer than, less than, more than, greater than',
    'under, over, above, below, within, up to, minimum of, maximum of, limit of, threshold of, threshold:, threshold',
    'limit:, minimum, maximum, min, max, <, >, <=, >=, ≤, ≥',
  ].flatMap((line) => line.split(', '));
  for (const bound of bounds) expect(found(`It is ${bound} 80`), bound).toEqual(['threshold 80']);
  expect(found('It took 80')).toEqual([]);
  const small =
    'a an and as at by for from in into is it its of on or our that the their these this those to up with your';
  for (const word of small.split(' ')) {
    expect(featureName([`Write ${word} parser`]), word).toBe('parser');
    expect(featureName([`Write parser ${word}`]), word).toBe('parser');
  }
});

test('what the titles are about: shared by all, else by most, the longer before the shorter', () => {
  const rows: [string[], string | undefined][] = [
    [['Write the login page'], 'login page'],
    [['Write'], undefined],
    [['Fix it'], undefined],
    [['Write login page', 'Test login page', 'Ship it'], 'login page'],
    [['Write login', 'Test logout'], undefined],
    [['Login: write it', 'Login: test it'], 'Login'],
    [['Write login. Quickly', 'Test login. Quickly'], 'Quickly'],
    [['Write abc', 'Write abc'], 'abc'],
    [['Parser for the Parser', 'Parser of a Parser'], undefined],
    [['Parser goes', 'Test Parser'], 'Parser'],
    [['Write abc', 'Test abc', 'Ship def', 'Plan ghi'], undefined],
    [['Write abc', 'Test abc', 'Ship def'], 'abc'],
    [['Write abcd for xyz', 'Test xyz for abcd'], 'abcd'],
    [['Write abc for xyz', 'Test xyz for abc'], 'abc'],
    [['Write abc for long xyz', 'Test long xyz for abc'], 'long xyz'],
    [['Write ab', 'Test ab'], undefined],
    [['Write -abc', 'Test -abc'], undefined],
    [['Write one two three four five six seven'], 'one two three four five six'],
    [[], undefined],
  ];
  for (const [titles, name] of rows) expect(featureName(titles), titles.join(' | ')).toBe(name);
});

test('longer values are replaced before shorter ones, and names that are taken get a number', () => {
  const task = (title: string, description: string) => ({ template_id: 't', title, description });
  const { inputs, tasks } = parametrize([
    task('Write', 'src/a.ts and src/a.ts/b/ and lib/a.ts, `npm run a`, `npm run a b`, {{input.url}} https://x.example'),
  ]);
  expect(tasks[0]?.description).toBe(
    '{{input.a_path}} and {{input.b_path}} and {{input.a_path_2}}, `{{input.npm_run_a_command}}`, `{{input.npm_run_a_b_command}}`, {{input.url}} {{input.url_2}}',
  );
  expect(inputs.map(({ name, type, required, default: value }) => [name, type, required, value])).toEqual([
    ['url_2', 'url', undefined, 'https://x.example'],
    ['npm_run_a_command', 'string', undefined, 'npm run a'],
    ['npm_run_a_b_command', 'string', undefined, 'npm run a b'],
    ['a_path', 'string', undefined, 'src/a.ts'],
    ['b_path', 'string', undefined, 'src/a.ts/b/'],
    ['a_path_2', 'string', undefined, 'lib/a.ts'],
  ]);
  const paths = Array.from({ length: TEAM_LIMITS.functionInputs + 5 }, (_, index) => `src/x${index}/y.ts`);
  expect(parametrize([task('Write', paths.join(' '))]).inputs).toHaveLength(TEAM_LIMITS.functionInputs);
  expect(parametrize([task('Write', 'src/a.ts src/a.ts')]).inputs).toHaveLength(1);
  const long = parametrize([task('Write', `src/${'x'.repeat(60)}/`)]).inputs[0]?.name;
  expect(long).toBe(`${'x'.repeat(40)}_path`);
  const [feature] = parametrize([{ template_id: 't', title: 'Write login page' }]).inputs;
  expect(feature).toEqual({
    name: 'feature_name',
    type: 'string',
    required: true,
    description: 'What the work is about',
    example: 'login page',
  });
});
