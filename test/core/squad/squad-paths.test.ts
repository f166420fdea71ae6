import { expect } from 'vitest';
import { planMigration } from '#core/squad/migrate.js';
import { agentFolder, isSquadFile } from '#core/squad/squad-paths.js';
import { rebuildHistory } from '#core/squad/team-history.js';
import { verifies } from '../../verifies.js';

verifies('squad.paths', 'every file that a cast may write, and none beside them', () => {
  const hash = 'a'.repeat(64);
  const own = [
    ...['.squad/team.md', '.squad/.scratch', 'AGENTS.md', '.gitattributes', '.gitignore'],
    ...['.agentweaver/context/boundaries.md', '.agentweaver/context/patterns.md'],
    ...['.github/agents/squad-agentweaver.agent.md', '.github/agents/neo.agent.md', '.claude/agents/neo.md'],
    ...['roles', 'tradeoffs', 'agents'].map((kind) => `.workgraph/agency/${kind}/${hash}.yaml`),
  ];
  const foreign = [
    ...['.squad/.scratch/a', '.squad', 'docs/AGENTS.md', '.agentweaver/context/other.md', '.claude/agents/Neo.md'],
    ...['.claude/agents/a/b.md', '.github/agents/neo.md', `.claude/agents/${'n'.repeat(65)}.md`],
    ...[`.workgraph/agency/skills/${hash}.yaml`, `.workgraph/agency/roles/${hash}0.yaml`, 'x/.claude/agents/neo.md'],
  ];
  expect(own.filter((path) => !isSquadFile(path))).toEqual([]);
  expect(foreign.filter(isSquadFile)).toEqual([]);
});

verifies('squad.paths', 'the folder of a member is spelled as on disk, by its charter before its history', () => {
  const folder = (...paths: string[]) => agentFolder(new Map(paths.map((path) => [path, ''])), 'neo');
  expect([
    folder(),
    folder('.squad/agents/Neo/charter.md'),
    folder('.squad/agents/NEO/history.md', '.squad/agents/Neo/charter.md'),
    folder('.squad/agents/NEO/history.md'),
    folder('.squad/agents/Neo/charter.md', '.squad/agents/neo/charter.md'),
    folder('.squad/agents/neo/history.md', '.squad/agents/Neo/notes.md'),
  ]).toEqual([
    ...['.squad/agents/neo', '.squad/agents/Neo', '.squad/agents/Neo', '.squad/agents/NEO'],
    ...['.squad/agents/neo', '.squad/agents/neo'],
  ]);
});

verifies('squad.migrate', 'events of ours stay as they are while the other part is converted', () => {
  const event = JSON.stringify({ name: 'Neo', status: 'Active' });
  const cast = JSON.stringify({ universe: 'Dune', members: ['Neo'], createdAt: '2026-01-01T00:00:00Z' });
  const [registry, history] = ['.squad/casting/registry.events.jsonl', '.squad/casting/history.events.jsonl'];
  const foreign = {
    registry: ['.squad/casting/registry.json', JSON.stringify({ agents: { neo: { persistent_name: 'Neo' } } })],
    history: [
      '.squad/casting/history.json',
      JSON.stringify({ assignment_cast_snapshots: { one: { universe: 'Dune', agents: ['Neo'], created_at: 'x' } } }),
    ],
  } as const;
  const migrated = (...texts: (readonly [string, string])[]) => {
    const { changes, result } = planMigration({
      ...{ texts: new Map(texts), catalog: { universes: [] }, dryRun: false, now: 0 },
    });
    return { written: result.written, events: changes.flatMap((one) => ('text' in one ? [[one.path, one.text]] : [])) };
  };
  const casts = migrated([registry, `${event}\n`], foreign.history);
  expect(casts.written).toEqual([history, '.squad/casting/history.json']);
  const lines = new Map(casts.events as [string, string][]).get(history);
  expect(rebuildHistory(lines).snapshots).toEqual([
    { snapshotId: 'one', universe: 'Dune', members: ['Neo'], createdAt: 'x' },
  ]);
  expect(migrated([history, `${cast}\n`], foreign.registry).written).toEqual([
    registry,
    '.squad/casting/registry.json',
  ]);
});
