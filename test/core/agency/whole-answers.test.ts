import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { assignTask } from '#core/agency/assign.js';
import { candidateBlocks } from '#core/agency/candidates.js';
import { candidatesOf } from '#core/agency/choose.js';
import { editAgent, editRole, editTradeoff, freeName, nameWarnings } from '#core/agency/entity-edits.js';
import { fileText } from '#core/agency/entity-text.js';
import { loadOf } from '#core/agency/match.js';
import { performanceIn } from '#core/agency/performance-text.js';
import { performanceOf } from '#core/agency/read.js';
import { ownRecord } from '#core/agency/record-text.js';
import { branchName, gitPlaceOf } from '#core/agency/remote-address.js';
import { trialIdentity, trialRecords } from '#core/agency/trial-identity.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { ann, codeOf, graphOf, NOW } from '../graph/graph.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const said = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return `${error.code}: ${error.message} ${error.hint}`;
  }
};

test('which addresses of repositories are taken, and why others are not', () => {
  const texts = [
    ...['https://example.org/a.git', 'ssh://git@example.org/a', 'git@example.org:a/b', 'file:///srv/a.git'],
    ...['http://example.org/a', 'ext::sh -c x', 'a@b::c', 'a://b@c:d', '-u@host:path', 'u@-host:path', 'u@host:-path'],
    ...['https://user@example.org/a', 'https://example.org/a?token=x', 'https://example.org/a#x', 'ssh://u:p@h/a'],
    ...['file://host/a', 'https://', 'ssh://-host/a', 'ssh://%2Du@host/a', 'https://%ff@host/', '/srv/a', 'a b', ''],
    `https://example.org/${'x'.repeat(AGENCY_LIMITS.remoteAddressCharacters)}`,
  ];
  const told = texts.map((text) => {
    const place = said(() => gitPlaceOf(text));
    return `${text.slice(0, 40)} → ${typeof place === 'string' ? place.split(' Use ')[0] : (place as { protocols: string }).protocols}`;
  });
  expect(told).toMatchInlineSnapshot(`
    [
      "https://example.org/a.git → https:ssh",
      "ssh://git@example.org/a → https:ssh",
      "git@example.org:a/b → https:ssh",
      "file:///srv/a.git → file",
      "http://example.org/a → bad_input: http://example.org/a uses an unsupported protocol.",
      "ext::sh -c x → bad_input: ext::sh -c x is not an address.",
      "a@b::c → bad_input: a@b::c uses an unsupported protocol.",
      "a://b@c:d → bad_input: a://…@c:d uses an unsupported protocol.",
      "-u@host:path → bad_input: -u@host:path has a part that starts with a dash.",
      "u@-host:path → bad_input: u@-host:path has a part that starts with a dash.",
      "u@host:-path → bad_input: u@host:-path has a part that starts with a dash.",
      "https://user@example.org/a → bad_input: https://…@example.org/a contains credentials. Remove them: git asks your credential helper (\`git help credentials\`).",
      "https://example.org/a?token=x → bad_input: https://example.org/a… contains credentials. Remove them: git asks your credential helper (\`git help credentials\`).",
      "https://example.org/a#x → bad_input: https://example.org/a… contains credentials. Remove them: git asks your credential helper (\`git help credentials\`).",
      "ssh://u:p@h/a → bad_input: ssh://…@h/a contains credentials. Remove them: git asks your credential helper (\`git help credentials\`).",
      "file://host/a → bad_input: file://host/a names a file on another machine.",
      "https:// → bad_input: https:// is not an address.",
      "ssh://-host/a → bad_input: ssh://-host/a names no host.",
      "ssh://%2Du@host/a → bad_input: ssh://…@host/a names no host.",
      "https://%ff@host/ → bad_input: https://…@host/ is not an address.",
      "/srv/a → bad_input: /srv/a uses an unsupported protocol.",
      "a b → bad_input: a b is not an address.",
      " → bad_input:  uses an unsupported protocol.",
      "https://example.org/xxxxxxxxxxxxxxxxxxxx → bad_input: https://example.org/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is not an address.",
    ]
  `);
  const most = 'x'.repeat(AGENCY_LIMITS.remoteBranchCharacters);
  for (const name of ['main', 'a/b', 'v1.0', most]) expect(branchName(name)).toBe(name);
  for (const name of ['', '-x', 'a..b', 'a//b', 'a/.b', 'a.lock', 'a.lock/b', 'a/', 'a.', 'a b', `${most}x`])
    expect(
      codeOf(() => branchName(name)),
      name,
    ).toBe('bad_input');
});

