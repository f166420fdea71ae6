import { expect, test } from 'vitest';
import { isPreviousVersion, normalisedCell, plainCell, sameJsonText, sameMarkdown } from '#core/squad/file-change.js';
import { historyFromJson, registryFromJson } from '#core/squad/foreign-files.js';
import { checkedEntry, readInbox, renderInboxFile } from '#core/squad/inbox-file.js';
import { markdownTeam } from '#core/squad/markdown-team.js';
import { rebuildRegistry } from '#core/squad/registry.js';
import { readTeamFile, renderTeamFile } from '#core/squad/team-file.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

test('entries of a registry of another tool: what each odd value is taken for', () => {
  const one = (entry: unknown, key = 'neo') => {
    const { style, events, badLines } = registryFromJson(
      JSON.stringify({ agents: { [key]: entry } }),
      'r.json',
      new Map(),
    ) ?? { style: 'none', events: [], badLines: [] };
    const [{ status, rev, x } = {}] = events;
    return [style, status ?? null, rev ?? null, x ?? null, badLines.length];
  };
  const named = (more: object) => one({ name: 'Neo', ...more });
  expect({
    active: named({ status: 'Active' }),
    'active in small letters': named({ status: 'active' }),
    'no status': named({}),
    'a number': named({ status: 7 }),
    nothing: named({ status: null }),
    gone: named({ status: 'Former' }),
    retired: named({ status: 'Retired' }),
    'within a word': named({ status: 'performer' }),
    'a key in snake case': one({ name: 'Neo', status: 'Active', own_key: 1 }),
    'revision 1': named({ status: 'Active', rev: 1 }),
    'revision 2': named({ status: 'Active', rev: 2 }),
    'revision 0': named({ status: 'Active', rev: 0 }),
    'half a revision': named({ status: 'Active', rev: 2.5 }),
    'a revision in words': named({ status: 'Active', rev: '2' }),
    'extra that is no object': named({ status: 'Active', x: 7 }),
    'extra and others': named({ status: 'On leave', x: { a: 1 }, b: 2 }),
    'a list': one([]),
    'no name': one({ name: ' ' }, '../x'),
  }).toEqual({
    active: ['camel', 'Active', 1, null, 0],
    'active in small letters': ['snake', 'Active', 1, null, 0],
    'no status': ['snake', 'Active', 1, null, 0],
    'a number': ['snake', 'Active', 1, null, 0],
    nothing: ['snake', 'Active', 1, null, 0],
    gone: ['snake', 'Retired', 1, null, 0],
    retired: ['camel', 'Retired', 1, null, 0],
    'within a word': ['snake', 'Active', 1, { status: 'performer' }, 0],
    'a key in snake case': ['snake', 'Active', 1, { own_key: 1 }, 0],
    'revision 1': ['camel', 'Active', 1, null, 0],
    'revision 2': ['camel', 'Active', 2, null, 0],
    'revision 0': ['camel', 'Active', 1, null, 0],
    'half a revision': ['camel', 'Active', 1, null, 0],
    'a revision in words': ['camel', 'Active', 1, null, 0],
    'extra that is no object': ['camel', 'Active', 1, null, 0],
    'extra and others': ['snake', 'Active', 1, { a: 1, b: 2, status: 'On leave' }, 0],
    'a list': ['camel', null, null, null, 1],
    'no name': ['camel', null, null, null, 1],
  });
});

test('the members of a cast of another tool: names, entries with names, names by role, and nothing else', () => {
  const members = (value: unknown) => {
    const cast = { snapshotId: 's', universe: 'Dune', createdAt: '', members: value };
    return historyFromJson(JSON.stringify({ snapshots: [cast] }), 'h.json')?.snapshots[0]?.members;
  };
  expect([
    members(['A', { name: 'B' }, { persistent_name: 'C' }, { persistentName: 'D' }, { role: 'x' }, 7, null, [1]]),
    members({ lead: 'A', qa: {}, cook: { name: 'B' }, '7': {}, gone: 7, list: [] }),
    members(undefined),
    members('A'),
  ]).toEqual([['A', 'B', 'C', 'D'], ['A', 'qa', 'B'], [], []]);
});

const entry = (slug: string, more: object = {}) => ({
  ...{ agent: 'neo', slug, type: 'scope', title: 'T', content: 'c', rationale: '', ...more },
});

