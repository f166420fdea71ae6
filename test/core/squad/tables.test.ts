import { expect, test } from 'vitest';
import { roleContent } from '#core/casting/agent-mapper.js';
import { describeSignals, hasSignals, signalIds } from '#core/casting/analysis.js';
import { bespokeRole } from '#core/casting/bespoke.js';
import { gitFiles } from '#core/squad/first-files.js';
import { splitBody } from '#core/squad/inbox-file.js';
import { surveySquad } from '#core/squad/layout.js';
import { changeSetHash, readDifference, readObjects, type SyncChange } from '#core/squad/sync.js';
import { allowedUniverses } from '#core/squad/universe.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const said = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code}: ${error.message}`;
  }
};

test('signals of a repository, as rules name them and as a sentence', () => {
  const none = {
    contents: [],
    languages: [],
    frameworks: [],
    tests: false,
    docs: false,
    ci: false,
    site: false,
    size: 'small',
  } as never;
  const of = (more: object) => ({ ...(none as object), ...more }) as never;
  const told = [
    none,
    of({ contents: ['text'], site: true }),
    of({ contents: ['text'] }),
    of({ contents: ['code', 'text'], languages: ['go'], tests: true }),
    of({ languages: ['go', 'rust'], frameworks: ['react'], size: 'large' }),
    of({ frameworks: ['react'] }),
    of({ tests: true, docs: true, ci: true }),
    of({ docs: true }),
    of({ ci: true }),
  ].map((signals) => `${hasSignals(signals)} ${[...signalIds(signals)].join(' ')} | ${describeSignals(signals)}`);
  expect(told).toMatchInlineSnapshot(`
    [
      "false  | The scan found no signals.",
      "true content.text site | A small repository of text for readers.",
      "true content.text | A small repository of text for readers.",
      "true content.code content.text language.go tests.present docs.absent ci.absent size.small | A small repository of code, text for readers in Go; it has tests and lacks docs, CI.",
      "true content.code language.go language.rust framework.react tests.absent docs.absent ci.absent size.large | A large repository in Go, Rust with React; it lacks tests, docs, CI.",
      "true content.code framework.react tests.absent docs.absent ci.absent size.small | A small repository with React; it lacks tests, docs, CI.",
      "true content.code tests.present docs.present ci.present size.small | A small repository; it has tests, docs, CI.",
      "true content.code tests.absent docs.present ci.absent size.small | A small repository; it has docs and lacks tests, CI.",
      "true content.code tests.absent docs.absent ci.present size.small | A small repository; it has CI and lacks tests, docs.",
    ]
  `);
});

test('a role of its own: what it needs, and what it is summed up by', () => {
  const role = { id: 'bee', title: ' Bee ', charter: '# Bee\n\nHums all day.\n\nMore.' };
  const summary = (more: object) => said(() => bespokeRole({ ...role, ...more }).archetype.summary);
  expect([
    summary({}),
    summary({ charter: '# Only a title' }),
    summary({ id: `${'#'.repeat(59)}xy` }),
    summary({ title: ' ' }),
    summary({ title: 'x'.repeat(300) }) === summary({}),
    summary({ title: 'x'.repeat(301) }),
    summary({ title: 'a\nb' }),
    summary({ charter: ' \n' }),
    summary({ charter: 'x'.repeat(TEAM_LIMITS.charterCharacters + 1) }),
  ]).toMatchInlineSnapshot(`
    [
      "Hums all day.",
      "Bee",
      "bad_input: The role "###########################################################…" needs an id of a-z, 0-9 and -.",
      "bad_input: The role "bee" needs a title of one line.",
      true,
      "bad_input: The role "bee" needs a title of one line.",
      "bad_input: The role "bee" needs a title of one line.",
      "bad_input: The role "bee" needs a charter.",
      "bad_input: The role "bee" has a charter of more than 20000 characters.",
    ]
  `);
  const { archetype } = bespokeRole(role);
  expect(
    [
      roleContent(archetype),
      roleContent({ ...archetype, summary: archetype.title }),
      roleContent({ ...archetype, domain: 'software' }),
    ].map(({ description }) => description),
  ).toEqual(['Bee\nHums all day.', 'Bee', 'Hums all day.']);
});

