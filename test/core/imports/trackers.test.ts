import { expect, test } from 'vitest';
import { parseBacklog } from '#core/imports/backlog.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';
import { file, imported, jsonl, parsedFrom, tasksOf } from './records.js';

const NOON = '2026-03-21T10:00:00.000Z';

verifies('import.beads', 'issues of beads come with text, state, labels, comments, blockers and epic', () => {
  const graph = graphOf();
  const text = jsonl(
    {
      ...{ id: 'bd-1', title: 'Parser', status: 'in_progress', priority: 1, issue_type: 'epic', labels: ['core'] },
      ...{ description: 'Reads files.', design: 'By hand.', assignee: 'ann', created_at: '2026-01-02T03:04:05+01:00' },
    },
    {
      ...{ id: 'bd-1.1', title: 'Lexer', status: 'closed', closed_at: '2026-01-03T00:00:00Z', close_reason: 'Done' },
      dependencies: [{ issue_id: 'bd-1.1', depends_on_id: 'bd-1', type: 'parent-child' }],
    },
    {
      ...{ id: 'bd-1.2', title: 'Grammar', status: 'open', issue_type: 'task', estimated_minutes: 90 },
      comments: [{ author: 'bob', text: 'Needs care', created_at: '2026-01-04T00:00:00Z' }],
      dependencies: [
        { issue_id: 'bd-1.2', depends_on_id: 'bd-1', type: 'parent-child' },
        { issue_id: 'bd-1.2', depends_on_id: 'bd-1.1', type: 'blocks' },
        { issue_id: 'bd-1.2', depends_on_id: 'bd-9', type: 'related' },
      ],
    },
    { id: 'bd-0', title: 'Gone', status: 'tombstone', issue_type: 'task' },
    { _type: 'memory', key: 'rule', value: 'Be careful' },
  );
  const { left, tasks } = imported(text, graph);
  expect(left).toEqual([
    { key: 'bd-0', title: 'Gone', why: 'deleted there' },
    { key: 'rule', title: '', why: 'a memory, no issue' },
  ]);
  expect(tasks.map(({ id, status, state, paused, after }) => [id, status, state, paused, after])).toEqual([
    ['bd-1', 'open', 'in_progress', true, ['bd-1.1', 'bd-1.2']],
    ['bd-1.1', 'done', 'closed', false, []],
    ['bd-1.2', 'open', 'open', true, ['bd-1.1']],
  ]);
  expect(tasksOf(graph)).toMatchObject({
    'bd-1': {
      description:
        'Reads files.\n\n## Design\n\nBy hand.\n\nAlso in the imported record:\n\n```json\n{\n  "assignee": "ann"\n}\n```',
      tags: ['import:beads', 'label:core', 'type:epic', 'priority:1'],
      created_at: '2026-01-02T02:04:05.000Z',
      paused: true,
    },
    'bd-1.1': { completed_at: '2026-01-03T00:00:00.000Z', status: 'done' },
    'bd-1.2': { estimate: { hours: 1.5 } },
  });
  expect(graph.task('bd-1.2')?.log).toEqual([
    { timestamp: '2026-01-04T00:00:00.000Z', actor: 'beads:bob', message: 'Needs care' },
    { timestamp: NOON, actor: 'ann', message: 'Imported from beads: bd-1.2 (open)' },
  ]);
  expect(graph.task('bd-1.2')?.description).toContain('"depends_on_id": "bd-9"');
});

