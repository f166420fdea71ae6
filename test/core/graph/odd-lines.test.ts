import { expect, test } from 'vitest';
import { conflictRegions, modernTask, nodeLine, parseGraph } from '#core/graph/line.js';
import { entryProblem, isFromLaterVersion, nodeProblem, withoutNulls } from '#core/graph/record-problem.js';
import { task } from './graph.js';

test('where git left a conflict: its marks, the lines of either side, and marks that are none', () => {
  const regions = (text: string) => {
    // One letter a line: begin, quoted, divided, end; anything else is a line.
    const marks: Readonly<Record<string, string>> = { b: '<<<<<<< a', q: '||||||| b', d: '=======', e: '>>>>>>> c' };
    const found = conflictRegions([...text].map((letter) => marks[letter] ?? letter));
    return [[...found.marks].join(), [...found.inside].join(), found.begins.join()].join(' / ');
  };
  expect(
    Object.fromEntries(
      [
        '',
        'xy',
        'xb1d2ey',
        'b1q0d2e',
        'bde',
        'b1d2',
        'b1e',
        '1d2e',
        'bb1d2e',
        'b1d2d3e',
        'b1q0q0d2q3e',
        'b1deb2de',
        'b1de2e',
        'b1dq2e',
      ].map((text) => [text, regions(text)]),
    ),
  ).toMatchInlineSnapshot(`
    {
      "": " /  / ",
      "1d2e": " /  / ",
      "b1d2": " /  / ",
      "b1d2d3e": "0,2,6 / 1,3,4,5 / 1",
      "b1de2e": "0,2,3 / 1 / 1",
      "b1deb2de": "0,2,3,4,6,7 / 1,5 / 1,5",
      "b1dq2e": "0,2,5 / 1,3,4 / 1",
      "b1e": " /  / ",
      "b1q0d2e": "0,2,3,4,6 / 1,5 / 1",
      "b1q0q0d2q3e": "0,2,3,4,5,6,10 / 1,7,8,9 / 1",
      "bb1d2e": "1,3,5 / 2,4 / 2",
      "bde": "0,1,2 /  / 1",
      "xb1d2ey": "1,3,5 / 2,4 / 2",
      "xy": " /  / ",
    }
  `);
});

test('a graph as anybody may have left it: nodes, comments, bad lines, the same twice, conflicts', () => {
  const node = (id: string, more: object = {}) =>
    JSON.stringify({ kind: 'task', id, title: id, status: 'open', ...more });
  const text = [
    `\ufeff${node('a')}`,
    '# said',
    '# said',
    ' ',
    node('a', { title: 'again' }),
    'no json',
    '[]',
    '{"kind":"task"}',
    '=======',
    '<<<<<<< ours',
    '# said',
    '# ours',
    node('b', { title: 'ours' }),
    '=======',
    node('b', { title: 'theirs' }),
    'broken',
    '>>>>>>> theirs',
    node('c', { status: 'pending-review', blocked_by: ['a', 'b'], after: ['b'], blocks: [], model: null }),
    '{"kind":"own","id":"d","x":null}',
  ].join('\n');
  const { nodes, comments, bad, duplicates, conflicts, candidates } = parseGraph(text);
  expect({
    nodes: [...nodes.values()].map((one) => nodeLine(one)),
    bad: bad.map(({ line, text: of, reason }) => `${line} ${of}: ${reason}`),
    candidates: candidates.map((one) => nodeLine(one)),
    ...{ comments, duplicates, conflicts },
  }).toMatchInlineSnapshot(`
    {
      "bad": [
        "6 no json: not a JSON object",
        "7 []: not a JSON object",
        "8 {"kind":"task"}: no "id"",
        "9 =======: a git conflict marker",
        "16 broken: not a JSON object",
      ],
      "candidates": [
        "{"kind":"task","id":"b","title":"ours","status":"open"}",
        "{"kind":"task","id":"b","title":"theirs","status":"open"}",
      ],
      "comments": [
        "# said",
        "# said",
        "# ours",
      ],
      "conflicts": [
        10,
      ],
      "duplicates": [
        {
          "id": "a",
          "line": 5,
        },
      ],
      "nodes": [
        "{"kind":"task","id":"a","title":"again","status":"open"}",
        "{"kind":"task","id":"c","title":"c","status":"done","after":["b","a"]}",
        "{"kind":"own","id":"d","x":null}",
      ],
    }
  `);
  const modern = (value: object) => modernTask(value as never);
  const identity = { role_id: 'r-1', motivation_id: 'm_1' };
  expect([
    modern({ blocked_by: [] }),
    modern({ blocked_by: 'a', blocks: ['x'] }),
    modern({ blocks: ['x', 'y'], before: ['y'] }),
    modern({ after: 7, blocked_by: ['a'] }),
    modern({ identity }),
    modern({ identity, agent: 'bot' }),
    modern({ identity: { ...identity, role_id: 'a b' } }),
    modern({ identity: { ...identity, motivation_id: 'a\n' } }),
    modern({ identity: { ...identity, motivation_id: 7 } }),
    modern({ identity: 'r-1' }),
  ]).toMatchInlineSnapshot(`
    [
      {},
      {
        "before": [
          "x",
        ],
        "blocked_by": "a",
      },
      {
        "before": [
          "y",
          "x",
        ],
      },
      {
        "after": 7,
        "blocked_by": [
          "a",
        ],
      },
      {
        "agent": "af92a75d1a1aef5a123e301f8961f651c8912bb93c1caacf4a9462030dc7d87e",
        "identity": {
          "motivation_id": "m_1",
          "role_id": "r-1",
        },
      },
      {
        "agent": "bot",
        "identity": {
          "motivation_id": "m_1",
          "role_id": "r-1",
        },
      },
      {
        "identity": {
          "motivation_id": "m_1",
          "role_id": "a b",
        },
      },
      {
        "identity": {
          "motivation_id": "a
    ",
          "role_id": "r-1",
        },
      },
      {
        "identity": {
          "motivation_id": 7,
          "role_id": "r-1",
        },
      },
      {
        "identity": "r-1",
      },
    ]
  `);
  expect(
    [
      { id: 'a', kind: 'task', own: 0, title: '', status: 'open', paused: false, rev: 0, after: [], log: [1] },
      { kind: 'task', id: 'a', title: 't', status: 'open', own: false },
      { kind: 'own', id: 'a', title: '' },
    ].map((one) => nodeLine(one as never)),
  ).toMatchInlineSnapshot(`
    [
      "{"kind":"task","id":"a","status":"open","log":[1],"own":0}",
      "{"kind":"task","id":"a","title":"t","status":"open","own":false}",
      "{"kind":"own","id":"a","title":""}",
    ]
  `);
});

