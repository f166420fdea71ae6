import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { verifies } from '../../verifies.js';
import { Stage } from './casting-stage.js';

/** What only reads the catalog, or proposes, and what it is given here. */
const CASES: Readonly<Record<string, unknown>> = {
  'casting.archetypes': {},
  'casting.scenarios': {},
  'casting.universes': {},
  'casting.goal': { goal: 'write a compiler', offline: true },
  'casting.analyze': { offline: true },
  'casting.scenario': { scenario: 'data-insight' },
  'casting.manual': { archetypes: ['writer', 'editor'] },
  'casting.show': {},
  'casting.amend': { universe: 'Dune' },
  'casting.reject': {},
  'blueprint.list': {},
  'blueprint.show': { id: 'blueprint-operations' },
  'blueprint.generate': { description: 'write a compiler', offline: true },
  'workflow.list': {},
  'workflow.show': { id: 'bug-fix' },
  'workflow.check': { id: 'bug-fix' },
};

verifies('cast.fresh', 'what reads the catalog or proposes needs no graph', async () => {
  const stage = new Stage();
  for (const [name, input] of Object.entries(CASES)) {
    const spec = OPERATIONS.find((one) => one.name === name);
    expect(spec?.where === 'caller' || spec?.graphless === true, `${name} is called where there is no graph`).toBe(
      true,
    );
    const operation = await spec?.load();
    await expect(stage.call(operation as never, input), name).resolves.toBeDefined();
  }
  expect(existsSync(path.join(stage.folder, '.squad'))).toBe(false);
  expect(existsSync(path.join(stage.folder, '.workgraph', 'graph.jsonl'))).toBe(false);
});
