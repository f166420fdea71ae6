import { expect, test } from 'vitest';
import { commitCommandHashes } from '#core/graph/commands.js';
import { doneTask } from '#core/graph/moves.js';
import { importTasks } from '#core/imports/plan.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from '../graph/graph.js';
import { imported, jsonl, OPTIONS, record } from './records.js';

const issue = (id: string, fields: object = {}) => ({
  id,
  title: `Task ${id}`,
  status: 'open',
  priority: 2,
  ...fields,
});
const blocks = (...ids: string[]) => ({ dependencies: ids.map((id) => ({ depends_on_id: id, type: 'blocks' })) });
const parent = (id: string) => ({ dependencies: [{ depends_on_id: id, type: 'parent-child' }] });

verifies('import.again', 'an import again adds nothing, and tells what differs now without changing it', () => {
  const graph = graphOf();
  const first = jsonl(issue('a'), issue('b', blocks('a')), issue('c'));
  expect(imported(first, graph)).toMatchObject({ present: 0, changed: [] });
  const seq = graph.seq;
  expect(imported(first, graph)).toMatchObject({ tasks: [], present: 3, changed: [] });
  expect(graph.seq).toBe(seq);
  const later = jsonl(
    issue('a', { status: 'closed', title: 'Another' }),
    issue('b', { description: 'More', ...blocks('a', 'c') }),
    issue('d', blocks('b')),
  );
  const { tasks, present, changed } = imported(later, graph);
  expect(tasks).toMatchObject([{ id: 'd', after: ['b'] }]);
  expect(present).toBe(0);
  expect(changed).toEqual([
    { id: 'a', key: 'a', differs: ['state open → closed', 'title'] },
    { id: 'b', key: 'b', differs: ['text', 'dependencies'] },
  ]);
  expect(graph.task('a')).toMatchObject({ title: 'Task a', status: 'open' });
  expect(imported(first, graph, { source: 'other' }).tasks.map(({ id }) => id)).toEqual(['a-2', 'b-2', 'c-2']);
});

verifies('import.again', 'a task that was archived after its import is not imported a second time', () => {
  const graph = graphOf();
  const text = jsonl(issue('a', { status: 'closed' }));
  imported(text, graph);
  const task = graph.task('a');
  commit(graph, { events: [{ op: 'archive', patch: [{ id: 'a', del: true, to: 'archive' }] }], result: undefined });
  expect(imported(text, graph, { departed: task ? [task] : [] })).toMatchObject({ tasks: [], present: 1 });
  expect(imported(text, graph).tasks.map(({ id }) => id)).toEqual(['a-2']);
});

verifies('import.inert', 'no imported command is agreed to by the import, and unfinished tasks are paused', () => {
  const node = { kind: 'task', id: 'x', title: 'X', status: 'open', exec: 'rm -rf /', verify_cmd: 'true' };
  const parsed = {
    tasks: [record('x', { fields: { exec: node.exec, verify_cmd: node.verify_cmd } })],
    broken: [],
    left: [],
  };
  const graph = graphOf();
  const plan = importTasks(graph, parsed, { ...OPTIONS, tracker: 'workgraph' });
  expect(commitCommandHashes(() => undefined, plan.events, { trusts: () => false })).toEqual([]);
  expect(plan.result.tasks).toMatchObject([{ paused: true, command: true }]);
  const open = importTasks(graph, parsed, { ...OPTIONS, tracker: 'workgraph', open: true });
  expect(commitCommandHashes(() => undefined, open.events, { trusts: () => false })).toEqual([]);
  expect(open.result.tasks).toMatchObject([{ paused: false, command: true }]);
});

verifies('import.inert', 'labels have no power here, and no id is that of a task of the coordinator', () => {
  const graph = graphOf({ id: 'x' });
  imported(jsonl(issue('evaluate-x', { labels: ['eval-gate', 'edits-roles', 'workflow:review', 'converged'] })), graph);
  expect(graph.task('imported-evaluate-x')?.tags).toEqual([
    ...['import:beads', 'label:eval-gate', 'label:edits-roles', 'label:workflow:review', 'label:converged'],
    'priority:2',
  ]);
});

