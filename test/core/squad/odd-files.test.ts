import path from 'node:path';
import { expect, test } from 'vitest';
import { withChanges } from '#core/squad/file-change.js';
import { historyFromJson, policyFrom, registryFromJson } from '#core/squad/foreign-files.js';
import { fromOlderFolder, OLDER_FILES, olderPath, surveySquad } from '#core/squad/layout.js';
import { markdownTeam } from '#core/squad/markdown-team.js';
import { planMigration } from '#core/squad/migrate.js';
import { readTeamFile } from '#core/squad/team-file.js';
import { TroupeError } from '#kernel/errors.js';
import { catalog, NOW } from '../casting/stage.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const MAPS = (_: string, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value);
/** One line for each entry of what was read, or why it could not be. */
function told(read: () => object | undefined): string[] {
  try {
    return Object.entries(read() ?? { nothing: true }).flatMap(([key, value]): string[] =>
      Array.isArray(value)
        ? [`    ${key}: ${value.length}`, ...value.map((one) => `      ${JSON.stringify(one, MAPS)}`)]
        : [`    ${key}: ${JSON.stringify(value, MAPS)}`],
    );
  } catch (error) {
    if (error instanceof TroupeError) return [`    ${error.code}: ${error.message}`];
    throw error;
  }
}
const lines = (rows: Readonly<Record<string, () => object | undefined>>) =>
  `${Object.entries(rows)
    .flatMap(([title, read]) => [`  ${title}`, ...told(read)])
    .join('\n')}\n`;

const REGISTRY = `{
  "agents": {
    "neo": { "name": "Neo", "status": "Active", "rev": 3, "at": "2026-01-02", "x": { "own": 1 }, "hat": "black" },
    "lead": {
      "persistent_name": "Ripley", "created_at": "2026-02-03", "status": "active", "archetype_id": "lead-architect",
      "role_title": "Lead", "universe": "Alien", "member_id": "m-1", "agent_id": "a-1", "default_model": "strong",
      "charter_path": ".squad/agents/lead/charter.md", "charter_sha256": "00", "built_in": false
    },
    "trinity": { "name": "Trinity", "status": "Retired", "retiredAt": "2026-02-04", "previousName": "Tri", "succeededBy": "T", "builtIn": true },
    "Tester": { "name": "Dallas", "rev": 0, "role": "  ", "universe": "" },
    "writer": "Kane",
    "cook": { "persistentName": "Ash", "status": "On Leave", "rev": 1.5 },
    "gone": { "name": "Brett", "status": "ALUMNI" },
    "../up": {},
    "odd": 7,
    "long": { "name": "${'x'.repeat(101)}" }
  }
}`;

