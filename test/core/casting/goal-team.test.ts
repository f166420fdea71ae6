import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { AgentMapper } from '#core/casting/agent-mapper.js';
import { pickForGoal, rankByWords } from '#core/casting/ranking.js';
import { byRecord, NO_RECORDS } from '#core/casting/track-record.js';
import { readGoal } from '#core/casting/work-kinds.js';
import type { Catalog, WorkKind } from '#core/catalog/catalog.js';
import { rebuildRegistry } from '#core/squad/registry.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';
import { smallCatalog } from './small-catalog.js';

const kind = (id: string, things: string, team: string[], more: Partial<WorkKind> = {}): WorkKind => ({
  ...{
    id,
    title: id,
    verbs: [],
    making: id === 'code' ? ['build'] : [],
    signs: [],
    things: things.split(', '),
    beside: ['software'],
  },
  ...{ extra_to: [], team, ...more },
});
const small = smallCatalog();
const catalog: Catalog = {
  ...small,
  workKinds: [
    kind('code', 'app, tool', ['core-implementer', 'lead-architect', 'qa-engineer']),
    kind('law', 'licence', ['quality-reviewer'], { extra_to: ['software'] }),
    kind('design', 'button', ['lead-architect']),
    kind('tests', 'test', ['qa-engineer'], { extra_to: ['software'] }),
    kind('prose', 'article', ['writer'], { beside: ['content'] }),
    kind('docs', 'guide, manual', ['docs-writer', 'writer'], { beside: ['content'] }),
  ],
  goalExamples: [],
};
const team = (goal: string, size?: number, from = catalog) =>
  pickForGoal(from, goal, { size, records: NO_RECORDS })?.picks.map(
    ({ archetypeId, reason }) => `${archetypeId}: ${reason}`,
  );

verifies(
  'casting.offline.pick',
  'the lead of each kind, experts on what is extra or beside it, then the helpers',
  () => {
    expect([
      team('build an app'),
      team('build an app with licences and articles'),
      team('build an app about licences'),
      team('build an app for tests about buttons, tests and tools'),
      team('build a manual'),
      team('build an article and a guide'),
      team('build an app', 2),
      team('build an app', 1),
      team('build a guide', 2),
      team('build a licence', 3),
      team('zzz'),
    ]).toMatchInlineSnapshot(`
      [
        [
          "core-implementer: "app", "build" (code)",
          "lead-architect: "app", "build" (code)",
          "qa-engineer: "app", "build" (code)",
        ],
        [
          "core-implementer: "app", "build" (code)",
          "quality-reviewer: "licences" (law)",
          "lead-architect: "app", "build" (code)",
          "qa-engineer: "app", "build" (code)",
        ],
        [
          "core-implementer: "app", "build" (code)",
          "lead-architect: "app", "build" (code)",
          "qa-engineer: "app", "build" (code)",
        ],
        [
          "core-implementer: "app", "build", "tools" (code)",
          "qa-engineer: "test" (keyword)",
          "lead-architect: "buttons" (design)",
        ],
        [
          "docs-writer: "manual" (docs)",
          "writer: "manual" (docs)",
          "lead-architect: Reviews what the others deliver.",
        ],
        [
          "writer: "article" (keyword)",
          "docs-writer: "guide" (keyword)",
          "lead-architect: Reviews what the others deliver.",
        ],
        [
          "core-implementer: "app", "build" (code)",
          "qa-engineer: "app", "build" (code)",
        ],
        [
          "core-implementer: "app", "build" (code)",
        ],
        [
          "docs-writer: "guide" (keyword)",
          "lead-architect: Reviews what the others deliver.",
        ],
        [
          "quality-reviewer: "licence" (law)",
          "core-implementer: "build" (code)",
        ],
        undefined,
      ]
    `);
    const unchecked: Catalog = {
      ...catalog,
      menu: catalog.menu.map((archetype) => ({ ...archetype, capabilities: ['making'] })),
    };
    expect(team('build a guide', 2, unchecked)).toMatchInlineSnapshot(`
      [
        "docs-writer: "guide" (keyword)",
        "writer: "guide" (docs)",
      ]
    `);
    const own: Catalog = {
      ...catalog,
      workKinds: catalog.workKinds.filter(({ id }) => id === 'code'),
    };
    expect([
      team('build an app with text and guides', 9, own),
      team('build an app with structure', 9, own),
    ]).toMatchInlineSnapshot(`
      [
        [
          "core-implementer: "app", "build" (code)",
          "writer: "text" (keyword)",
          "docs-writer: "guide" (keyword)",
          "lead-architect: "app", "build" (code)",
          "qa-engineer: "app", "build" (code)",
        ],
        [
          "core-implementer: "app", "build" (code)",
          "lead-architect: "structure" (keyword)",
          "qa-engineer: "app", "build" (code)",
        ],
      ]
    `);
  },
);