test('scores are read as they were written, or not at all', () => {
  const one = '{"score":0.5,"task_id":"a","timestamp":"t","context_id":"c"}';
  const full = `${one.slice(0, -1)},"evaluation_id":"e","source":"s"}`;
  const whole = (scores: string, head = '"task_count":2,"avg_score":0.5') => `{${head},"evaluations":[${scores}]}`;
  expect(performanceIn(whole(`${one},${full}`))).toEqual({
    ...{ task_count: 2, avg_score: 0.5 },
    evaluations: [
      { score: 0.5, task_id: 'a', timestamp: 't', context_id: 'c' },
      { score: 0.5, task_id: 'a', timestamp: 't', context_id: 'c', evaluation_id: 'e', source: 's' },
    ],
  });
  expect(performanceIn(whole(one, '"task_count":1,"avg_score":null'))?.['avg_score']).toBeNull();
  const empty = one.replaceAll('"a"', '""').replace('"t"', '""').replace('"c"', '""');
  expect(performanceIn(whole(empty))?.['evaluations']).toEqual([
    { score: 0.5, task_id: '', timestamp: '', context_id: '' },
  ]);
  const odd = [
    ...[whole(''), whole(`${one},`), whole(one).slice(0, -1), `${whole(one)} `, whole(one.replace('0.5', '0.50'))],
    ...[whole(one, '"task_count":02,"avg_score":0.5'), whole(one, '"task_count":2,"avg_score":0.50')],
    whole(one.replace('"a"', '"a\\n"')),
  ];
  for (const text of odd) expect(performanceIn(text), text).toBeUndefined();
});

test('of scores in a file only what they are counts', () => {
  const whole = { score: 0.5, task_id: 'a', timestamp: 't', context_id: 'c', evaluation_id: 'e', source: 's' };
  const of = (...evaluations: unknown[]) => performanceOf({ task_count: 99, avg_score: 1, evaluations });
  expect(of(whole)).toEqual({ task_count: 1, avg_score: 0.5, evaluations: [whole] });
  expect(
    of({ ...whole, more: 1 }, { ...whole, source: 7, evaluation_id: 7 }, { score: 1, task_id: 'b', timestamp: 7 }),
  ).toEqual({
    ...{ task_count: 3, avg_score: 2 / 3 },
    evaluations: [
      whole,
      { score: 0.5, task_id: 'a', timestamp: 't', context_id: 'c' },
      { score: 1, task_id: 'b', timestamp: '', context_id: '' },
    ],
  });
  for (const odd of [7, null, 'x', {}, { ...whole, score: 1.1 }, { ...whole, score: -0.1 }, { ...whole, task_id: 7 }])
    expect(of(odd).evaluations, JSON.stringify(odd)).toEqual([]);
  expect([performanceOf(7), performanceOf({ evaluations: 7 })]).toEqual(
    Array(2).fill({ task_count: 0, avg_score: null, evaluations: [] }),
  );
  expect(of({ ...whole, score: 0 }, { ...whole, score: 1 }).task_count).toBe(2);
});

test('a record is read back from the very words it was written in, and from no others', () => {
  const rich = role('Builder', {
    description: "It's a: text\nof two lines\n",
    desired_outcome: 'Plain',
    skills: [{ name: 'a' }, { file: 'b.md' }, { url: 'https://x.example' }, { inline: 'line\nline' }],
  });
  const texts = [rich, role('Bare'), tradeoff('Weigh', { acceptable_tradeoffs: ['slow', "it's"] })].map(fileText);
  for (const text of texts) {
    const record = ownRecord(text);
    expect(record, text).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      if (line === '') continue;
      const changed = lines.with(at, `${line} `).join('\n');
      const read = ownRecord(changed);
      expect(read === undefined || JSON.stringify(read) !== JSON.stringify(record), changed).toBe(true);
    }
    expect(ownRecord(text.slice(0, -1))).toBeUndefined();
    expect(ownRecord(`${text}${lines[0]}\n`), 'twice').toBeUndefined();
    expect(ownRecord(`${text}1x: 1\n`)).toBeUndefined();
    expect(ownRecord(`${text}x:1\n`)).toBeUndefined();
  }
});