test('content and rationale of an entry', () => {
  const rationale = '**Rationale:** because';
  const mark = '**Rationale:**';
  expect([
    splitBody(' all of it \n'),
    splitBody(`first\n\n${mark} so \n more \n`),
    splitBody(`${mark} early\nx\n${mark} late`),
    splitBody(`text ${mark} within`),
    splitBody(rationale),
  ]).toMatchInlineSnapshot(`
    [
      {
        "content": "all of it",
        "rationale": "",
      },
      {
        "content": "first",
        "rationale": "so 
     more",
      },
      {
        "content": "**Rationale:** early
    x",
        "rationale": "late",
      },
      {
        "content": "text **Rationale:** within",
        "rationale": "",
      },
      {
        "content": "",
        "rationale": "because",
      },
    ]
  `);
});

test('lines for git are added once, whatever stands around them', () => {
  const first = gitFiles(new Map());
  const texts = new Map(first.map((change) => [change.path, 'text' in change ? change.text : '']));
  expect(gitFiles(texts as never)).toEqual([]);
  const spaced = new Map(
    [...texts].map(([path, text]) => [
      path,
      text
        .split('\n')
        .map((line) => `  ${line} `)
        .join('\n'),
    ]),
  );
  expect(gitFiles(spaced as never)).toEqual([]);
  const [[path = '', text = ''] = []] = [...texts];
  const lines = text.trimEnd().split('\n');
  const open = new Map([...texts, [path, lines.slice(1).join('\n')]]);
  expect(gitFiles(open as never)).toEqual([
    { kind: 'write', path, text: `${lines.slice(1).join('\n')}\n${lines[0]}\n` },
  ]);
});

test('in which form the state of a cast is kept', () => {
  const agents = JSON.stringify({
    agents: { neo: { name: 'Neo', memberId: 'm-1', status: 'Active', archetypeId: 'writer' } },
  });
  const foreign = JSON.stringify({
    agents: { neo: { persistent_name: 'Neo', legacy_named: false, status: 'active' } },
  });
  const surveyed = (texts: Record<string, string>) =>
    said(() => {
      const {
        layout,
        dialect,
        foreign: files,
        migration_available: migrates,
      } = surveySquad(new Map(Object.entries(texts)) as never);
      return `${layout} ${dialect} ${migrates} ${files.join(' ')}`;
    });
  expect([
    surveyed({}),
    surveyed({ '.squad/casting/registry.json': agents }),
    surveyed({ '.squad/casting/registry.json': foreign }),
    surveyed({ '.squad/casting/registry.json': '{"agents":{}}' }),
    surveyed({ '.squad/casting-registry.json': agents }),
    surveyed({ '.squad/casting-registry.json': agents, '.squad/casting/registry.json': agents }),
    surveyed({ '.squad/casting-policy.json': '{"allowlistUniverses":["Alien"]}' }),
    surveyed({ '.squad/casting/policy.json': '{"allowlistUniverses":["*"]}' }),
    surveyed({ '.squad/casting/policy.json': '{"universe_allowlist":["*"]}' }),
    surveyed({ '.squad/casting/history.json': '{"universe_usage_history":[]}' }),
    surveyed({ '.squad/casting/registry.json': '[' }),
    surveyed({ '.ai-team/casting/registry.json': agents }),
  ]).toMatchInlineSnapshot(`
    [
      "absent undefined false ",
      "canonical A false ",
      "canonical B true .squad/casting/registry.json",
      "absent undefined false ",
      "flat D true .squad/casting-registry.json",
      "canonical A true .squad/casting-registry.json",
      "flat D true .squad/casting-policy.json",
      "canonical A false ",
      "canonical C true .squad/casting/policy.json",
      "absent undefined false ",
      "corrupt: .squad/casting/registry.json is not a registry.",
      "canonical A false ",
    ]
  `);
});

