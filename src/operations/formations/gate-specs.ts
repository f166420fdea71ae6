import { PLUGINS } from '#core/formations/plugin-names.js';
import { operationSpecs, REPLACE } from '#operations/operation-spec.js';

// biome-ignore format: one row an operation reads best
export const GATE_SPECS = operationSpecs([
  {
    name: 'formation.check-handoffs', command: 'roles check-handoffs', group: 'Roles', kind: 'read', where: 'caller', place: 'here', graphless: true,
    summary: 'Check the handoff of a crew phase. Exit code 0: passed, 1: failed, 2: unknown',
    options: [
      { flag: 'run', field: 'run', type: 'text', value: 'RUN', summary: 'The run' },
      { flag: 'phase', field: 'phase', type: 'text', value: 'P', summary: 'architect, dev, qa, deployer, or the name of another seat' },
      { flag: 'before', field: 'before', type: 'switch', summary: 'Check whether the phase may start; `release` counts as a phase here' },
    ],
    examples: ['troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase dev', 'troupe roles check-handoffs --run 20261123-add-csv-export-1f0c --phase deployer --before'],
    load: () => import('./check-handoffs.js').then((module) => module.checkHandoffs),
  },
  {
    name: 'export.claude-plugins', command: 'export claude-plugins', group: 'Roles', kind: 'write', where: 'caller', place: 'here', graphless: true,
    summary: 'Write a plugin marketplace for Claude Code: roles, crew, panel and sweep',
    arguments: [{ field: 'folder', summary: 'The folder to create', required: true, path: 'always', writes: true }],
    options: [
      { flag: 'only', field: 'only', type: 'list', value: 'NAMES', values: PLUGINS, summary: 'Only these plugins (default: all four)' },
      REPLACE,
    ],
    examples: ['troupe export claude-plugins plugins', 'troupe export claude-plugins plugins --only roles,dev-crew --force'],
    load: () => import('./export-plugins.js').then((module) => module.exportClaudePlugins),
  },
]);
