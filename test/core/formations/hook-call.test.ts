import { expect } from 'vitest';
import { phaseOfRow, withoutLessons } from '#core/formations/hook-call.js';
import { parseLane } from '#core/lanes/lane-file.js';
import { verifies } from '../../verifies.js';

const FILE = [
  '### dev',
  '- subagent: builder',
  '- status: stable',
  '- learnings:',
  '  - 2026-02-01 — plain words',
  '  - 2026-02-02 — the next lines are code',
  '  ```',
  '### qa',
  '- subagent: tester',
  '- status: stable',
  '  ```',
  '  - 2026-02-03 — <!-- hidden',
  '### deployer',
  '- subagent: shipper',
  '- status: stable -->',
  '',
  '### architect',
  '- subagent: planner',
  '- status: stable',
  '',
].join('\n');

verifies('gate.role', 'whom a row names is read the same without its lessons, code and comments among them too', () => {
  const rows = (text: string) => parseLane('crew', text).rows.flatMap(({ row }) => row ?? []);
  const less = withoutLessons(FILE);
  expect(less).not.toContain('plain words');
  for (const agent of ['builder', 'tester', 'shipper', 'planner'])
    expect(phaseOfRow(agent, rows(less)), agent).toBe(phaseOfRow(agent, rows(FILE)));
  expect(phaseOfRow('planner', rows(less))).toBe('architect');
  expect(phaseOfRow('tester', rows(less))).toBeUndefined();
});
