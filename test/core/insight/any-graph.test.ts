import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { graphText, pictureOf, treeText, widest } from './drawing.js';
import { readGraph, readTree } from './reading.js';

/** Graphs of every shape: cycles, edges to itself, the same edge twice, predecessors nobody knows. */
const anyGraph = fc
  .array(
    fc.record({
      after: fc.array(fc.nat({ max: 15 }), { maxLength: 4 }),
      header: fc.integer({ min: 0, max: 5 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((rows) =>
    rows.map(({ after, header }, index): TaskFields & { id: string } => ({
      id: `t${index}`,
      after: after.map((other) => `t${other}`),
      ...(header === 0 ? { cycle_config: { max_iterations: 3 } } : {}),
    })),
  );
const anyWidth = fc.integer({ min: 30, max: 120 });

type Tasks = readonly (TaskFields & { id: string })[];

/** Those to predecessors that nobody knows with them: they are told too. */
function edgesOf(tasks: Tasks): string[] {
  return tasks.flatMap((task) => [...new Set(task.after)].map((id) => `${id} ${task.id}`)).sort();
}

const idsOf = (tasks: Tasks): string[] => tasks.map((task) => task.id).sort();

verifies(
  'graph.viz.graph',
  'any graph: read back from the drawing, every edge is told exactly once and no other',
  () => {
    fc.assert(
      fc.property(anyGraph, anyWidth, (tasks, width) => {
        const lines = graphText(pictureOf(tasks), width);
        expect(widest(lines)).toBeLessThanOrEqual(width);
        expect(readGraph(lines)).toEqual({ ids: idsOf(tasks), edges: edgesOf(tasks) });
      }),
      { numRuns: mass(100, 300), seed: 5 },
    );
  },
);

verifies('graph.viz.text', 'any graph: read back from the tree, every edge is told exactly once and no other', () => {
  fc.assert(
    fc.property(anyGraph, anyWidth, (tasks, width) => {
      const lines = treeText(pictureOf(tasks), width);
      expect(widest(lines)).toBeLessThanOrEqual(width);
      expect(readTree(lines)).toEqual({ ids: idsOf(tasks), edges: edgesOf(tasks) });
    }),
    { numRuns: mass(100, 300), seed: 6 },
  );
});

test('the reader of drawings is no yes-sayer: a line more or less is another graph', () => {
  const tasks = [{ id: 't0' }, { id: 't1' }, { id: 't2', after: ['t0'] }, { id: 't3', after: ['t0', 't1'] }];
  const lines = graphText(pictureOf(tasks));
  expect(readGraph(lines).edges).toEqual(['t0 t2', 't0 t3', 't1 t3']);
  const joined = lines.map((line) => line.replace('│', '┼'));
  const same = () => readGraph(joined).edges;
  expect(() => expect(same()).toEqual(['t0 t2', 't0 t3', 't1 t3'])).toThrow();
});

test('any text as title: no line is wider than the terminal, and nothing of it acts', () => {
  const anyText = fc.string({
    unit: fc.oneof(fc.constantFrom('日', '🚀', 'é', ' ', '\u001b[31m', '\u202e', '"', '<b>'), fc.string()),
  });
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 8 }), anyWidth, (titles, width) => {
      const picture = pictureOf(
        titles.map((title, index) => ({ id: `t${index}`, title, after: index === 0 ? [] : [`t${index >> 1}`] })),
      );
      for (const lines of [graphText(picture, width), treeText(picture, width)]) {
        expect(widest(lines)).toBeLessThanOrEqual(width);
        expect(lines.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      }
    }),
    { numRuns: mass(60, 150), seed: 7 },
  );
});