verifies('import.task-master', 'subtasks wait for what their task waits for, and the task waits for them', () => {
  const tasks = [
    { id: 1, title: 'Schema', status: 'done', dependencies: [], subtasks: [] },
    {
      ...{ id: '2', title: 'API', description: 'Serves.', details: 'With REST.', testStrategy: 'Call it.' },
      ...{ status: 'review', priority: 'high', dependencies: [1], complexity: 7 },
      subtasks: [
        { id: 1, title: 'Routes', status: 'pending', dependencies: [] },
        { id: 2, title: 'Errors', status: 'cancelled', dependencies: [1] },
        { id: '2.3', title: 'Docs', status: 'pending', dependencies: ['2.1'] },
      ],
    },
  ];
  const rows = (text: string) => imported(text).tasks.map(({ id, status, after }) => [id, status, after]);
  const expected = [
    ['tm-1', 'done', []],
    ['tm-2', 'open', ['tm-1', 'tm-2.1', 'tm-2.2', 'tm-2.3']],
    ['tm-2.1', 'open', ['tm-1']],
    ['tm-2.2', 'abandoned', ['tm-2.1']],
    ['tm-2.3', 'open', ['tm-2.1', 'tm-1']],
  ];
  expect(rows(JSON.stringify({ tasks }))).toEqual(expected);
  expect(rows(JSON.stringify({ master: { tasks, metadata: {} } }))).toEqual(expected);
  expect(rows(JSON.stringify({ master: tasks }))).toEqual(expected);
  const graph = graphOf();
  imported(
    JSON.stringify({ master: { tasks }, 'feature-x': { tasks: [{ id: 1, title: 'Other', status: 'pending' }] } }),
    graph,
  );
  expect(graph.task('tm-2')?.description).toBe(
    'Serves.\n\n## Details\n\nWith REST.\n\n## Test strategy\n\nCall it.\n\nAlso in the imported record:\n\n```json\n{\n  "complexity": 7\n}\n```',
  );
  expect(graph.task('feature-x-1')).toMatchObject({ title: 'Other', tags: ['import:task-master', 'label:feature-x'] });
  const editor = JSON.stringify({ version: '2.0.0', tasks: [{ label: 'build', type: 'shell', command: 'make' }] });
  expect(refusalOf(() => parsedFrom(editor)).code).toBe('bad_input');
});

verifies('import.backlog', 'files of Backlog.md come with their text; ids given twice are told apart', () => {
  const front = (value: object, body = '') => ({ value, body });
  const { tasks, left, broken } = parseBacklog([
    file(
      '',
      'tasks/a.md',
      front(
        { id: 'TASK-7', title: 'Save', status: 'In Progress', dependencies: ['task-3'] },
        '## Description\n\n<!-- SECTION:DESCRIPTION:BEGIN -->\nAs YAML.\n<!-- SECTION:DESCRIPTION:END -->\n',
      ),
    ),
    file(
      '',
      'tasks/b.md',
      front({ id: 'TASK-7.1', title: 'Load', status: 'To Do', labels: ['x'], assignee: ['@ann'] }),
    ),
    file(
      '',
      'completed/c.md',
      front({ id: 'task-3', title: 'Plan', status: 'Done', updated_date: '2026-01-02 10:30' }),
    ),
    file('', 'tasks/c.md', front({ id: 'task-3', title: 'Plan', status: 'To Do', updated_date: '2026-01-01' })),
    file('', 'tasks/d.md', front({ id: 'task-8', title: 'One', status: 'To Do' })),
    file('', 'tasks/e.md', front({ id: 'task-8', title: 'Two', status: 'To Do' })),
    file('', 'archive/tasks/f.md', front({ id: 'task-1', title: 'Old', status: 'To Do' })),
    file('', 'tasks/g.md', { fault: 'line 3: not understood' }),
  ]);
  expect(broken).toEqual([{ place: 'tasks/g.md', why: 'line 3: not understood' }]);
  expect(left).toEqual(
    [
      { key: 'task-1', title: 'Old', why: 'archived there' },
      { key: 'tasks/c.md', title: 'Plan', why: 'an older version of task-3' },
    ].sort((a, b) => (a.why < b.why ? 1 : -1)),
  );
  expect(tasks.map(({ key, wish, status, after, parent }) => ({ key, wish, status, after, parent }))).toEqual([
    { key: 'task-7', wish: 'TASK-7', status: 'open', after: ['task-3'], parent: undefined },
    { key: 'task-7.1', wish: 'TASK-7.1', status: 'open', after: [], parent: 'task-7' },
    { key: 'task-3', wish: 'task-3', status: 'done', after: [], parent: undefined },
    { key: 'task-8 One', wish: 'task-8', status: 'open', after: [], parent: undefined },
    { key: 'task-8 Two', wish: 'task-8', status: 'open', after: [], parent: undefined },
  ]);
  expect(tasks[0]?.text).toBe('## Description\n\nAs YAML.');
  expect(tasks[1]).toMatchObject({ labels: ['label:x'], rest: { assignee: ['@ann'] } });
  expect(tasks[2]?.ended).toBe('2026-01-02T10:30:00.000Z');
});