test('who is tried is told to the trial, and read again by what its id says', () => {
  const parts = {
    role: role('Builder', {
      default_context_scope: 'clean',
      default_exec_mode: 'light',
      skills: [{ name: 'a' }],
    } as never),
    tradeoff: tradeoff('Careful', { acceptable_tradeoffs: ['slow'], unacceptable_tradeoffs: ['wrong'] }),
  };
  for (const identity of [parts, { ...parts, role: undefined }, { ...parts, tradeoff: undefined }]) {
    const records = trialRecords(identity);
    const read = trialIdentity({ base: 'b', ...records } as never);
    expect(trialRecords(read)).toEqual(records);
    expect([read.role?.id, read.tradeoff?.id]).toEqual([identity.role?.id, identity.tradeoff?.id]);
  }
  expect(trialRecords(parts)).toEqual({
    role: {
      ...{ id: parts.role.id, name: 'Builder', description: 'Does Builder.', desired_outcome: 'Done.' },
      ...{ skills: [{ name: 'a' }], default_context_scope: 'clean', default_exec_mode: 'light' },
    },
    tradeoff: {
      ...{ id: parts.tradeoff.id, name: 'Careful', description: 'Weighs Careful.' },
      ...{ acceptable_tradeoffs: ['slow'], unacceptable_tradeoffs: ['wrong'] },
    },
  });
  const plain = trialRecords({ role: role('Plain'), tradeoff: undefined }).role ?? {};
  expect(Object.keys(plain)).toEqual(['id', 'name', 'description', 'desired_outcome', 'skills']);
});

test('what a model is shown of a task and of those who could take it', () => {
  const [writer, careful] = [role('Writer'), tradeoff('Careful')];
  const agency = new Agency([
    ...[writer, careful],
    agent('Ann | x', { role_id: writer.id, capabilities: ['docs', 'go'] }, [0.5, 0.75]),
    agent('Lone', { role_id: role('Gone').id }),
  ]);
  const shown = (fields: object) => {
    const view = graphOf({ id: 'a', title: 'Write docs', ...fields });
    const [task, load] = [taskOf(view, 'a'), loadOf(view)];
    return candidateBlocks(task, agency, candidatesOf(agency, task, load, new Set()), load);
  };
  const rich = { description: 'Well.', skills: ['docs'], tags: ['t'], deliverables: ['a.md'] };
  expect(
    [shown({}), shown(rich)].map((blocks) => blocks.map(({ text }) => text.replaceAll(/\b[0-9a-f]{8}\b/g, 'ID'))),
  ).toMatchInlineSnapshot(`
    [
      [
        "Write docs",
        "ID | Ann / x | role: Writer | weighs: Careful | can: docs, go | match: 0 | mean score: 0.63 of 2 | has room | open tasks: 0
    ID | Lone | role: none | weighs: Careful | can: nothing in particular | match: 0 | mean score: none of 0 | has room | open tasks: 0",
      ],
      [
        "Write docs
    Well.
    needs: docs
    filed under: t
    produces: a.md",
        "ID | Ann / x | role: Writer | weighs: Careful | can: docs, go | match: 1 | mean score: 0.63 of 2 | has room | open tasks: 0",
      ],
    ]
  `);
});

