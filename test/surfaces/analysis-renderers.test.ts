import pc from 'picocolors';
import { expect, test } from 'vitest';
import { GRAPH_SECTIONS, TASK_SECTIONS } from '#core/insight/sections.js';
import { bar, spark } from '#surfaces/cli/render/analysis-words.js';
import { rendererOf } from '#surfaces/cli/renderers.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { ANALYSIS_ROWS } from '../analysis-rows.js';
import { type World, world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

interface Printed {
  readonly lines: string[];
  readonly all: string;
}

function paper(unicode: boolean, width: number): { screen: Screen; lines: string[] } {
  const lines: string[] = [];
  const screen: Screen = {
    width,
    colour: pc.createColors(false),
    unicode,
    line: (text = '') => lines.push(text),
    aside: (text) => lines.push(text),
  };
  return { screen, lines };
}

async function printed(own: World, name: string, input: object, unicode = true, width = 80): Promise<Printed> {
  const { screen, lines } = paper(unicode, width);
  const render = await rendererOf(name);
  await render(await own.call(name, input), screen, { serviceAnswers: async () => false });
  return { lines, all: lines.join('\n') };
}

interface Look {
  readonly name: string;
  readonly input: object;
  /** Whether it is about one task. */
  readonly ofTask: boolean;
}

/** Every read, and every section of an analysis on its own. */
const LOOKS: readonly Look[] = [
  ...ANALYSIS_ROWS.filter(({ kind, name }) => kind === 'read' && name !== 'analysis.report').map((spec) => ({
    ...{ name: spec.name, input: {}, ofTask: spec.arguments !== undefined },
  })),
  ...GRAPH_SECTIONS.map((section) => ({ name: 'analysis.report', input: { only: [section] }, ofTask: false })),
  ...TASK_SECTIONS.map((section) => ({ name: 'analysis.report', input: { only: [section] }, ofTask: true })),
];
const about = ({ input, ofTask }: Look, id: string) => (ofTask ? { ...input, id } : input);
const words = ({ name, input }: Look) => `${name} ${JSON.stringify(input)}`;

verifies('ui.cli.table', 'an empty graph says in one line what to do next', async () => {
  const own = world();
  expect((await printed(own, 'analysis.report', {})).lines, 'the whole report').toHaveLength(1);
  const plain = /velocity|recent|plan|problems|next|check/;
  for (const look of LOOKS.filter(({ ofTask }) => !ofTask)) {
    const { lines, all } = await printed(own, look.name, look.input);
    expect(lines, words(look)).toHaveLength(1);
    if (plain.test(words(look))) expect(all, words(look)).toMatch(/`troupe \w+|No problems/);
    else expect(all, words(look)).toMatch(/`troupe (add|resource add|edit) /);
  }
});

async function hostile(): Promise<World> {
  const own = world();
  const evil = '\u001b]0;owned\u0007\u202e\u200b';
  await own.add('a', {
    title: evil.repeat(20),
    status: 'failed',
    failure_reason: evil,
    completed_at: '2026-03-01T09:00:00Z',
  });
  await own.add('b', {
    title: evil.repeat(20),
    after: ['a', `gone${evil}`],
    after_success: ['a'],
    assigned: evil,
    member: evil,
    tags: [evil],
    requires: [evil, 'r'],
    description: evil,
    inputs: [evil],
    skills: [evil],
    log: [{ timestamp: evil, actor: evil, message: evil }],
    artifacts: [evil],
  });
  await own.add('c', { title: evil, after: ['b', 'd'], status: 'open' });
  await own.add('d', { title: evil, after: ['c'] });
  await own.add('e', { status: 'in-progress', assigned: evil, started_at: '2026-02-01T00:00:00Z', title: evil });
  await own.call('resource.add', { id: 'r', name: evil, type: evil, unit: evil, available: 1 });
  return own;
}

test('foreign text acts on no screen', async () => {
  const own = await hostile();
  for (const look of LOOKS) {
    for (const id of look.ofTask ? ['a', 'b', 'c', 'e'] : ['']) {
      const { all } = await printed(own, look.name, about(look, id));
      expect(all, `${words(look)} ${id}`).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\u200b]/);
    }
  }
});

