import path from 'node:path';
import { expect, test } from 'vitest';
import { COMPACTION } from '#core/coordinator/due.js';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { GraphState } from '#core/graph/state.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { apply, fact, graphOf, NOW, said, snapshot } from './stage.js';

function tick(graph: GraphState, runs: readonly RunFact[] = [], compaction = true): string[] {
  const decisions = decide(snapshot(graph, { runs, compaction }), NOW);
  apply(graph, decisions);
  return said(decisions);
}
function happen(graph: GraphState, times: number): void {
  for (let count = 0; count < times; count++)
    apply(graph, [
      { do: 'settle-due', reason: '', events: [{ op: 'edit', task_id: 'a', patch: [{ id: 'a', set: { count } }] }] },
    ]);
}
const ended = (code: number) => [fact('agent-10', COMPACTION, { alive: false, exit: { code } })];

verifies('compact.file', 'compaction is a cycle of one task that goes round again per 100 operations', () => {
  const graph = graphOf({ id: 'a', paused: true });
  expect(tick(graph, [], false)).toEqual([]);
  expect(tick(graph)).toEqual(['settle-due']);
  expect(graph.task(COMPACTION)).toMatchObject({ after: [COMPACTION], cycle_config: { max_iterations: 10_000 } });
  tick(graph);
  expect(graph.task(COMPACTION)).toMatchObject({ status: 'in-progress', paused: true });
  tick(graph, ended(0));
  expect(graph.task(COMPACTION)).toMatchObject({ status: 'done' });
  expect(graph.task(COMPACTION)?.loop_iteration).toBeUndefined();
  for (let count = 0; count < 5; count++) expect(tick(graph)).toEqual([]);
  happen(graph, TEAM_LIMITS.compactionOperations - 1 - (graph.seq - (graph.task(COMPACTION)?.rev ?? 0)));
  expect(tick(graph)).toEqual([]);
  happen(graph, 1);
  tick(graph);
  expect(graph.task(COMPACTION)).toMatchObject({ status: 'open', loop_iteration: 1 });
  expect(tick(graph)[0]).toBe(`dispatch ${COMPACTION} agent-11`);
});

test('a pass that failed is tried again when the next is due, not at once', () => {
  const graph = graphOf({ id: 'a', paused: true });
  tick(graph);
  tick(graph);
  tick(graph, ended(1));
  expect(graph.task(COMPACTION)?.status).toBe('failed');
  expect(tick(graph)).toEqual([]);
  happen(graph, TEAM_LIMITS.compactionOperations);
  tick(graph);
  expect(graph.task(COMPACTION)?.status).toBe('open');
});

test('every step of the summary, event by event', async () => {
  const graph = graphOf({ id: 'a', paused: true });
  const lines: string[] = [];
  const round = (title: string, runs: readonly RunFact[] = []) => {
    const decisions = decide(snapshot(graph, { runs, compaction: true }), NOW);
    apply(graph, decisions);
    const due = decisions.filter((one) => one.do === 'settle-due');
    lines.push(
      `# ${title}`,
      ...due.flatMap(({ reason, events }) => [reason, ...events.map((one) => JSON.stringify(one))]),
    );
  };
  round('it is switched on');
  round('it has started');
  round('it has failed', ended(1));
  happen(graph, TEAM_LIMITS.compactionOperations);
  round('enough has happened since it failed');
  round('it has started again');
  round('it is done', [fact('agent-11', COMPACTION, { alive: false, exit: { code: 0 }, fence: 2 })]);
  happen(graph, TEAM_LIMITS.compactionOperations);
  round('enough has happened since it was done');
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/compaction.txt'));
});