verifies('casting.offline.score', 'of equal scores the first of the menu says which domain is the best one', () => {
  const rows = (goal: string) =>
    rankByWords(small, goal).map(({ archetype, score, matches }) =>
      [archetype.id, score, ...matches.map(({ word, field, weight }) => `${word} ${field} ${weight}`)].join(' '),
    );
  expect([rows('first'), rows('article guide'), rows('api code'), rows('')]).toMatchInlineSnapshot(`
    [
      [
        "lead-architect 0.208 first responsibility 1",
        "core-implementer 0.208 first responsibility 1",
        "qa-engineer 0.208 first responsibility 1",
        "quality-reviewer 0.167 first responsibility 1",
        "writer 0.167 first responsibility 1",
        "docs-writer 0.167 first responsibility 1",
      ],
      [
        "writer 5 article keyword 4",
        "docs-writer 5 guide keyword 4",
        "lead-architect 0",
        "core-implementer 0",
        "quality-reviewer 0",
        "qa-engineer 0",
      ],
      [
        "core-implementer 7.5 api keyword 4 code keyword 4",
        "docs-writer 1.5 api capability 3",
        "lead-architect 0",
        "quality-reviewer 0",
        "qa-engineer 0",
        "writer 0",
      ],
      [
        "lead-architect 0",
        "core-implementer 0",
        "quality-reviewer 0",
        "qa-engineer 0",
        "writer 0",
        "docs-writer 0",
      ],
    ]
  `);
});

verifies('cast.words', 'a goal mostly of unknown words needs two that are known', () => {
  const asked = (goal: string) =>
    readGoal(catalog, goal).kinds.map(({ kind: { id }, isGoal }) => `${id}${isGoal ? '' : '?'}`);
  expect([
    asked('app'),
    asked('app lorem'),
    asked('app lorem ipsum'),
    asked('app lorem ipsum dolor'),
    asked('app tool lorem ipsum dolor'),
    asked('build build build app lorem ipsum dolor'),
    asked('build the app and the build app lorem ipsum dolor'),
    asked('lorem ipsum dolor'),
  ]).toMatchInlineSnapshot(`
    [
      [
        "code",
      ],
      [
        "code",
      ],
      [
        "code",
      ],
      [],
      [
        "code",
      ],
      [
        "code",
      ],
      [
        "code",
      ],
      [],
    ]
  `);
});