/** A file as it lies in the inbox. */
function inboxFile(path: string, fields: ReturnType<typeof entry>) {
  const checked = checkedEntry(fields);
  if ('reason' in checked) throw new Error(checked.reason);
  return { path, text: renderInboxFile(checked.entry), sha256: path };
}

test('of several files of one entry the one with its own name counts, else that with its member, else the first', () => {
  const folder = '.squad/decisions/inbox';
  const other = (title: string) => entry('s', { title });
  const read = (...files: (readonly [string, ReturnType<typeof entry>])[]) => {
    const { entries, skipped } = readInbox({
      files: files.map(([name, fields]) => inboxFile(`${folder}/${name}`, fields)),
      more: false,
    });
    return [entries.map(({ file }) => file), skipped.map(({ file, reason }) => `${file}: ${reason}`)].map((list) =>
      list.map((text) => text.replaceAll(`${folder}/`, '')),
    );
  };
  const why = (file: string) => `has agent and slug of ${file}`;
  const [own, withMember] = ['s.md', 's--neo.md'];
  expect({
    own: read(['a.md', other('A')], [own, other('B')], [withMember, other('C')]),
    'with its member': read(['a.md', other('A')], [withMember, other('C')], ['z.md', other('D')]),
    'the first': read(['a.md', other('A')], ['b.md', other('B')]),
    'the same twice': read(['a.md', other('A')], ['b.md', other('A')]),
    'of another member': read([own, other('A')], ['b.md', entry('s', { agent: 'tank' })]),
  }).toEqual({
    own: [[own], [`a.md: ${why(own)}`, `${withMember}: ${why(own)}`]],
    'with its member': [[withMember], [`a.md: ${why(withMember)}`, `z.md: ${why(withMember)}`]],
    'the first': [['a.md'], [`b.md: ${why('a.md')}`]],
    'the same twice': [['a.md', 'b.md'], []],
    'of another member': [[own, 'b.md'], []],
  });
  expect(
    readInbox({
      files: [
        { path: 'x.md', problem: 'is too large' },
        { path: 'y.md', text: '', sha256: '' },
      ],
      more: true,
    }),
  ).toEqual({
    entries: [],
    skipped: [
      { file: 'x.md', reason: 'is too large' },
      { file: 'y.md', reason: 'has no front matter between two lines of ---' },
      { file: folder, reason: `holds more than ${TEAM_LIMITS.inboxFiles} files: the rest was ignored` },
    ],
  });
});

test('an entry is written plain where it is read so, else quoted; a second block is one with fields', () => {
  const title = (text: string) => {
    const checked = checkedEntry(entry('s', { title: text }));
    return 'reason' in checked ? checked.reason : /^title: (.*)$/m.exec(renderInboxFile(checked.entry))?.[1];
  };
  expect(["it's", '"a"', "'a'", '{a}', 'a: b', '#a', '-', '>a'].map(title)).toEqual([
    ...["it's", '"\\"a\\""', '"\'a\'"', '"{a}"', 'a: b', '#a', '-', '">a"'],
  ]);
  const content = (text: string) => 'entry' in checkedEntry(entry('s', { content: text }));
  const rows = [
    ...['---\n---', '---\na: b\n---', '---\n\na: b\n\n---\nx', '---\na: b\nc\n---', '---\na: b', '--- x\na: b\n---'],
    'x\n---\na: b\n---',
  ];
  expect(rows.map(content)).toEqual([true, false, false, true, true, true, true]);
  const body = { content: 'x\n', rationale: ' because\n' };
  expect(checkedEntry({ ...entry('s'), ...body })).toEqual({
    entry: { ...entry('s'), content: 'x', rationale: 'because' },
  });
});

