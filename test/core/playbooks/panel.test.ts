import { describe, expect, test } from 'vitest';
import { namedSeat } from '#core/playbooks/line-up.js';
import { compilePanel, defaultPanel, namedPanel, PANEL_STYLES, type PanelStyle } from '#core/playbooks/panel.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import { type LaneRow, NO_ROLES, type RoleRegistry } from '#core/roles/lane.js';
import { verifies } from '../../verifies.js';

const RUN = '20261123-queue-1f0c';
const TIERS = tiersOf('claude');
const row = (name: string, seat: string, more: Partial<LaneRow> = {}): LaneRow => ({
  ...{ lane: 'panel', name, line: 1, role: undefined, status: 'probationary', lessons: [] },
  runs: { clean: 0, thin: 0, cuts: 0 },
  fields: new Map([['when-to-seat', seat]]),
  ...more,
});
const registry = (...rows: readonly LaneRow[]): RoleRegistry => ({
  ...NO_ROLES,
  rows: { ...NO_ROLES.rows, panel: rows },
});
const namesOf = (seats: readonly { readonly name: string }[]) => seats.map(({ name }) => name);
const seats = namedPanel(NO_ROLES, [
  { name: 'operator' },
  { name: 'maintainer' },
  { name: 'economist', tier: 'sonnet' },
]);
const compiled = (style: PanelStyle = 'swarm', rounds = 1, line = seats) => {
  const { tasks } = compilePanel('Drop the queue', line, { run: RUN, style, rounds, tiers: TIERS });
  return new Map(tasks.map((task) => [task.id.slice(RUN.length + 1), task]));
};
const edges = (style: PanelStyle, rounds = 1) =>
  [...compiled(style, rounds)].map(([step, { after = [], after_success = [] }]) => {
    const short = (id: string) => id.slice(RUN.length + 1);
    return `${step} < ${[...after.map(short), ...after_success.map((id) => `${short(id)}!`)].join(' ')}`.trim();
  });

verifies(
  'panel.seats',
  'three to six seats from the axes of the goal, the skeptic among them; cheap seats, a heavier director',
  () => {
    const rows = [
      row('db', 'queues, databases'),
      row('veteran', 'queues', { status: 'stable' }),
      row('gone', 'queues', { status: 'retired' }),
      row('painter', 'colours'),
    ];
    expect(namesOf(defaultPanel(registry(...rows), 'Drop the queue'))).toEqual([
      'veteran',
      'db',
      'operator',
      'skeptic',
    ]);
    expect(namesOf(defaultPanel(NO_ROLES, 'Shall we?'))).toEqual([
      'maintainer',
      'user-advocate',
      'operator',
      'skeptic',
    ]);
    const everything = 'the api, the interface, the service, the tokens and the price';
    expect(namesOf(defaultPanel(NO_ROLES, everything))).toHaveLength(6);
    expect(namesOf(seats)).toEqual(['operator', 'maintainer', 'economist', 'skeptic']);
    const minted = seats[0] ?? expect.unreachable();
    expect([minted.minted, minted.row?.status, minted.row?.fields.get('charter')]).toEqual([
      true,
      'probationary',
      'speaks for whoever is woken when it breaks',
    ]);
    const models = [...compiled()].map(([step, { model }]) => [step, model]);
    expect(Object.fromEntries(models)).toMatchObject({
      operator: 'haiku',
      economist: 'sonnet',
      skeptic: 'haiku',
      decision: 'opus',
    });
    expect(
      compilePanel('x', seats, { run: RUN, style: 'swarm', rounds: 1, tiers: tiersOf('codex') }).tasks[0],
    ).not.toHaveProperty('model');
  },
);

describe('a line-up that is none', () => {
  const seat = (name: string) => namedSeat(NO_ROLES, 'panel', name, 'looks');
  test.each([
    ['two seats', ['skeptic', 'a'], '3 to 6 seats, not 2'],
    ['seven', ['skeptic', 'a', 'b', 'c', 'd', 'e', 'f'], '3 to 6 seats, not 7'],
    ['nobody against it', ['a', 'b', 'c'], 'The skeptic sits on every panel'],
    ['a seat with the name of a step', ['skeptic', 'a', 'decision'], 'the name of a step'],
    ['one twice', ['skeptic', 'a', 'a'], 'twice'],
  ])('%s is refused', (_name, names, why) => {
    expect(() => compiled('swarm', 1, names.map(seat))).toThrowError(why);
  });
});

verifies(
  'panel.diverge',
  'seats are beside each other, only read, and hand in one file each; nothing of the first round is before another',
  () => {
    for (const style of PANEL_STYLES) {
      const tasks = compiled(style, 4);
      const first = namesOf(seats).map((name) => tasks.get(name) ?? expect.unreachable(name));
      for (const task of first) {
        expect(task.after ?? []).toEqual(style === 'director' ? [`${RUN}-brief`] : []);
        expect(task).toMatchObject({
          paused: true,
          exec_mode: 'light',
          description: expect.stringContaining('Look at no other note'),
        });
      }
      expect(new Set(first.flatMap(({ deliverables }) => deliverables)).size).toBe(seats.length);
      expect([...tasks.values()].every((task) => task.exec === undefined || task.exec_mode === 'shell')).toBe(true);
    }
    expect(compiled().get('operator')?.deliverables).toEqual([
      `.claude/brainstorm-panel/runs/${RUN}/round-1/operator.md`,
    ]);
  },
);

verifies('panel.styles', 'each style is a graph of its own; one round is usual and four are the most', () => {
  const all = 'operator maintainer economist skeptic';
  const later = all.replaceAll(/\S+/g, 'round-2-$&');
  const free = all.split(' ').map((name) => `${name} <`);
  const end = ['decision < unanimity!', 'log < decision!'];
  expect(edges('swarm')).toEqual([...free, `unanimity < ${all}`, ...end]);
  expect(edges('swarm', 2)).toEqual([
    ...free,
    ...later.split(' ').map((name) => `${name} < ${all}`),
    `unanimity < ${later}`,
    ...end,
  ]);
  expect(edges('round-table', 2).slice(4, 7)).toEqual([
    `round-2-operator < ${all}`,
    `round-2-maintainer < ${all} round-2-operator`,
    `round-2-economist < ${all} round-2-operator round-2-maintainer`,
  ]);
  expect(edges('director').slice(0, 2)).toEqual(['brief <', 'operator < brief']);
  expect(edges('relay').slice(4)).toEqual([
    `unanimity < ${all}`,
    'relay-operator < unanimity!',
    'relay-maintainer < relay-operator!',
    'relay-economist < relay-maintainer!',
    'decision < relay-economist!',
    'log < decision!',
  ]);
  expect(compiled('relay').get('decision')?.tags).toContain('seat:skeptic');
  expect(compiled('swarm').get('decision')?.tags).toContain('seat:director');
  const sides = [...compiled('adversarial').values()]
    .slice(0, 4)
    .map(({ description = '' }) => /You argue (\w+) it/.exec(description)?.[1]);
  expect(sides).toEqual(['for', 'against', 'for', 'against']);
});