verifies(
  'bridge.role',
  'an archetype needs a shipped trade-off, and the earlier role with the smaller id is the parent',
  () => {
    const shipped = [
      { name: 'Careful', description: 'Slow.', acceptable_tradeoffs: ['Slow'], unacceptable_tradeoffs: ['Wrong'] },
      { name: 'Balanced', description: 'Even.', acceptable_tradeoffs: ['Even'], unacceptable_tradeoffs: ['Odd'] },
    ];
    const writer = catalog.archetypes.get('writer') ?? expect.unreachable();
    const none = rebuildRegistry(undefined);
    const mapper = (agency: Agency) => new AgentMapper(agency, shipped, { now: 0, by: 'human' });
    const empty = new Agency([], [], 0);
    expect(codeOf(() => mapper(empty).agentFor({ ...writer, default_tradeoff: 'bold' as never }, none))).toBe(
      'catalog_invalid',
    );
    const first = mapper(empty);
    const agents = ['One.', 'Two.'].map((summary) => first.agentFor({ ...writer, summary }, none));
    expect(first.agentFor({ ...writer, summary: 'One.' }, none)).toBe(agents[0]);
    expect(first.createdEntities.map(({ kind: made, name }) => `${made} ${name}`)).toEqual([
      ...['role Writer', 'tradeoff Balanced', 'agent Balanced Writer', 'role Writer', 'agent Balanced Writer'],
    ]);
    expect(first.changes.map(({ path }) => path.split('/').slice(-2)[0])).toEqual([
      ...['roles', 'tradeoffs', 'agents', 'roles', 'agents'],
    ]);
    const agency = new Agency([...first.createdEntities], [], 0);
    const roles = agents.map((id) => agency.agent(id)?.role_id ?? '').sort();
    const registry = (...members: object[]) =>
      rebuildRegistry(
        members.map((one, at) => `${JSON.stringify({ name: `M${at}`, status: 'Active', rev: 1, ...one })}\n`).join(''),
      );
    const parentOf = (...members: object[]) => {
      const next = mapper(agency);
      const agent = next.agentFor({ ...writer, summary: 'Three.' }, registry(...members));
      const made = next.createdEntities.find(({ kind: one }) => one === 'role');
      return [agent === agents[0], made?.lineage.parent_ids];
    };
    const [one, two] = agents.map((agentId) => ({ agentId, archetypeId: 'writer' }));
    expect([parentOf(one ?? {}, two ?? {}), parentOf(two ?? {}, one ?? {})]).toEqual(
      Array(2).fill([false, [roles[0]]]),
    );
    expect([parentOf(), parentOf({ archetypeId: 'writer' }), parentOf({ ...one, archetypeId: 'qa-engineer' })]).toEqual(
      Array(3).fill([false, []]),
    );
    expect(parentOf({ archetypeId: 'writer', agentId: 'gone' })).toEqual([false, []]);
  },
);

verifies('casting.offline.pick', 'a record moves an item by one place, never the first, and says how', () => {
  const rows = (...records: (readonly [number | null, number] | undefined)[]) =>
    byRecord(
      records.map((_, at) => at),
      String,
      new Map(records.flatMap((one, at) => (one ? [[String(at), { score: one[0], count: one[1] }]] : []))),
    ).map(({ item, note }) => `${item} ${note}`.trim());
  expect([
    rows(),
    rows([0.9, 3]),
    rows([0.1, 3], [0.9, 3]),
    rows(undefined, undefined, [0.9, 3], [0.9, 3]),
    rows(undefined, [0.1, 3], undefined, undefined),
    rows(undefined, [0.1, 3], [0.1, 4]),
    rows(undefined, [null, 9], [0.9, 3], [0.1, 2]),
  ]).toMatchInlineSnapshot(`
    [
      [],
      [
        "0 did well here: 0.90 in 3 scores",
      ],
      [
        "0 did badly here: 0.10 in 3 scores",
        "1 did well here: 0.90 in 3 scores",
      ],
      [
        "0",
        "2 did well here: 0.90 in 3 scores, so one place earlier",
        "1",
        "3 did well here: 0.90 in 3 scores",
      ],
      [
        "0",
        "2",
        "1 did badly here: 0.10 in 3 scores, so one place later",
        "3",
      ],
      [
        "0",
        "1 did badly here: 0.10 in 3 scores",
        "2 did badly here: 0.10 in 4 scores",
      ],
      [
        "0",
        "2 did well here: 0.90 in 3 scores, so one place earlier",
        "1",
        "3",
      ],
    ]
  `);
});
