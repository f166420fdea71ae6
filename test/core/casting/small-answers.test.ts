import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { Agent, EvaluationRef, Role } from '#core/agency/entities.js';
import { performanceFrom } from '#core/agency/read.js';
import { addPool } from '#core/casting/add-pool.js';
import { AgentMapper } from '#core/casting/agent-mapper.js';
import { groupingsFor } from '#core/casting/grouping-choice.js';
import { planRender } from '#core/casting/render-files.js';
import { archetypeRecords, memberRecord } from '#core/casting/track-record.js';
import { surveySquad, withOlderFolder } from '#core/squad/layout.js';
import { currentSlugs, rebuildRegistry, slugsOf } from '#core/squad/registry.js';
import { recordSchema } from '#core/squad/shared-record.js';
import { readSquadState } from '#core/squad/squad-state.js';
import { teamChangeOf } from '#core/squad/team-change.js';
import { rebuildHistory } from '#core/squad/team-history.js';
import { castTeamOf } from '#core/squad/team-rows.js';
import { allowedUniverses, chooseUniverse, parsePolicy } from '#core/squad/universe.js';
import { codeOf } from '../graph/graph.js';
import { NO_SQUAD } from './small-catalog.js';
import { catalog, teamOf, templates } from './stage.js';

const EVENTS = '.squad/casting/registry.events.jsonl';
const HISTORY = '.squad/casting/history.events.jsonl';
const line = (value: object) => `${JSON.stringify(value)}\n`;
const filesOf = (texts: Readonly<Record<string, string>>) => new Map(Object.entries(texts));

test('what is remembered of a member follows its names, also in a circle', () => {
  const registry = (rows: readonly (readonly [string, string?])[]) =>
    rebuildRegistry(
      rows
        .map(([name, succeededBy]) => line({ name, status: 'Active', rev: 1, ...(succeededBy ? { succeededBy } : {}) }))
        .join(''),
    ).records;
  const before = currentSlugs(
    registry([['Neo', 'Tank'], ['Tank', 'Dozer'], ['Dozer'], ['Ash', 'Ash'], ['Kane', 'Lambert']]),
  );
  expect([...before]).toEqual([
    ['neo', 'dozer'],
    ['tank', 'dozer'],
    ['kane', 'lambert'],
  ]);
  expect(['dozer', 'neo', 'ash', 'lambert'].map((slug) => slugsOf(before, slug))).toEqual([
    ...[['dozer', 'neo', 'tank'], ['dozer', 'neo', 'tank'], ['ash'], ['lambert', 'kane']],
  ]);
  const circle = currentSlugs(
    registry([
      ['Neo', 'Tank'],
      ['Tank', 'Neo'],
    ]),
  );
  expect([...circle]).toEqual([
    ['neo', 'tank'],
    ['tank', 'neo'],
  ]);
  expect(slugsOf(circle, 'neo')).toEqual(['tank', 'neo']);
});