test('a field of the wrong form makes a line no task, and one without a value is not there', () => {
  const texts =
    'title description assigned exec delay not_before created_at started_at completed_at failure_reason model provider endpoint verify verify_cmd agent last_iteration_completed_at ready_after visibility context_scope exec_mode session_id checkpoint last_resurrected_at supersedes parent created_by team member conversation plan_of timeout in merged';
  const numbers =
    'retry_count max_retries loop_iteration cycle_failure_restarts resurrection_count rejection_count max_rejections fence rev';
  const flags = 'paused unplaced converge_on_done plan_required require_commit hands_in';
  const lists =
    'before after after_success requires tags skills inputs deliverables artifacts superseded_by place_near place_before log';
  const objects = 'estimate cycle_config token_usage wait_condition environment reserve cycle_ended formation_gate';
  const forms = { text: 'x', number: 1, flag: true, list: [], object: {} };
  const takes = (field: string) =>
    Object.entries(forms).flatMap(([form, value]) =>
      nodeProblem({ ...task(), [field]: value }) === undefined ? [form] : [],
    );
  for (const [words, form] of [
    [texts, 'text'],
    [numbers, 'number'],
    [flags, 'flag'],
    [lists, 'list'],
    [objects, 'object'],
  ] as const)
    for (const field of words.split(' ')) {
      expect(takes(field), field).toEqual([form]);
      expect(Object.keys(withoutNulls({ id: 'a', [field]: null })), field).toEqual(['id']);
    }
  expect(takes('of_others')).toEqual(Object.keys(forms));
  expect(withoutNulls({ of_others: null, title: null, id: 'a' })).toEqual({ of_others: null, id: 'a' });
  const message = { timestamp: 't', message: 'm' };
  expect(
    [
      { kind: 7 },
      { kind: 'own', id: '' },
      { kind: 'own', id: 'a', title: 7 },
      { ...task(), title: undefined },
      { ...task(), status: 'odd' },
      { ...task(), tags: ['a', 7] },
      { ...task(), tags: [7, 'a'] },
      { ...task(), model: 7, tags: 7 },
      { ...task(), log: ['x'] },
      { ...task(), log: [message, { ...message, actor: 'a' }, { ...message, actor: null }] },
      { ...task(), log: [message, { timestamp: 't' }] },
      { ...task(), log: [{ message: 'm' }] },
      { ...task(), log: [{ ...message, actor: 7 }] },
    ].map((value) => nodeProblem(value as never) ?? 'none'),
  ).toMatchInlineSnapshot(`
    [
      "no "kind"",
      "no "id"",
      "none",
      "a task without "title"",
      "an unknown "status"",
      ""tags" contains something other than text",
      ""tags" contains something other than text",
      ""model" is not text",
      ""log" contains something other than messages with times",
      "none",
      ""log" contains something other than messages with times",
      ""log" contains something other than messages with times",
      ""log" contains something other than messages with times",
    ]
  `);
});