verifies('import.whole', 'nothing is imported beside a record that cannot be read, unless it may be left out', () => {
  const text = `${jsonl(issue('a'))}{"id":\n\r\n[1]\n${jsonl(issue('b', { title: '' }), issue('c', blocks('b')))}`;
  const graph = graphOf();
  const refusal = refusalOf(() => imported(text, graph));
  expect(refusal.code).toBe('bad_input');
  expect(refusal.message).toBe(
    'Nothing was imported, because of records that cannot be read: line 2: not a JSON object; line 4: not a JSON object; line 5: no "title".',
  );
  expect(graph.count('open')).toBe(0);
  const { tasks, broken, warnings } = imported(text, graph, { skipBroken: true });
  expect(tasks.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(broken.map(({ place }) => place)).toEqual(['line 2', 'line 4', 'line 5']);
  expect(warnings).toEqual([
    'c depends on b, not among the imported tasks: nothing waits for it. Its description names them.',
  ]);
  expect(graph.task('c')?.description).toContain('"depends_on": [\n    "b"\n  ]');
});

verifies('import.whole', 'of records with one id the same count once, and different ones are refused', () => {
  const same = jsonl(issue('a'), issue('a'));
  expect(imported(same).tasks).toHaveLength(1);
  const different = jsonl(issue('a'), issue('b'), issue('a', { title: 'Other' }));
  expect(refusalOf(() => imported(different)).message).toContain('a: the id appears twice, with different content');
  expect(imported(different, graphOf(), { skipBroken: true }).tasks.map(({ id }) => id)).toEqual(['b']);
});

verifies('import.nested', 'what nesting implies gives way to what the tracker states', () => {
  const rows = (...issues: object[]) =>
    Object.fromEntries(imported(jsonl(...issues)).tasks.map(({ id, after }) => [id, after]));
  expect(rows(issue('e'), issue('x', parent('e')), issue('y', parent('e')))).toEqual({ e: ['x', 'y'], x: [], y: [] });
  const both = { dependencies: [...parent('e').dependencies, ...blocks('e').dependencies] };
  expect(rows(issue('e'), issue('x', both), issue('y', parent('e')))).toEqual({ e: ['y'], x: ['e'], y: [] });
  // The epic waits for its own part: the other part does not wait for that.
  expect(rows(issue('e', blocks('x')), issue('x', parent('e')), issue('y', parent('e')))).toEqual({
    ...{ e: ['x', 'y'], x: [], y: [] },
  });
  expect(rows(issue('a', parent('b')), issue('b', parent('a')))).toEqual({ a: [], b: [] });
  expect(rows(issue('d', { status: 'closed' }), issue('x', parent('d')))).toEqual({ d: ['x'], x: [] });
});

verifies(['graph.parent', 'import.nested'], 'nested tasks are parts here, also of a task that came earlier', () => {
  const graph = graphOf();
  const epics = () => Object.fromEntries(['e', 'x', 'y', 'z'].map((id) => [id, graph.task(id)?.epic]));
  imported(jsonl(issue('e'), issue('x', parent('e'))), graph);
  expect(graph.task('x')?.description).toBeUndefined();
  const { changed } = imported(
    jsonl(issue('e'), issue('x', parent('e')), issue('y', parent('e')), issue('z', parent('x'))),
    graph,
  );
  expect(changed).toEqual([]);
  expect(epics()).toEqual({ e: undefined, x: 'e', y: 'e', z: 'x' });
  expect(graph.task('e')?.after).toEqual(['x', 'y']);
  commit(graph, doneTask(graph, 'z', { now: NOW, by: ann }));
  commit(graph, doneTask(graph, 'x', { now: NOW, by: ann }));
  imported(jsonl(issue('x'), issue('v', parent('x'))), graph);
  expect(graph.task('v')?.epic).toBeUndefined();
  expect(graph.task('v')?.description).toContain('"parent": "x"');
});

test('tasks that wait for one another are imported, with a warning', () => {
  const { tasks, warnings } = imported(
    jsonl(issue('a', blocks('b')), issue('b', blocks('a')), issue('c', blocks('c'))),
  );
  expect(tasks.map(({ after }) => after)).toEqual([['b'], ['a'], []]);
  expect(warnings).toEqual([
    '2 tasks now wait for one another, so none can start (a, b): `troupe edit a --max-iterations 3` makes it a cycle, or remove a dependency.',
    'c depends on c, not among the imported tasks: nothing waits for it. Its description names them.',
  ]);
});

verifies(
  'import.text',
  'no text is lost: long titles, fences in texts, comments longer than an entry, other scripts',
  () => {
    const graph = graphOf();
    const long = 'x'.repeat(400);
    const text = jsonl(
      issue('a', { title: long, extra: '```\nbreak out\n````' }),
      issue('задача 1', { title: 'Схема' }),
      issue('b', {
        comments: [{ author: 'ann', text: 'é'.repeat(10_000) }],
        description: 'nul \u0000 half \ud800 end',
      }),
      issue('../../etc', { title: 'Climb\u202e\n\u001b[31m' }),
    );
    const { tasks } = imported(text, graph, { latin: new Map([['задача 1', 'zadacha 1']]) });
    expect(tasks.map(({ id }) => id)).toEqual(['a', 'b', 'etc', 'zadacha-1']);
    expect(graph.task('a')?.title).toHaveLength(300);
    expect(graph.task('a')?.description).toContain(long);
    expect(graph.task('a')?.description).toMatch(/`````json\n[\s\S]*\n`````$/);
    expect(graph.task('etc')?.title).toBe('Climb\u202e [31m');
    const log = graph.task('b')?.log ?? [];
    expect(
      log
        .slice(0, -1)
        .map(({ message }) => message)
        .join(''),
    ).toBe('é'.repeat(10_000));
    expect(log.slice(0, -1).every(({ message }) => Buffer.byteLength(message) <= 16 * 1024)).toBe(true);
    expect(graph.task('b')?.description).toMatch(/^nul \u2400 half \ufffd end/);
  },
);

test('times in the future and unreadable ones do not hold a task back, a deferred one is held back', () => {
  const graph = graphOf();
  const times = { created_at: '2099-01-01T00:00:00Z', defer_until: '2030-01-01T00:00:00Z' };
  imported(jsonl(issue('a', times), issue('b', { created_at: 'yesterday', status: 'closed' })), graph);
  expect(graph.task('a')).toMatchObject({
    created_at: new Date(NOW).toISOString(),
    not_before: '2030-01-01T00:00:00.000Z',
  });
  expect(graph.task('b')).toMatchObject({ completed_at: new Date(NOW).toISOString() });
});

verifies('import.bounds', 'too many tasks, labels, levels or dependencies are refused by name, in linear time', () => {
  const plan = (tasks: Parameters<typeof importTasks>[1]['tasks']) =>
    importTasks(graphOf(), { tasks, broken: [], left: [] }, { ...OPTIONS, tracker: 'beads' });
  const many = Array.from({ length: IMPORT_LIMITS.tasks + 1 }, (_, index) => record(`t${index}`));
  expect(refusalOf(() => plan(many)).code).toBe('too_large');
  const deep = Array.from({ length: 60 }, (_, index) => record(`t${index}`, { parent: `t${index + 1}` }));
  expect(refusalOf(() => plan(deep)).message).toBe('Tasks are nested more than 50 deep.');
  const keys = Array.from({ length: 1_100 }, (_, index) => `t${index}`);
  expect(refusalOf(() => plan([record('a', { after: keys }), ...keys.map((key) => record(key))])).message).toContain(
    'a: more than 1000 dependencies',
  );
  expect(refusalOf(() => plan([record('a', { labels: keys })])).message).toContain('a: more than 100 labels');
  expect(refusalOf(() => plan([record('a', { text: 'x'.repeat(300_000) })])).message).toContain(
    'description is larger',
  );
  expect(refusalOf(() => plan([record('k'.repeat(300))])).message).toContain('an id of more than 200 characters');
  const wide = plan([record('a'), ...keys.map((key) => record(key, { parent: 'a' }))]).result;
  expect(wide.tasks.find(({ id }) => id === 'a')?.after).toHaveLength(1_000);
  expect(wide.warnings).toHaveLength(1);
  const inherited = [
    record('p', { after: keys.slice(0, 900) }),
    ...keys.slice(0, 900).map((key) => record(key)),
    ...Array.from({ length: 2_000 }, (_, index) => record(`c${index}`, { parent: 'p' })),
  ];
  expect(refusalOf(() => plan(inherited)).message).toBe('The nested tasks have more than 500000 dependencies.');
  const titles = Array.from({ length: 10_000 }, (_, index) => record(`t${index}`, { wish: '', title: 'Same' }));
  expect(new Set(plan(titles).result.tasks.map(({ id }) => id)).size).toBe(10_000);
});