test('a policy of universes: none, broken, empty, and what it allows', () => {
  const code = (text: string) => codeOf(() => parsePolicy(text));
  expect([parsePolicy(undefined), parsePolicy('{"allowlistUniverses":["Dune"],"x":1}')]).toEqual([
    undefined,
    { allowlistUniverses: ['Dune'], x: 1 },
  ]);
  expect(['', '[]', '{}', '{"allowlistUniverses":[]}', '{"allowlistUniverses":[""]}'].map(code)).toEqual(
    Array(5).fill('policy_invalid'),
  );
  const pools = [{ name: 'Dune' }, { name: 'Alien' }, { name: 'Own', source: 'x' }] as never;
  const policy = (...allowlistUniverses: string[]) => ({ allowlistUniverses });
  expect([
    allowedUniverses(undefined, pools),
    allowedUniverses(policy('dune', 'Nowhere', 'Own'), pools),
    allowedUniverses(policy('Nowhere'), pools),
  ]).toEqual([
    { allowed: ['Dune', 'Alien'], withoutPool: [] },
    { allowed: ['dune', 'Own'], withoutPool: ['Nowhere'] },
    { allowed: ['Nowhere'], withoutPool: ['Nowhere'] },
  ]);
  const chosen = (more: object) => {
    try {
      return chooseUniverse({ policy: undefined, pools, history: [], ...more }).universe;
    } catch {
      return codeOf(() => chooseUniverse({ policy: undefined, pools, history: [], ...more }));
    }
  };
  expect([
    chosen({}),
    chosen({ history: ['dune'] }),
    chosen({ history: ['Dune', 'ALIEN'] }),
    chosen({ history: ['dune'], seed: 'x' }),
    chosen({ override: ' alien ' }),
    chosen({ override: 'own' }),
    chosen({ override: 'Descriptive' }),
    chosen({ override: 'own', policy: policy('Own') }),
    chosen({ policy: { ...policy('Dune'), defaultNaming: 'descriptive' } }),
    chosen({ policy: policy() }),
  ]).toEqual([
    ...['Dune', 'Alien', 'Dune', 'Alien', 'Alien', 'universe_invalid', 'descriptive', 'Own', 'descriptive'],
    'policy_invalid',
  ]);
  const seeds = ['', 'a', 'b', 'c', 'd', 'e', 'f', 'g'].map((seed) => chosen({ seed }));
  expect(seeds).toMatchInlineSnapshot(`
    [
      "Alien",
      "Dune",
      "Dune",
      "Dune",
      "Dune",
      "Alien",
      "Alien",
      "Alien",
    ]
  `);
});

test('names of a project of its own are refused where nothing may be written, or they are there', () => {
  const pool = { name: 'Own', names: ['A "b"', 'C'] };
  const added = (texts: Readonly<Record<string, string>>, of = pool) => {
    const state = readSquadState(filesOf(texts));
    const code = codeOf(() => addPool(state, catalog, of as never));
    return code === 'none' ? addPool(state, catalog, of as never) : code;
  };
  const foreign = JSON.stringify({ agents: { lead: { persistent_name: 'Ripley' } } });
  const twice = `${line({ name: 'Neo', status: 'Active', rev: 1, eventId: 'a' })}${line({ name: 'Neo', status: 'Active', rev: 1, eventId: 'b' })}`;
  expect([
    added({ '.squad/casting/registry.json': foreign }),
    added({ [EVENTS]: twice }),
    added({}, { ...pool, name: 'the  MATRIX' }),
  ]).toEqual(['migration_required', 'name_clash', 'universe_invalid']);
  expect([
    added({}),
    added({ '.squad/casting/policy.json': '{"allowlistUniverses":["own"],"version":"2"}' }),
  ]).toMatchInlineSnapshot(`
    [
      {
        "changes": [
          {
            "kind": "write",
            "path": ".squad/casting/universes/own.yaml",
            "text": "name: "Own"
    names:
      - "A \\"b\\""
      - "C"
    ",
          },
          {
            "kind": "write",
            "path": ".squad/casting/policy.json",
            "text": "{
      "version": "1",
      "allowlistUniverses": [
        "The Matrix",
        "Star Wars",
        "Inception",
        "Firefly",
        "Own"
      ]
    }
    ",
          },
        ],
        "result": {
          "name": "Own",
        },
      },
      {
        "changes": [
          {
            "kind": "write",
            "path": ".squad/casting/universes/own.yaml",
            "text": "name: "Own"
    names:
      - "A \\"b\\""
      - "C"
    ",
          },
          {
            "kind": "write",
            "path": ".squad/casting/policy.json",
            "text": "{
      "version": "2",
      "allowlistUniverses": [
        "own"
      ]
    }
    ",
          },
        ],
        "result": {
          "name": "Own",
        },
      },
    ]
  `);
});

