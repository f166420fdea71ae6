import path from 'node:path';
import { expect, test } from 'vitest';
import { compileCrew, defaultCrew, insertBeforeDeployer, lossesOf, namedCrew } from '#core/playbooks/crew.js';
import type { Compiled } from '#core/playbooks/formation.js';
import { compilePanel, defaultPanel, namedPanel, PANEL_STYLES, panelLosses } from '#core/playbooks/panel.js';
import {
  compileSweep,
  defaultSweep,
  namedSweep,
  scoutTask,
  sweepLosses,
  sweepOf,
  verifyTask,
} from '#core/playbooks/sweep.js';
import { readPartition } from '#core/playbooks/sweep-schema.js';
import { type Lane, type LaneRow, NO_ROLES, type RoleRegistry } from '#core/roles/lane.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const RUN = '20261123-queue-1f0c';
const GOAL = 'Drop the queue';
const TIERS = ['haiku', 'sonnet', 'opus'];

const row = (lane: Lane, name: string, fields: Record<string, string>, role?: string): LaneRow => ({
  ...{ lane, name, line: 1, role, status: 'stable' as const, lessons: [], runs: { clean: 0, thin: 0, cuts: 0 } },
  fields: new Map(Object.entries(fields)),
});
const core = { name: 'skeptic', charter: 'Doubts everything.', whenToUse: ['queues'], body: '', core: [], solo: [] };
const ROLES: RoleRegistry = {
  ...NO_ROLES,
  cores: new Map([[core.name, core]]),
  rows: {
    ...NO_ROLES.rows,
    crew: [
      row('crew', 'queue-hand', { owns: 'queues', handoff: 'CHANGES.md', model: 'opus' }),
      row('crew', 'watcher', { charter: 'watches', handoff: 'CHANGES.md' }),
    ],
    panel: [row('panel', 'broker', { 'when-to-seat': 'queues' }), row('panel', 'log', { 'when-to-seat': 'queues' })],
    research: [
      row('research', 'archive', { angle: 'queues of before', model: 'sonnet' }),
      row('research', 'merge', { angle: 'queues' }),
    ],
  },
};

/** Every field of every task; a text that was printed before is only named by where. */
function told({ tasks, files }: Compiled, printed: Map<string, string>): string[] {
  const lines = tasks.flatMap(({ id, title, description = '', ...rest }) => {
    const known = printed.get(description);
    printed.set(description, known ?? id);
    const text = known === undefined ? description.split('\n').map((line) => `    | ${line}`) : [`    | as ${known}`];
    return [`  ${id}: ${title}`, `    ${JSON.stringify(rest)}`, ...text];
  });
  return [...lines, ...[...files].flatMap(([file, text]) => [`  file ${file}`, text])];
}

test('every task of a crew, in each mode', async () => {
  const printed = new Map<string, string>();
  const lines: string[] = [];
  const usual = namedCrew(
    NO_ROLES,
    ['architect', 'dev', 'qa', 'deployer'].map((name) => ({ name })),
  );
  const own = insertBeforeDeployer(
    namedCrew(ROLES, [{ name: 'watcher', phase: 'dev' }, { name: 'qa', tier: 'opus' }, { name: 'deployer' }]),
    namedCrew(ROLES, [{ name: 'skeptic' }]),
  );
  for (const [title, seats] of Object.entries({
    usual,
    own,
    'by the rows': defaultCrew(ROLES, GOAL, ['queues']),
    'without a deployer': insertBeforeDeployer(
      namedCrew(NO_ROLES, [{ name: 'qa' }]),
      namedCrew(NO_ROLES, [{ name: 'dev' }]),
    ),
  }))
    for (const mode of ['autopilot', 'checkpoint', 'co-drive'] as const) {
      if (title !== 'usual' && mode !== 'autopilot') continue;
      lines.push(`# ${title}, ${mode}`, ...told(compileCrew(GOAL, seats, { run: RUN, mode }), printed));
    }
  const long = compileCrew('x'.repeat(200), usual, { run: RUN, mode: 'autopilot' }).tasks;
  lines.push(`# longest title: ${Math.max(...long.map(({ title }) => title.length))}`);
  lines.push(...lossesOf(['architect', 'dev', 'qa', 'deployer', 'skeptic']));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'crews.txt'));
});