test('the registry, casts and policy of another tool, in every spelling', async () => {
  const registry = (text: string) => () => registryFromJson(text, 'r.json', new Map([['dallas', 'Captain']]));
  const history = (value: unknown) => () =>
    historyFromJson(typeof value === 'string' ? value : JSON.stringify(value), 'h.json');
  const policy = (value: unknown) => () =>
    policyFrom(typeof value === 'string' ? value : JSON.stringify(value), 'p.json');
  const cast = {
    universe: 'Alien',
    created_at: '2026-01-01T00:00:00Z',
    agent_map: { lead: 'Ripley', '0': {}, qa: { role: 1 } },
  };
  const rows = {
    'a registry': registry(REGISTRY),
    'one of ours': registry('{"agents":{"neo":{"name":"Neo","status":"Active"}}}'),
    'no agents': registry('{"agents":[]}'),
    'no JSON': registry('{'),
    casts: history({
      assignment_cast_snapshots: {
        one: cast,
        7: { ...cast, snapshot_id: 's', members: ['A', { name: 'B' }, 7], mode: 'odd' },
      },
      universe_usage_history: [
        'Dune',
        'alien',
        { universe: 'Alien', used_at: '2026-01-01T00:00:00Z' },
        { universe: 'Alien', used_at: '2026-03-01T00:00:00Z', why: 'x' },
        {},
      ],
    }),
    'casts of ours': history({
      snapshots: [
        {
          snapshotId: 'a',
          universe: 'Dune',
          members: [{ persistentName: 'C' }],
          createdAt: '',
          leader: 'C',
          by: 'ann',
        },
        7,
      ],
      universeUsageHistory: [{ universe: 'Dune' }, { universe: 'Dune', usedAt: '2026-01-01' }],
    }),
    'casts in camel case': history({
      assignmentCastSnapshots: [{ ...cast, addedMembers: ['x'], retiredMembers: 7, intent: 'New' }],
    }),
    'nothing of it': history({}),
    'no casts': history('7'),
    'a policy of ours': policy({ allowlistUniverses: ['Dune'], defaultNaming: 'descriptive', more: 1 }),
    'a policy of nothing we know': policy({ more: 1 }),
    'in snake case': policy({
      casting_policy_version: '1',
      allowlist_universes: ['Dune', 7],
      universe_capacity: { Dune: 3 },
      default_naming: 'x',
      own_rule: 1,
    }),
    'a wildcard': policy({ universe_allowlist: ['*', 'Dune'], universeCapacity: 7 }),
    'a wildcard that is none': policy({ universe_allowlist: ['Dune'], defaultNaming: 'x', version: 2 }),
    'allows nothing': policy({ allowlist_universes: [] }),
    'says nothing of universes': policy({ own_rule: 1 }),
    'no policy': policy('['),
  };
  await expect(lines(rows)).toMatchFileSnapshot(path.join(GOLDEN, 'foreign.txt'));
});

const TEAM = [
  '# The crew of the Nostromo',
  '> A word about it.',
  'Loose words.',
  '',
  '## Coordinator',
  '',
  'Ripley hands out the work.',
  '',
  '## MEMBERS',
  '',
  'Everybody who is here:',
  '| Name | Role | Charter | Status |',
  '|:---|---|---|---:|',
  '| 🚀 Ripley | **Lead** | [charter](.squad/agents/Boss/charter.md) | Active |',
  '| `Dallas` | Tester | .squad/agents/dallas/charter.md | retired |',
  '| Ash \\| Bot | | | |',
  '| Scribe | Writes | | ✅ |',
  '| Ralph |',
  '| ripley | Twice | | |',
  '| ../up | x | | |',
  'no row | at all |',
  '',
  '## Project Context',
  '',
  '- **Universe:** `Alien`',
  '* **Created:** on 2026-02-30 or 2026-02-03',
  '- **Ship:** Nostromo',
  '- no bullet of ours',
  '',
  '## House rules',
  '',
  '~~~',
  '## Members',
  '~~~',
  'No shoes.',
  '',
].join('\n');

test('a team of Markdown alone, and what of its page outlives a rewrite', async () => {
  const at = (...texts: [string, string][]) => new Map(texts);
  const page = (text: string) => at(['.squad/team.md', text]);
  const rows = {
    'the page': () => readTeamFile(TEAM),
    'no page': () => readTeamFile(undefined),
    'the team': () => markdownTeam(page(TEAM)),
    'with a charter of its own': () => markdownTeam(new Map([...page(TEAM), ['.squad/agents/Ripley/charter.md', 'x']])),
    'a day that is none': () =>
      markdownTeam(page('## Members\n| Neo |\n## Project Context\n- **Created:** 2026-13-01\n')),
    'without rows': () => markdownTeam(page('## Members\n')),
    'only names that are none': () => markdownTeam(page('## Members\n| ../x | y |\n')),
    'without a page': () => markdownTeam(new Map()),
  };
  await expect(lines(rows)).toMatchFileSnapshot(path.join(GOLDEN, 'pages.txt'));
});

