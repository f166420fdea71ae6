import { expect, test } from 'vitest';
import { castMembers, currentSlugs, everyName, type RegistryRecord, slugsOf } from '#core/squad/registry.js';
import { castTeamOf, storedCastTeam } from '#core/squad/team-rows.js';

const RECORD = {
  name: 'Neo',
  slug: 'neo',
  memberId: 'm-1',
  status: 'Active',
  universe: 'The Matrix',
  archetypeId: 'writer',
};
const record = (more: object) => ({ ...RECORD, ...more }) as never as RegistryRecord;

test('which slug a member has now, through every name before, also where names go round', () => {
  const before = currentSlugs([
    record({ slug: 'a', succeededBy: 'B' }),
    record({ slug: 'b', succeededBy: 'C' }),
    record({ slug: 'c' }),
    record({ slug: 'x', succeededBy: 'Y' }),
    record({ slug: 'y', succeededBy: 'X' }),
    record({ slug: 'self', succeededBy: 'Self' }),
    record({ slug: 'w', succeededBy: 'X' }),
  ]);
  expect([...before]).toEqual([
    ['a', 'c'],
    ['b', 'c'],
    ['x', 'y'],
    ['y', 'x'],
    ['w', 'y'],
  ]);
  expect([
    slugsOf(before, 'a'),
    slugsOf(before, 'c'),
    slugsOf(before, 'new'),
    slugsOf(before, 'x'),
  ]).toMatchInlineSnapshot(`
    [
      [
        "c",
        "a",
        "b",
      ],
      [
        "c",
        "a",
        "b",
      ],
      [
        "new",
      ],
      [
        "y",
        "x",
        "w",
      ],
    ]
  `);
});

test('the cast team as one among all: who leads, who watches, who left and when', () => {
  const records = [
    record({ createdAt: '2026-01-01T00:00:00.000Z' }),
    record({
      name: 'Old',
      slug: 'old',
      status: 'Retired',
      at: '2026-02-01T00:00:00.000Z',
      createdAt: '2026-01-02T00:00:00.000Z',
    }),
    record({
      name: 'Gone',
      slug: 'gone',
      memberId: 'm-2',
      status: 'Retired',
      retiredAt: '2026-03-01T00:00:00.000Z',
      agentId: 'a-1',
    }),
    record({
      name: 'Ralph',
      slug: 'ralph',
      memberId: 'm-3',
      builtIn: true,
      archetypeId: 'work-monitor',
      at: '2026-01-03T00:00:00.000Z',
    }),
    record({ name: 'Scribe', slug: 'scribe', memberId: 'm-4', builtIn: true, archetypeId: 'scribe' }),
    record({ name: 'Watcher', slug: 'watcher', memberId: 'm-5', archetypeId: 'work-monitor' }),
    record({ name: 'Lost', slug: 'lost', memberId: 'm-6', status: 'Retired' }),
  ];
  const history = {
    snapshots: [{ createdAt: '2025-12-01T00:00:00.000Z', leader: 'neo', universe: 'The Matrix' }],
  } as never;
  const cast = castTeamOf('shop', { records } as never, history);
  expect(cast).toMatchInlineSnapshot(`
    {
      "cast": true,
      "createdAt": 1764547200000,
      "description": "",
      "endedAt": null,
      "id": "40691731-6dc8-5bf9-b8bf-fcaa7aa3ba95",
      "members": [
        {
          "agent": null,
          "id": "m-1",
          "joinedAt": 1767225600000,
          "leftAt": null,
          "name": "Neo",
          "person": null,
          "position": "leader",
          "slug": "neo",
          "status": "active",
        },
        {
          "agent": null,
          "id": "m-5",
          "joinedAt": 0,
          "leftAt": null,
          "name": "Watcher",
          "person": null,
          "position": "member",
          "slug": "watcher",
          "status": "active",
        },
        {
          "agent": null,
          "id": "m-3",
          "joinedAt": 1767398400000,
          "leftAt": null,
          "name": "Ralph",
          "person": null,
          "position": "observer",
          "slug": "ralph",
          "status": "active",
        },
        {
          "agent": null,
          "id": "m-4",
          "joinedAt": 0,
          "leftAt": null,
          "name": "Scribe",
          "person": null,
          "position": "member",
          "slug": "scribe",
          "status": "active",
        },
        {
          "agent": "a-1",
          "id": "m-2",
          "joinedAt": 0,
          "leftAt": 1772323200000,
          "name": "Gone",
          "person": null,
          "position": "member",
          "slug": "gone",
          "status": "removed",
        },
        {
          "agent": null,
          "id": "m-6",
          "joinedAt": 0,
          "leftAt": 0,
          "name": "Lost",
          "person": null,
          "position": "member",
          "slug": "lost",
          "status": "removed",
        },
      ],
      "mesh": false,
      "name": "shop",
      "nameAuto": false,
      "status": "active",
    }
  `);
  expect(castTeamOf('shop', { records: [] } as never, history)).toBeUndefined();
  const bare = castTeamOf('shop', { records: [record({})] } as never, { snapshots: [] } as never);
  expect([bare?.createdAt, bare?.members[0]?.position]).toEqual([0, 'member']);
  if (!cast) return;
  const before = {
    ...cast,
    description: 'Ours',
    mesh: true,
    members: [
      ...cast.members.map((member, at) => ({ ...member, status: at === 0 ? ('paused' as const) : member.status })),
      { ...cast.members[0], id: 'm-9', status: 'active' as const, leftAt: null },
      { ...cast.members[0], id: 'm-8', leftAt: 7 },
    ],
  } as never;
  const label = (id: string, name: string, status = 'active') => ({ id, name, status });
  const labels = [
    label('t-1', 'Shop'),
    label('t-2', 'shop 2'),
    label('t-3', 'shop 3', 'ended'),
    label(cast.id, 'shop 4'),
  ] as never;
  const followed = storedCastTeam(before, cast, { labels, now: 99 });
  expect([
    followed.name,
    followed.description,
    followed.mesh,
    followed.members.map(({ id, status, leftAt }) => `${id} ${status} ${leftAt}`),
  ]).toMatchInlineSnapshot(`
    [
      "shop 3",
      "Ours",
      true,
      [
        "m-1 paused null",
        "m-5 active null",
        "m-3 active null",
        "m-4 active null",
        "m-2 removed 1772323200000",
        "m-6 removed 0",
        "m-9 removed 99",
        "m-8 removed 7",
      ],
    ]
  `);
  expect(storedCastTeam(undefined, cast, { labels: [], now: 99 })).toEqual(cast);
  expect([castMembers({ records }).map(({ name }) => name), everyName({ records })]).toMatchInlineSnapshot(`
    [
      [
        "Neo",
        "Watcher",
      ],
      [
        "Neo",
        "neo",
        "Old",
        "old",
        "Gone",
        "gone",
        "Ralph",
        "ralph",
        "Scribe",
        "scribe",
        "Watcher",
        "watcher",
        "Lost",
        "lost",
      ],
    ]
  `);
});
