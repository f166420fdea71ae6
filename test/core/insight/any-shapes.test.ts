import path from 'node:path';
import { expect, test } from 'vitest';
import { isTask } from '#core/graph/task.js';
import { aging } from '#core/insight/aging.js';
import { blockingOf } from '#core/insight/blocking.js';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { checkGraph } from '#core/insight/check.js';
import { costOf } from '#core/insight/cost.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { forecast } from '#core/insight/forecast.js';
import { impactOf } from '#core/insight/impact.js';
import { coordinate } from '#core/insight/next.js';
import { planWork } from '#core/insight/plan.js';
import { simulate } from '#core/insight/simulate.js';
import { statsOf } from '#core/insight/stats.js';
import { cycleReport, structureOf } from '#core/insight/structure.js';
import { graphSummary } from '#core/insight/summary.js';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { velocity } from '#core/insight/velocity.js';
import { workload } from '#core/insight/workload.js';
import { anyTasks } from '../graph/any-tasks.js';
import { graphOf, NOW } from '../graph/graph.js';
import { graphText, pictureOf, treeText } from './drawing.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const DAY = 86_400_000;

const GRAPHS = Array.from({ length: 24 }, (_, number) => anyTasks(number + 1));

/** So many graphs in each file: what is drawn of them is read there. */
const TOGETHER = 4;
const FILES = Array.from({ length: GRAPHS.length / TOGETHER }, (_, number) => number);
const graphsOf = (file: number) =>
  GRAPHS.map((tasks, number) => ({ tasks, number })).slice(file * TOGETHER, (file + 1) * TOGETHER);

test.each(FILES)('pictures of graphs of any shape, at any width, look as they were found good (%i)', async (file) => {
  const lines = graphsOf(file).flatMap(({ tasks, number }) => {
    const picture = pictureOf(tasks, { all: true, critical_path: number % 2 === 0 });
    const [width, unicode] = [34 + 11 * (number % 7), number % 3 > 0];
    return [
      `== ${number}, ${width} wide`,
      ...graphText(picture, width, unicode),
      '',
      ...treeText(picture, 90 - width / 2, unicode),
      ...(number % TOGETHER === 0 ? [dotText(picture), mermaidText(picture)] : []),
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `any.pictures.${file}.txt`));
});

test('pictures of larger graphs, crowded into little room, look as they were found good', async () => {
  const lines = [56, 90].flatMap((width) => {
    const picture = pictureOf(anyTasks(width, 24), { all: true, critical_path: true });
    return [`== ${width} wide`, ...graphText(picture, width), '', ...treeText(picture, width)];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'any.large.txt'));
});

/** One line for each answer; titles and identical lists say nothing more. */
const lineOf = (name: string, found: object): string =>
  `${name} ${JSON.stringify(found, (key, value) => (key === 'title' ? undefined : value)).replaceAll('"', '')}`;

test.each(FILES.slice(0, 4))('every analysis of graphs of any shape is as it was found good (%i)', async (file) => {
  const rate = ({ id }: { readonly id: string }) => (id.endsWith('a') ? 10 : undefined);
  const lines = graphsOf(file).flatMap(({ tasks, number }) => {
    const view = graphOf(...tasks);
    const [first = { id: '' }] = tasks;
    const last = view.task(tasks.at(-1)?.id ?? '');
    const { entries: _, ...played } = simulate(
      [...view.nodes()],
      { seed: number, agents: 2, crash: 0.1 },
      { now: NOW, untilMs: DAY },
    );
    return [
      `== ${number}`,
      ...tasks.map(({ id, after, status }) => `${id} ${status} after ${after}`),
      lineOf('critical path', criticalPath(view)),
      lineOf('bottlenecks', bottlenecks(view)),
      lineOf('structure', structureOf(view)),
      lineOf('cycles', cycleReport(view)),
      lineOf('forecast', forecast(view, NOW, rate)),
      lineOf('impact', impactOf(view, first.id)),
      lineOf('plan', planWork(view, { hours: 8, budget: 60 }, NOW, rate)),
      lineOf('cost', costOf(view, last?.id ?? '', rate)),
      lineOf('aging', aging(view, NOW)),
      lineOf('velocity', velocity(view, 6, NOW)),
      lineOf('check', checkGraph(view, [])),
      lineOf('workload', workload(view, NOW)),
      lineOf('coordinate', coordinate(view, NOW)),
      lineOf('stats', statsOf(view)),
      ...(last ? [lineOf('blocking', blockingOf(view, last, NOW))] : []),
      lineOf('played', played),
      ...graphSummary(view, NOW).split('\n').slice(4),
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `any.analyses.${file}.txt`));
});

test('nodes that are no tasks are no part of any analysis', () => {
  const tasks = anyTasks(5);
  const told = (view: ReturnType<typeof graphOf>) => [
    criticalPath(view),
    structureOf(view),
    bottlenecks(view),
    statsOf(view),
  ];
  const others = [
    { kind: 'resource', id: 'a-gpu', after: ['t0a'] },
    { kind: 'note', id: 'z-note' },
  ] as never[];
  const view = graphOf(...tasks, ...others);
  expect([...view.nodes()].filter((node) => !isTask(node))).toHaveLength(2);
  expect(told(view)).toEqual(told(graphOf(...tasks)));
});