test('an assignment in the graph, and who may make it', () => {
  const one = agent('Ann');
  const view = (fields: object = {}) => graphOf({ id: 'a', log: [{ message: 'x' }] as never, ...fields });
  const assign = (fields: object, assignment: object | undefined, more: object = {}) =>
    said(() =>
      assignTask(view(fields), 'a', assignment as never, { now: NOW, by: ann, barred: new Set<string>(), ...more }),
    );
  const plans = [
    assign({}, { agent: one, reason: 'fits', exec_mode: 'light', context_scope: 'clean', exploration: true }),
    assign({ exec_mode: 'full', context_scope: 'full' }, { agent: one, exec_mode: 'light', context_scope: 'clean' }),
    assign({ agent: one.id, log: undefined }, undefined),
    assign({ agent: one.id }, { agent: one }),
  ];
  expect(JSON.parse(JSON.stringify(plans).replaceAll(one.id, '(ann)'))).toMatchInlineSnapshot(`
    [
      {
        "events": [
          {
            "actor": "ann",
            "detail": {
              "agent": "(ann)",
              "exploration": true,
            },
            "op": "assign",
            "patch": [
              {
                "id": "a",
                "log": [
                  {
                    "actor": "ann",
                    "message": "Assigned to Ann (f9766dca): fits",
                    "timestamp": "2026-03-21T10:00:00.000Z",
                  },
                ],
                "log_at": 1,
                "set": {
                  "agent": "(ann)",
                  "context_scope": "clean",
                  "exec_mode": "light",
                },
              },
            ],
            "task_id": "a",
          },
        ],
        "result": {
          "changed": true,
          "id": "a",
          "status": "open",
          "warnings": [],
        },
      },
      {
        "events": [
          {
            "actor": "ann",
            "detail": {
              "agent": "(ann)",
            },
            "op": "assign",
            "patch": [
              {
                "id": "a",
                "log": [
                  {
                    "actor": "ann",
                    "message": "Assigned to Ann (f9766dca)",
                    "timestamp": "2026-03-21T10:00:00.000Z",
                  },
                ],
                "log_at": 1,
                "set": {
                  "agent": "(ann)",
                },
              },
            ],
            "task_id": "a",
          },
        ],
        "result": {
          "changed": true,
          "id": "a",
          "status": "open",
          "warnings": [],
        },
      },
      {
        "events": [
          {
            "actor": "ann",
            "detail": {},
            "op": "unassign",
            "patch": [
              {
                "id": "a",
                "log": [
                  {
                    "actor": "ann",
                    "message": "Unassigned",
                    "timestamp": "2026-03-21T10:00:00.000Z",
                  },
                ],
                "log_at": 0,
                "unset": [
                  "agent",
                ],
              },
            ],
            "task_id": "a",
          },
        ],
        "result": {
          "changed": true,
          "id": "a",
          "status": "open",
          "warnings": [],
        },
      },
      {
        "events": [],
        "result": {
          "changed": false,
          "id": "a",
          "status": "open",
          "warnings": [],
        },
      },
    ]
  `);
  expect(assign({ status: 'done' }, { agent: one })).toMatch(/^terminal_task/);
  expect(assign({}, { agent: one }, { barred: new Set([one.id]) })).toMatch(/^own_work: Ann has another part/);
  const run = { name: 'agent-1', fence: 1, taskId: 'assign-a' };
  const by = (task: object, mover: object = run) => {
    const graph = graphOf(
      { id: 'a' },
      { id: 'assign-a', status: 'in-progress', assigned: 'agent-1', fence: 1, ...task },
    );
    return codeOf(() =>
      assignTask(graph, 'a', { agent: one } as never, { now: NOW, by: mover as never, barred: new Set() }),
    );
  };
  expect([by({ tags: ['assignment'] }), by({}), by({ tags: ['assignment'], fence: 2 })]).toEqual([
    ...['none', 'not_yours', 'stale_attempt'],
  ]);
  expect(by({ tags: ['assignment'] }, { ...run, taskId: 'a' })).toBe('not_yours');
});