test('what a write says of who is on the team, and what it does not', () => {
  const neo = { name: 'Neo', status: 'Retired', rev: 2, succeededBy: 'Tank' };
  const snapshot = { snapshotId: 's', universe: 'Dune', members: ['Tank'], createdAt: '2026-01-01T00:00:00Z' };
  const texts = filesOf({
    [EVENTS]: line(neo),
    [HISTORY]: line(snapshot),
    '.squad/team.md': '## Project Context\n- **Project:** zion\n',
  });
  const append = (path: string, ...rows: object[]) =>
    ({ kind: 'append', path, idField: 'eventId', lines: rows.map((row) => JSON.stringify(row)) }) as const;
  const change = (...changes: Parameters<typeof teamChangeOf>[2]) => {
    const told = teamChangeOf('folder', texts, changes);
    return (
      told && [told.project, told.left, told.snapshot?.snapshotId, told.registry.records.length, told.history.usage]
    );
  };
  const { snapshotId: _id, ...unnamed } = snapshot;
  expect([
    change(),
    change({ kind: 'write', path: '.squad/team.md', text: '' }),
    change(append(EVENTS, neo, { name: 'Ash', status: 'Retired' }, { name: 'Neo', status: 'Active' })),
    change({ kind: 'write', path: '.squad/team.md', text: '' }, append(HISTORY, { x: 1 }, snapshot)),
    change(append(HISTORY, snapshot, unnamed)),
    change(append(HISTORY, snapshot, {})),
  ]).toEqual([
    undefined,
    undefined,
    ['zion', [{ name: 'Neo', next: 'Tank' }], undefined, 1, ['Dune']],
    ['zion', [], 's', 1, ['Dune']],
    ['zion', [], undefined, 1, ['Dune']],
    ['zion', [], undefined, 1, ['Dune']],
  ]);
  const [records, none] = [rebuildRegistry(line({ ...neo, createdAt: '2026-02-01' })), rebuildHistory(undefined)];
  expect([
    castTeamOf('zion', records, rebuildHistory(line(snapshot)))?.createdAt,
    castTeamOf('zion', records, none)?.createdAt,
    castTeamOf('zion', rebuildRegistry(line(neo)), none)?.createdAt,
  ]).toEqual([Date.parse('2026-01-01'), Date.parse('2026-02-01'), 0]);
});

test('where the state of a team stands, and what is written again of it', () => {
  const casts = JSON.stringify({ snapshots: [{ snapshotId: 's', universe: 'Dune', members: [], createdAt: '' }] });
  const history = (texts: Readonly<Record<string, string>>) => surveySquad(filesOf(texts)).effective.history?.file;
  const json = '.squad/casting/history.json';
  expect([
    history({ [HISTORY]: '\n' }),
    history({ [HISTORY]: '\n', [json]: casts }),
    history({ [HISTORY]: 'no line\n' }),
    history({ [HISTORY]: 'no line\n', [json]: '{"snapshots":[]}' }),
    history({ [json]: casts }),
    history({ [json]: ' ' }),
  ]).toEqual([undefined, json, HISTORY, HISTORY, json, undefined]);
  const older = filesOf({ '.ai-team/team.md': 'a', '.squad/config.json': '{}' });
  expect([...withOlderFolder(older)]).toEqual([
    ['.ai-team/team.md', 'a'],
    ['.squad/config.json', '{}'],
    ['.squad/team.md', 'a'],
  ]);
  const wish = { catalog, templates, project: 'zion', clientFiles: 'configured' as const };
  expect(planRender({ ...wish, state: NO_SQUAD })).toEqual({ changes: [], result: { written: [], removed: [] } });
  expect(planRender({ ...wish, state: teamOf('writer') }).result).toEqual({ written: [], removed: [] });
  expect(groupingsFor(catalog, 'anything').map(({ id }) => id)).toEqual(['pair']);
  const bases = [
    '.squad/casting/registry.json',
    EVENTS,
    HISTORY,
    '.squad/team.md',
    '.squad/casting/policy.json',
    '.squad/x',
  ].map(
    (path) =>
      readSquadState(filesOf({ [path]: path.endsWith('policy.json') ? '{"allowlistUniverses":["Dune"]}' : '' })).base,
  );
  expect(new Set([...bases, NO_SQUAD.base]).size).toBe(6);
  const record = (createdAt: string) =>
    recordSchema.safeParse({
      ...{ kind: 'session', id: '0123456789abcdef', rev: 0, number: 1, createdBy: 'ann', focus: 'f', context: '' },
      createdAt,
    }).success;
  const time = '2026-01-01T00:00:00.';
  expect([record(`${time}${'0'.repeat(19)}Z`), record(`${time}${'0'.repeat(20)}Z`), record('soon')]).toEqual([
    ...[true, false, false],
  ]);
});