verifies('import.checklist', 'nested items come first, numbered ones in order, and the section is told', () => {
  const graph = graphOf();
  const text = `# Release\r
\r
- [ ] Ship **1.0** with [notes](https://example.org/n)\r
  - [x] Write the notes\r
  - [ ] Tag it\r
    It needs a key.\r
- [-] Rename it\r
\r
## Steps\r
1. [ ] First\r
2. [ ] Second\r
   - [ ] Part of the second\r
3. [/] Third\r
\r
\`\`\`\r
- [ ] no item\r
\`\`\`\r
`;
  expect(imported(`\ufeff${text}`, graph).tasks.map(({ id, status, after }) => [id, status, after])).toEqual(
    [
      ['first', 'open', []],
      ['part-of-the-second', 'open', ['first']],
      ['rename-it', 'abandoned', []],
      ['second', 'open', ['first', 'part-of-the-second']],
      ['ship-1-0-with-notes', 'open', ['tag-it', 'write-the-notes']],
      ['tag-it', 'open', []],
      ['third', 'open', ['second']],
      ['write-the-notes', 'done', []],
    ].map(([id, ...rest]) => [id, ...rest]),
  );
  expect(graph.task('tag-it')?.description).toMatch(/^It needs a key\.\n\nFrom the section Release\.$/);
  expect(graph.task('ship-1-0-with-notes')).toMatchObject({ title: 'Ship 1.0 with notes' });
  expect(graph.task('ship-1-0-with-notes')?.description).toContain('Ship **1.0** with [notes](https://example.org/n)');
});

test('an item without text is named, and one of marks alone keeps them', () => {
  const { tasks, left } = parsedFrom('# A\n\n- [ ]\n- [ ] **\n- [ ] `x`\n');
  expect(tasks.map(({ title }) => title)).toEqual(['**', 'x']);
  expect(left).toMatchObject([{ title: 'A', why: 'an item without text' }]);
});

const ISSUE = {
  ...{ number: 7, title: 'Crash', body: 'Depends on #3 and #4.\n\n- [ ] #9\n- [x] not one', state: 'OPEN' },
  ...{ labels: [{ name: 'bug' }], assignees: [{ login: 'ann' }], createdAt: '2026-01-01T00:00:00Z' },
  url: 'https://github.com/o/r/issues/7',
  comments: [{ author: { login: 'bob' }, body: 'Me too', createdAt: '2026-01-02T00:00:00Z' }],
};