test('an edit of what an entity is makes a child of it, any other changes it in place', () => {
  const scoped = role('Builder', { default_context_scope: 'clean', default_exec_mode: 'light' } as never);
  const careful = tradeoff('Careful');
  const agency = new Agency([scoped, careful]);
  const edits = [
    editRole(agency, scoped, { description: 'Other.' }, MAKER),
    editRole(agency, role('Plain'), { skills: [{ name: 'x' }] }, MAKER),
    editRole(agency, scoped, { name: 'Renamed' }, MAKER),
    editRole(agency, scoped, {}, MAKER),
    editTradeoff(agency, careful, { acceptable_tradeoffs: ['x'] }, MAKER),
    editTradeoff(agency, careful, { unacceptable_tradeoffs: ['x'] }, MAKER),
    editTradeoff(agency, careful, { name: 'Renamed' }, MAKER),
    editAgent(agent('Ann'), { name: 'Bo' }),
    editAgent(agent('Ann'), {}),
  ];
  const brief = edits.map(({ entity, successor, changed }) => {
    const { id, kind, lineage, performance: _, ...rest } = entity;
    return { ...rest, kind, parents: lineage.parent_ids.length, of: id.slice(0, 8), successor, changed };
  });
  expect(brief).toMatchInlineSnapshot(`
    [
      {
        "changed": true,
        "default_context_scope": "clean",
        "default_exec_mode": "light",
        "description": "Other.",
        "desired_outcome": "Done.",
        "kind": "role",
        "more": {},
        "name": "Builder",
        "of": "358d237e",
        "parents": 1,
        "skills": [],
        "successor": true,
      },
      {
        "changed": true,
        "description": "Does Plain.",
        "desired_outcome": "Done.",
        "kind": "role",
        "more": {},
        "name": "Plain",
        "of": "426a9d42",
        "parents": 1,
        "skills": [
          {
            "name": "x",
          },
        ],
        "successor": true,
      },
      {
        "changed": true,
        "default_context_scope": "clean",
        "default_exec_mode": "light",
        "description": "Does Builder.",
        "desired_outcome": "Done.",
        "kind": "role",
        "more": {},
        "name": "Renamed",
        "of": "6f5431b8",
        "parents": 0,
        "skills": [],
        "successor": false,
      },
      {
        "changed": false,
        "default_context_scope": "clean",
        "default_exec_mode": "light",
        "description": "Does Builder.",
        "desired_outcome": "Done.",
        "kind": "role",
        "more": {},
        "name": "Builder",
        "of": "6f5431b8",
        "parents": 0,
        "skills": [],
        "successor": false,
      },
      {
        "acceptable_tradeoffs": [
          "x",
        ],
        "changed": true,
        "description": "Weighs Careful.",
        "kind": "tradeoff",
        "more": {},
        "name": "Careful",
        "of": "854edc28",
        "parents": 1,
        "successor": true,
        "unacceptable_tradeoffs": [],
      },
      {
        "acceptable_tradeoffs": [],
        "changed": true,
        "description": "Weighs Careful.",
        "kind": "tradeoff",
        "more": {},
        "name": "Careful",
        "of": "45276dc8",
        "parents": 1,
        "successor": true,
        "unacceptable_tradeoffs": [
          "x",
        ],
      },
      {
        "acceptable_tradeoffs": [],
        "changed": true,
        "description": "Weighs Careful.",
        "kind": "tradeoff",
        "more": {},
        "name": "Renamed",
        "of": "c0c1dfd2",
        "parents": 0,
        "successor": false,
        "unacceptable_tradeoffs": [],
      },
      {
        "capabilities": [],
        "changed": true,
        "executor": "claude",
        "kind": "agent",
        "more": {},
        "name": "Bo",
        "of": "f9766dca",
        "parents": 0,
        "role_id": "5ad5bfe5e8bc5367818b35ee3fd8b105e03cb9e18e84fcacb46c64b4c8a83913",
        "successor": false,
        "tradeoff_id": "c0c1dfd23f47cb450ad0893908656b9fa9489a7c5c94b498377e0ce755e447fe",
        "trust_level": "provisional",
      },
      {
        "capabilities": [],
        "changed": false,
        "executor": "claude",
        "kind": "agent",
        "more": {},
        "name": "Ann",
        "of": "f9766dca",
        "parents": 0,
        "role_id": "5ad5bfe5e8bc5367818b35ee3fd8b105e03cb9e18e84fcacb46c64b4c8a83913",
        "successor": false,
        "tradeoff_id": "c0c1dfd23f47cb450ad0893908656b9fa9489a7c5c94b498377e0ce755e447fe",
        "trust_level": "provisional",
      },
    ]
  `);
  const twin = { ...role('Other'), name: 'Builder' };
  expect(nameWarnings(new Agency([scoped, twin]), scoped)).toEqual([
    `Builder is the name of several entries: ${twin.id.slice(0, 8)}: use ids.`,
  ]);
  expect([nameWarnings(agency, scoped), nameWarnings(new Agency([scoped, role('Else')]), scoped)]).toEqual([[], []]);
  const named = new Agency([
    role('A'),
    role('A 2'),
    { ...role('B'), retired: true },
    { ...role('C'), pending: true } as never,
  ]);
  expect(['A', 'A 2', 'B', 'C', 'D'].map((name) => freeName(named, 'role', name))).toEqual([
    'A 3',
    'A 3',
    'B 2',
    'C 2',
    'D',
  ]);
});