test('universes that are allowed, and those without a pool', () => {
  const pools = [
    { name: 'Alien', names: [] },
    { name: 'Own', names: [], source: 'project' },
  ] as never;
  const policy = (...allowlistUniverses: string[]) => ({ allowlistUniverses }) as never;
  expect([
    allowedUniverses(undefined, pools),
    allowedUniverses(policy('alien', 'Dune'), pools),
    allowedUniverses(policy('Dune', 'Moon'), pools),
    allowedUniverses(policy('Own'), pools),
    allowedUniverses(policy(), pools),
  ]).toMatchInlineSnapshot(`
    [
      {
        "allowed": [
          "Alien",
        ],
        "withoutPool": [],
      },
      {
        "allowed": [
          "alien",
        ],
        "withoutPool": [
          "Dune",
        ],
      },
      {
        "allowed": [
          "Dune",
          "Moon",
        ],
        "withoutPool": [
          "Dune",
          "Moon",
        ],
      },
      {
        "allowed": [
          "Own",
        ],
        "withoutPool": [],
      },
      {
        "allowed": [],
        "withoutPool": [],
      },
    ]
  `);
});

test('changes of the team as git tells them, byte for byte', () => {
  const line = (status: string, name: string) => `:100644 100755 aaa bbb ${status}\0${name}\0`;
  const raw = [
    line('M', 'app/.squad/b'),
    line('A', 'app/.squad/a'),
    line('D', 'app/.squad/c'),
    line('T100', 'app/.squad/d'),
    line('M', 'other/.squad/x'),
    line('M', 'app/.squadron'),
  ].join('');
  const { changes, outside } = readDifference(raw, Buffer.from('app/'));
  expect([
    changes.map(({ path, ...rest }) => ({ path: path.toString(), ...rest })),
    outside.map(String),
  ]).toMatchInlineSnapshot(`
    [
      [
        {
          "kind": "added",
          "mode": "100755",
          "object": "bbb",
          "path": ".squad/a",
        },
        {
          "kind": "modified",
          "mode": "100755",
          "object": "bbb",
          "path": ".squad/b",
        },
        {
          "kind": "deleted",
          "mode": "100755",
          "path": ".squad/c",
        },
        {
          "kind": "modified",
          "mode": "100755",
          "object": "bbb",
          "path": ".squad/d",
        },
      ],
      [
        "other/.squad/x",
        "app/.squadron",
      ],
    ]
  `);
  expect(readDifference('', Buffer.from('')).changes).toEqual([]);
  const objects = readObjects('aaa blob 3\na\nb\nbbb blob 0\n\nccc missing\n');
  expect([...objects].map(([id, bytes]) => [id, bytes.toString()])).toEqual([
    ['aaa', 'a\nb'],
    ['bbb', ''],
  ]);
  expect(readObjects('aaa blob 3\na\nb\nbbb blob').size).toBe(1);
  const added: SyncChange = { path: Buffer.from('.squad/a'), kind: 'added', mode: '100644', object: 'aaa' };
  const deleted: SyncChange = { path: Buffer.from('.squad/a'), kind: 'deleted', mode: '000000' };
  const hash = (change: SyncChange, text?: string) =>
    changeSetHash([change], new Map(text === undefined ? [] : [['aaa', Buffer.from(text)]]));
  const hashes = [
    hash(added),
    hash(added, 'a'),
    hash(added, 'b'),
    hash({ ...added, mode: '100755' }, 'a'),
    hash(deleted),
  ];
  expect(new Set(hashes).size).toBe(5);
  expect([hash(deleted, 'a'), hash(added, 'a'), changeSetHash([], new Map())]).toEqual([hashes[4], hashes[1], '']);
  const [one] = changes;
  expect(changeSetHash([], objects)).toBe('');
  expect(new Set([changes, changes.slice(1), one ? [one] : []].map((some) => changeSetHash(some, objects))).size).toBe(
    3,
  );
});