verifies('import.github', 'issues come from the command line of GitHub and from its API', () => {
  const others = [3, 4, 9].map((number) => ({
    ...{ number, title: `No ${number}`, state: 'closed', state_reason: number === 4 ? 'not_planned' : 'completed' },
    ...{
      html_url: `https://github.com/o/r/issues/${number}`,
      node_id: 'x',
      comments: 2,
      user: { login: 'eve', id: 1 },
    },
  }));
  const pull = {
    number: 8,
    title: 'Fix',
    state: 'open',
    pull_request: { url: '…' },
    html_url: 'https://github.com/o/r/pull/8',
  };
  const graph = graphOf();
  const { tasks, left } = imported(JSON.stringify([ISSUE, ...others, pull]), graph);
  expect(left).toEqual([{ key: 'o/r#8', title: 'Fix', why: 'a pull request' }]);
  expect(tasks.map(({ id, key, status, state, after }) => [id, key, status, state, after])).toEqual([
    ['gh-3', 'o/r#3', 'done', 'closed', []],
    ['gh-4', 'o/r#4', 'abandoned', 'closed as not planned', []],
    ['gh-7', 'o/r#7', 'open', 'open', ['gh-3', 'gh-4', 'gh-9']],
    ['gh-9', 'o/r#9', 'done', 'closed', []],
  ]);
  expect(graph.task('gh-7')?.log?.[0]).toMatchObject({ actor: 'github:bob', message: 'Me too' });
  expect(graph.task('gh-3')?.description).toBe(
    'Also in the imported record:\n\n```json\n{\n  "url": "https://github.com/o/r/issues/3",\n  "author": "eve"\n}\n```',
  );
  const keys = (text: string) => parsedFrom(text).tasks.map(({ key }) => key);
  const pages = `[${JSON.stringify({ ...ISSUE, body: 'a][b' })}][${JSON.stringify(others[0])}]`;
  for (const text of [pages, JSON.stringify([[ISSUE], [others[0]]]), jsonl(ISSUE, others[0] ?? {})])
    expect(keys(text)).toEqual(['o/r#7', 'o/r#3']);
  expect(parsedFrom(pages).tasks[0]?.text).toBe('a][b');
  expect(keys(JSON.stringify({ total_count: 1, items: [ISSUE] }))).toEqual(['o/r#7']);
  expect(keys(JSON.stringify({ number: 1, title: 'Alone' }))).toEqual(['#1']);
});

verifies('import.workgraph', 'a graph of another project comes with its edges both ways and its own fields', () => {
  const graph = graphOf();
  const { tasks, left } = imported(
    jsonl(
      { kind: 'task', id: 'a', title: 'A', status: 'done', before: ['b'], completed_at: '2026-01-01T00:00:00Z' },
      {
        ...{ kind: 'task', id: 'b', title: 'B', status: 'in-progress', blocked_by: ['c'], after_success: ['c'] },
        ...{ exec: 'make', verify_cmd: 'make test', environment: { X: '1' }, assigned: 'agent-1', session_id: 's' },
        ...{ skills: ['go'], verify: 'Look at it', tags: ['edits-roles'] },
      },
      { kind: 'task', id: 'c', title: 'C', status: 'failed', cycle_config: { max_iterations: 3 }, after: ['c'] },
      { kind: 'actor', id: 'me', name: 'Me' },
    ),
    graph,
  );
  expect(left).toEqual([{ key: 'me', title: 'Me', why: 'of kind actor, no task' }]);
  expect(tasks.map(({ id, status, after, command }) => [id, status, after, command])).toEqual([
    ['a', 'done', [], false],
    ['b', 'open', ['c', 'a'], true],
    ['c', 'failed', ['c'], false],
  ]);
  expect(tasksOf(graph)['b']).toMatchObject({
    ...{ exec: 'make', verify_cmd: 'make test', environment: { X: '1' }, skills: ['go'], verify: 'Look at it' },
    ...{ tags: ['import:workgraph', 'label:edits-roles', 'eval-gate'], after_success: ['c'], paused: true },
  });
  expect(tasksOf(graph)['b']).not.toHaveProperty('session_id');
  expect(graph.task('b')?.description).toContain('"assigned": "agent-1"');
  expect(graph.task('c')?.cycle_config).toEqual({ max_iterations: 3 });
});

test('a file without tasks is told from one of a tracker, and --from decides', () => {
  expect(refusalOf(() => parsedFrom('Just words.')).message).toContain('holds no tasks of a known tracker');
  expect(refusalOf(() => parsedFrom('{"a":1}')).code).toBe('bad_input');
  const both = '{"id":"x","title":"- [ ] y","priority":1}';
  expect(parsedFrom(both).tracker).toBe('beads');
  expect(parsedFrom('- [ ] y', 'beads').broken).toEqual([{ place: 'line 1', why: 'not a JSON object' }]);
});