test('how a text is laid out is no difference, what it says is', () => {
  const rows: readonly (readonly [string | undefined, string, boolean])[] = [
    [undefined, '', false],
    ['', '', true],
    ['a\n\nb\n', 'a\r\nb', true],
    ['* a', '- a', true],
    ['+  a  b', '- a b', true],
    ['*a', '- a', false],
    ['a', 'b', false],
    ['| a | b |\n| --- | --- |', '|a|b|\n|:-|-:|', true],
    ['| a |', 'a', false],
    ['| `a` | [x](y) |', '| a | y |', true],
    ['| [a/b](c) |', '| a/b |', true],
    ['| **a** |', '| a |', true],
    ['**a**', 'a', false],
    ['| a \\| b |', '| a | b |', false],
    ['\ufeff# T', '# T', true],
  ];
  for (const [left, right, same] of rows) expect(sameMarkdown(left, right), `${left} / ${right}`).toBe(same);
  expect([
    sameJsonText('{"a":1,"b":2}', '{ "b": 2, "a": 1 }'),
    sameJsonText('{"a":1}', '{"a":2}'),
    sameJsonText(undefined, '{}'),
    sameJsonText('{}', ''),
    sameJsonText('[', '['),
    sameJsonText(undefined, ''),
  ]).toEqual([true, false, false, false, false, false]);
  expect([normalisedCell(' [n](p) `c`  **b** '), plainCell('🚀 Neo'), normalisedCell('🚀')]).toEqual([
    'p c b',
    'Neo',
    '🚀',
  ]);
  expect(['a.prev.md', 'a.prev.0123abcd.md', 'a.prev.xyz.md', 'a.md'].map(isPreviousVersion)).toEqual([
    ...[true, true, false, false],
  ]);
});

const FACTS = {
  ...{ project: 'zion', universe: 'Dune', leader: 'Coordinator', created: '2026-01-01', requestedBy: 'ann' },
  description: 'A  line\nmore',
  records: rebuildRegistry(JSON.stringify({ name: 'Neo', status: 'Active', rev: 1, roleTitle: 'A|B' })).records,
};

test('what a person wrote into each section of the page of a team stays there', async () => {
  const page = [
    '# Our crew',
    '  > zion',
    'Before.',
    '> Said.',
    '## Coordinator',
    'The Coordinator hands out the work as before.',
    '> zion',
    '## Members',
    '| Name | Role |',
    '|---|---|',
    '| Neo | Old |',
    '| Bot | Helper |',
    'Below.  ',
    '## Project Context',
    '- **Created:** long ago',
    '- **Ship:** Nebuchadnezzar',
    'Loose.',
    '## Rules',
    'None.',
  ].join('\n');
  const render = (text: string, more: object = {}) => renderTeamFile({ ...FACTS, ...more }, readTeamFile(text));
  const again = render(page);
  expect(again).toMatchInlineSnapshot(`
    "# Our crew

    > zion

    Before.
    > Said.

    ## Coordinator

    The Coordinator hands out the work and keeps the order of it; who takes what stands in [routing.md](routing.md). The Coordinator leads this team itself.

    > zion

    ## Members

    | Name | Role | Charter | Status |
    | --- | --- | --- | --- |
    | Neo | A\\|B | \`.squad/agents/neo/charter.md\` | Active |

    Below.

    ## Project Context

    - **Project:** zion
    - **Universe:** Dune
    - **Created:** long ago
    - **Requested by:** ann
    - **Description:** A line more
    - **Ship:** Nebuchadnezzar

    Loose.

    ## Rules
    None.
    "
  `);
  expect(render(again)).toBe(again);
  expect(render(again, { leader: 'Neo' })).toBe(
    again.replace('The Coordinator leads this team itself.', 'Neo leads this team.'),
  );
  const foreign = render(page.replace('The Coordinator hands', 'Neo hands'));
  expect(foreign.split('## Other Members')[1]).toMatchInlineSnapshot(`
    "

    | Name | Role |
    |---|---|
    | Bot | Helper |

    ## Rules
    None.
    "
  `);
});

test('the built-in members of a page are those of every team', () => {
  const rows = ['Coordinator', 'Scribe', 'Ralph', 'Rai', 'Neo'].map((name) => `| ${name} | R | | |`);
  const team = markdownTeam(new Map([['.squad/team.md', `## Members\n${rows.join('\n')}\n`]]));
  expect(
    team?.events.map(({ name, builtIn, archetypeId, universe }) => [name, builtIn, archetypeId, universe]),
  ).toMatchInlineSnapshot(`
    [
      [
        "Coordinator",
        true,
        "coordinator",
        undefined,
      ],
      [
        "Scribe",
        true,
        "scribe",
        undefined,
      ],
      [
        "Ralph",
        true,
        "work-monitor",
        undefined,
      ],
      [
        "Rai",
        true,
        "rai-reviewer",
        undefined,
      ],
      [
        "Neo",
        undefined,
        undefined,
        "descriptive",
      ],
    ]
  `);
});