test('where a state stands, what a migration makes of it, and what it leaves', async () => {
  const files: Readonly<Record<string, string>> = {
    events: '.squad/casting/registry.events.jsonl',
    json: '.squad/casting/registry.json',
    history: '.squad/casting/history.json',
    policy: '.squad/casting/policy.json',
    flat: '.squad/casting-registry.json',
    'flat history': '.squad/casting-history.json',
    'flat policy': '.squad/casting-policy.json',
    team: '.squad/team.md',
    charter: '.squad/agents/Boss/charter.md',
    diary: '.squad/agents/tester/history.md',
    old: '.ai-team/team.md',
    'old charter': '.ai-team/agents/boss/charter.md',
    'old policy': '.ai-team/casting/policy.json',
  };
  const member = (name: string, more: object = {}) =>
    JSON.stringify({ agents: { [name.toLowerCase()]: { name, ...more } } });
  const texts: Readonly<Record<string, string>> = {
    events: `${JSON.stringify({ name: 'Neo', status: 'Active', rev: 1, eventId: 'a' })}\nno line\n`,
    json: member('Neo', { status: 'Active' }),
    history: '{"snapshots":[{"snapshotId":"s","universe":"Dune","members":[],"createdAt":"2026-01-01T00:00:00Z"}]}',
    policy: '{"allowlist_universes":["Dune"],"version":"7"}',
    flat: JSON.stringify({ agents: { tester: { persistent_name: 'Trinity' } } }),
    'flat history': '{"universe_usage_history":["Alien"]}',
    'flat policy': '{"universe_allowlist":["*"]}',
    team: TEAM,
    charter: '# Ripley\n',
    diary: '# History\n',
    old: TEAM,
    'old charter': '# Ripley\n',
    'old policy': '{"allowlistUniverses":["Dune"]}',
  };
  const situations = [
    ...[
      '',
      'events',
      'json',
      'json history',
      'events json policy',
      'flat',
      'flat+flat history+flat policy',
      'flat+diary',
    ],
    ...[
      'json+flat',
      'events+flat',
      'events+flat policy',
      'events+flat history',
      'team',
      'team+charter',
      'old+old charter',
    ],
    ...['old+team', 'old+old charter+old policy', 'policy', 'flat policy', 'events+team'],
  ];
  const told = situations.flatMap((situation) => {
    const names =
      situation.includes('+') || situation in files ? situation.split('+') : situation.split(' ').filter(Boolean);
    const present = new Map(names.map((name) => [files[name] ?? name, texts[name] ?? '']));
    const { layout, dialect, foreign, conflicts, effective } = surveySquad(present);
    const survey = {
      layout,
      dialect,
      foreign,
      conflicts,
      from: Object.values(effective).map((one) => one?.file ?? '-'),
    };
    const found = [`# ${situation || 'nothing'}`, `  ${JSON.stringify(survey)}`];
    for (const keep of [undefined, 'canonical', 'flat'] as const) {
      if (keep !== undefined && layout !== 'conflict') continue;
      try {
        const { changes, result } = planMigration({ texts: present, catalog, keep, dryRun: false, now: NOW });
        const after = surveySquad(withChanges(present, changes));
        found.push(
          `  keep ${keep ?? 'what counts'}: ${JSON.stringify(result)}`,
          ...changes.map(
            (change) => `    ${change.kind} ${change.path} ${'text' in change ? JSON.stringify(change.text) : ''}`,
          ),
          `  then ${after.layout} ${after.dialect} ${after.foreign.join(' ')}`,
        );
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        found.push(`  keep ${keep ?? 'what counts'}: ${error.code}: ${error.message} ${JSON.stringify(error.details)}`);
      }
    }
    return found;
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'migrations.txt'));
  expect([olderPath('.squad/team.md'), olderPath('x/.squad/y')]).toEqual(['.ai-team/team.md', 'x/.squad/y']);
  expect([
    ...fromOlderFolder(
      new Map([
        ['.ai-team/a', '1'],
        ['.squad/a', '2'],
        ['.ai-team/b', '3'],
        ['b', '4'],
      ]),
    ),
  ]).toEqual([['.squad/b', '3']]);
});

test('the older folder holds the same files as the present one', () => {
  expect(OLDER_FILES).toContain(olderPath('.squad/team.md'));
  expect(OLDER_FILES.filter((file) => !file.startsWith('.ai-team/'))).toEqual([]);
});