test('the roles of an archetype: the youngest that its members had becomes the parent, and the scores of all count', () => {
  const shipped = [
    { name: 'Balanced', description: 'Even.', acceptable_tradeoffs: ['Average'], unacceptable_tradeoffs: ['Extremes'] },
  ];
  const writer = catalog.archetypes.get('writer') ?? expect.unreachable();
  let agency = new Agency([], [], 0);
  let registry = rebuildRegistry(undefined);
  const roles: Role[] = [];
  const agents: string[] = [];
  for (const summary of ['One.', 'Two.', 'Three.']) {
    const bridge = new AgentMapper(agency, shipped, { now: 0, by: 'human' });
    const agentId = bridge.agentFor({ ...writer, summary }, registry);
    agency = new Agency(
      [...agency.all('role'), ...agency.all('tradeoff'), ...agency.all('agent'), ...bridge.createdEntities],
      [],
      0,
    );
    roles.push(agency.role((agency.agent(agentId) as Agent).role_id) as Role);
    agents.push(agentId);
    // A member of another archetype says nothing of this one.
    const members = [
      ...agents.map((id, at) => ({ name: `M${at}`, agentId: id, archetypeId: 'writer' })),
      { name: 'Q', agentId: agents[0], archetypeId: 'qa-engineer' },
      { name: 'N', archetypeId: 'writer' },
    ];
    registry = rebuildRegistry(members.map((member) => line({ ...member, status: 'Active', rev: 1 })).join(''));
  }
  expect(roles.map(({ lineage }) => [lineage.generation, lineage.parent_ids])).toEqual([
    [0, []],
    [1, [roles[0]?.id]],
    [2, [roles[1]?.id]],
  ]);
  const score = (task: string, value: number, evaluation?: string): EvaluationRef => ({
    ...{ score: value, task_id: task, timestamp: '2026-01-01T00:00:00Z', context_id: '' },
    ...(evaluation === undefined ? {} : { evaluation_id: evaluation }),
  });
  const scored = (role: Role | undefined, ...scores: EvaluationRef[]) =>
    ({ ...role, performance: performanceFrom(scores) }) as Role;
  const known = agency.with([
    scored(roles[0], score('a', 0.5), score('b', 1)),
    scored(roles[2], score('c', 0.6, 'e1'), score('d', 0.9, 'e1')),
  ]);
  const records = archetypeRecords(known, catalog, registry, new Set());
  expect([...records].map(([id, { count }]) => [id, count])).toEqual([
    ['qa-engineer', 2],
    ['writer', 3],
  ]);
  expect([...archetypeRecords(known, catalog, rebuildRegistry(undefined), new Set())]).toEqual([]);
  const agent = agency.agent(agents[0] ?? '') as Agent;
  const worked = agency.with([{ ...agent, performance: performanceFrom([score('gone', 0.5)]) }]);
  const member = (name: string, agentId?: string) => ({ name, ...(agentId === undefined ? {} : { agentId }) });
  const [neo, tank] = [member('Neo', agents[0]), member('Tank', agents[1])];
  expect(memberRecord(worked, neo, [neo, tank, member('Ash')], () => undefined).count).toBe(1);
  expect(memberRecord(worked, neo, [neo, member('Ash', agents[0])], () => undefined).count).toBe(0);
});