test('an entry of the log: what makes it none, and what only a later version understands', () => {
  const entry = { seq: 1, op: 'edit', id: 'e', timestamp: 't', patch: [] };
  const patch = (...items: unknown[]) => ({ ...entry, patch: items });
  const rows: Readonly<Record<string, object>> = {
    'an entry': { ...entry, prev: 'p', tx: [1, 2], detail: {} },
    'seq 0': { ...entry, seq: 0 },
    'half a seq': { ...entry, seq: 1.5 },
    'no op': { ...entry, op: 7 },
    'no id': { ...entry, id: '' },
    'an id that is a number': { ...entry, id: 7 },
    'no time': { ...entry, timestamp: 7 },
    'odd prev': { ...entry, prev: 7 },
    'odd detail': { ...entry, detail: [] },
    'no patch': { ...entry, patch: {} },
    'tx 1 of 1': { ...entry, tx: [1, 1] },
    'tx 0 of 1': { ...entry, tx: [0, 1] },
    'tx 2 of 1': { ...entry, tx: [2, 1] },
    'tx of three': { ...entry, tx: [1, 1, 1] },
    'tx in words': { ...entry, tx: ['1', 2] },
    'tx 1 of many': { ...entry, tx: [1, '2'] },
    'tx in one word': { ...entry, tx: '12' },
    'a patch of nobody': patch({}),
    'a patch in words': patch('x'),
    put: patch({ id: 'a', put: task() }),
    'put of another': patch({ id: 'b', put: task() }),
    'put of no task': patch({ id: 'a', put: { id: 'a', kind: 'task' } }),
    'put in words': patch({ id: 'a', put: 'x' }),
    set: patch({ id: 'a', set: { status: 'done', own: 1 } }),
    'set to an odd status': patch({ id: 'a', set: { status: 'odd' } }),
    'set an odd field': patch({ id: 'a', set: { tags: 7 } }),
    'set in words': patch({ id: 'a', set: 'x' }),
    unset: patch({ id: 'a', unset: ['x'], log: [{}] }),
    'unset numbers': patch({ id: 'a', unset: ['x', 7] }),
    'unset a word': patch({ id: 'a', unset: 'x' }),
    'log of words': patch({ id: 'a', log: ['x'] }),
    'log that is none': patch({ id: 'a', log: {} }),
    'second is odd': patch({ id: 'a' }, { id: 7 }),
    'a part of later': patch({ id: 'a' }, { id: 'a', later: 1 }),
    'form 1': { ...entry, format: 1 },
    'form 2': { ...entry, format: 2 },
    'known parts': patch({ id: 'a', put: task(), set: {}, unset: [], log: [], log_at: 0, del: true, to: 1, kept: 1 }),
  };
  const told = Object.entries(rows).map(([name, value]) => {
    const later = isFromLaterVersion(value as never) ? ', of a later version' : '';
    return [name, `${entryProblem(value as never) ?? 'fine'}${later}`];
  });
  expect(Object.fromEntries(told)).toMatchInlineSnapshot(`
    {
      "a part of later": "fine, of a later version",
      "a patch in words": "an entry with an unusable "patch"",
      "a patch of nobody": "an entry with an unusable "patch"",
      "an entry": "fine",
      "an id that is a number": "an entry without "id"",
      "form 1": "fine",
      "form 2": "fine, of a later version",
      "half a seq": "an entry with an unusable "seq"",
      "known parts": "fine",
      "log of words": "an entry with an unusable "patch"",
      "log that is none": "an entry with an unusable "patch"",
      "no id": "an entry without "id"",
      "no op": "an entry without "op"",
      "no patch": "an entry without "patch"",
      "no time": "an entry without "timestamp"",
      "odd detail": "an entry with an unusable "detail"",
      "odd prev": "an entry with an unusable "prev"",
      "put": "fine",
      "put in words": "an entry with an unusable "patch"",
      "put of another": "an entry with an unusable "patch"",
      "put of no task": "an entry with an unusable "patch"",
      "second is odd": "an entry with an unusable "patch"",
      "seq 0": "an entry with an unusable "seq"",
      "set": "fine",
      "set an odd field": "an entry with an unusable "patch"",
      "set in words": "an entry with an unusable "patch"",
      "set to an odd status": "an entry with an unusable "patch"",
      "tx 0 of 1": "an entry with an unusable "tx"",
      "tx 1 of 1": "fine",
      "tx 1 of many": "an entry with an unusable "tx"",
      "tx 2 of 1": "an entry with an unusable "tx"",
      "tx in one word": "an entry with an unusable "tx"",
      "tx in words": "an entry with an unusable "tx"",
      "tx of three": "an entry with an unusable "tx"",
      "unset": "fine",
      "unset a word": "an entry with an unusable "patch"",
      "unset numbers": "an entry with an unusable "patch"",
    }
  `);
});