test('a terminal without the glyphs gets plain characters', async () => {
  const own = world();
  await own.add('a', { estimate: { hours: 2 } });
  await own.add('b', { after: ['a', 'c'], estimate: { hours: 1 } });
  await own.add('c', { after: ['b'], cycle_config: { max_iterations: 2 }, loop_iteration: 1 });
  await own.add('d', { after: ['a'], status: 'done', completed_at: '2026-03-01T09:00:00Z' });
  for (const look of LOOKS) {
    const { all } = await printed(own, look.name, about(look, 'b'), false);
    expect(all, words(look)).toMatch(/^[\u0000-\u007f–…]*$/);
  }
});

verifies('ui.cli.table', 'a bottleneck is a row with a bar, cut to the width', async () => {
  const own = world();
  await own.add('hub', { title: 'The hub '.repeat(20) });
  for (let number = 0; number < 9; number++) await own.add(`leaf-${number}`, { after: ['hub'] });
  await own.add('end', { after: ['leaf-0'] });
  const { lines } = await printed(own, 'analysis.report', { only: ['bottlenecks'] }, true, 78);
  expect(lines[1]).toBe('hub     ○ open       10  ████████████████       9  91 % of the graph depends…');
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(78);
});

test('why is one sentence with a command; the way back is a tree', async () => {
  const own = world();
  await own.add('a', { exec: 'make' });
  await own.add('b', { after: ['a'] });
  await own.add('c', { after: ['a', 'b'] });
  expect((await printed(own, 'task.why', { id: 'a' })).lines).toEqual([
    'It is ready, but no coordinator is running: `troupe service start`.',
  ]);
  const { lines } = await printed(own, 'analysis.report', { id: 'c', only: ['why-blocked'] });
  expect(lines.slice(1, 8)).toEqual([
    '  it waits for a, b',
    '',
    'Chain     2 blockers',
    '  ○ c',
    '  ├─ ○ a',
    '  └─ ○ b',
    '     └─ ○ a',
  ]);
  expect(lines.at(-1)).toBe('a   ◎ ready  a');
});

test('several sections stand below their titles, one without', async () => {
  const own = world();
  await own.add('a');
  const { lines, all } = await printed(own, 'analysis.report', { only: ['cycles', 'stats'] }, false, 40);
  expect(lines.filter((line) => line.startsWith('--'))).toEqual([
    `-- Statistics ${'-'.repeat(26)}`,
    `-- Cycles ${'-'.repeat(30)}`,
  ]);
  expect(all).toContain('No cycles.');
  expect((await printed(own, 'analysis.report', { only: ['cycles'] })).all).not.toContain('─');
});

test('bars and sparks', () => {
  const { screen } = paper(true, 80);
  expect([0, 1, 50, 100, 1_000].map((value) => bar(value, 100, 8, screen))).toEqual([
    '',
    '▏',
    '████',
    '████████',
    '████████',
  ]);
  expect(bar(1, 0, 8, screen)).toBe('');
  expect(bar(30, 100, 10, paper(false, 80).screen)).toBe('###');
  expect(spark([0, 1, 2, 4], screen)).toBe('▁▃▅█');
  expect(spark([0, 0], screen)).toBe('▁▁');
});

verifies('hold.switches', 'a drawing without tasks says whether all is finished, or none of them match', async () => {
  const own = world();
  await own.add('a', { status: 'done', tags: ['web'] });
  expect((await printed(own, 'graph.viz', {})).all).toBe(
    'Everything is finished: 1 finished task. See them with `troupe viz --all`.',
  );
  await own.add('b');
  expect((await printed(own, 'graph.viz', { tag: ['web'] })).all).toBe(
    'None of the 2 tasks match. 1 finished task left out: `--all` includes them.',
  );
  expect((await printed(own, 'graph.viz', { tag: ['web'], all: true })).all).toContain('a');
});

verifies('web.spend', 'spending without a model has a name that says whose choice it was', async () => {
  const { screen, lines } = paper(true, 80);
  const amount = { usd: 1, estimated: 0, tokens: 1_000, unpriced: 0, count: 1 };
  const group = { rows: [{ ...amount, name: null }], total: 1 };
  const answer = {
    ...{ budget: { usd_today: 1, usd_total: 1, usd_per_day: null, usd_cap: null, usd_reserved: 0 }, total: amount },
    ...{ days: [], by: { member: group, client: group, model: group, playbook: group, task: group } },
  };
  const render = await rendererOf('spend.show');
  await render(answer, screen, { serviceAnswers: async () => false });
  const parts = lines.filter((line) => line.includes('$1.00') && !line.startsWith('Today'));
  expect(parts.map((line) => line.split('  ')[0])).toEqual([
    ...['Troupe itself', 'a model that Troupe asked', 'the default model of the client', 'single tasks', 'no task'],
  ]);
});