test('every task of a panel, in each style', async () => {
  const printed = new Map<string, string>();
  const lines: string[] = [];
  const seats = namedPanel(NO_ROLES, [{ name: 'operator' }, { name: 'stranger', tier: 'sonnet' }]);
  for (const style of PANEL_STYLES)
    lines.push(`# ${style}`, ...told(compilePanel(GOAL, seats, { run: RUN, style, rounds: 2, tiers: TIERS }), printed));
  lines.push(
    '# seats',
    ...[...defaultPanel(ROLES, GOAL), ...seats].map((seat) =>
      JSON.stringify({ ...seat, row: { ...seat.row, fields: [...(seat.row?.fields ?? [])] } }),
    ),
    ...panelLosses(['operator', 'broker']),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'panels.txt'));
});

test('a sweep of many rows takes those that match best, up to the usual number', () => {
  const many = Array.from({ length: SWEEP_LIMITS.slicesUsualMost + 1 }, (_, number) =>
    row('research', `angle-${number}`, { angle: `queues ${number}` }),
  );
  const registry = { ...NO_ROLES, rows: { ...NO_ROLES.rows, research: many } };
  const slicesOf = (rows: readonly LaneRow[]) =>
    defaultSweep({ ...registry, rows: { ...registry.rows, research: rows } }, GOAL, ['queues']).seats.map(
      ({ name }) => name,
    );
  const names = many.map(({ name }) => name);
  expect(slicesOf(many)).toEqual(names.slice(0, SWEEP_LIMITS.slicesUsualMost));
  expect(slicesOf(many.slice(0, -1))).toEqual(names.slice(0, -1));
  expect(slicesOf(many.slice(0, SWEEP_LIMITS.slicesUsualLeast))).toEqual(names.slice(0, SWEEP_LIMITS.slicesUsualLeast));
  const few = slicesOf(many.slice(0, SWEEP_LIMITS.slicesUsualLeast - 1));
  expect([few.length, few.at(-1)]).toEqual([SWEEP_LIMITS.slicesUsualLeast, 'official-docs']);
});

test('every task of a sweep, and those that are added on its way', async () => {
  const printed = new Map<string, string>();
  const lines: string[] = [];
  const byRows = defaultSweep(ROLES, GOAL, ['queues']);
  const named = namedSweep(
    ROLES,
    [{ name: 'archive' }, { name: 'history', tier: 'opus' }, { name: 'own' }],
    byRows.partition,
  );
  const asked = readPartition(
    {
      slices: [
        { name: 'web', owns: ['pages', 'posts'], question: 'Who writes?' },
        { name: 'books', owns: ['papers'] },
      ],
      schema: { root: 'facts', required: ['id', 'title', 'source'], optional: ['year'] },
    },
    'slices.yaml',
  );
  for (const [title, line] of Object.entries({ usual: byRows, named, asked: sweepOf(ROLES, asked) })) {
    const { partition, seats } = line;
    lines.push(`# ${title}: ${JSON.stringify(partition.slices)} ${partition.warnings.join(' ')}`);
    lines.push(...told(compileSweep(GOAL, seats, { run: RUN, partition, tiers: TIERS }), printed));
  }
  const [slice = expect.unreachable()] = asked.slices;
  const scouting = { run: RUN, slice, partition: asked, tier: undefined };
  const tasks = [
    scoutTask(GOAL, scouting),
    scoutTask(GOAL, { ...scouting, again: 'wrong-angle' }),
    verifyTask(GOAL, RUN, { tier: 'opus' }),
    verifyTask(GOAL, RUN, { slice: 'web', tier: undefined }),
  ];
  lines.push('# by themselves', ...told({ tasks, files: new Map() }, printed), ...sweepLosses(['history', 'own']));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'sweeps.txt'));
});
