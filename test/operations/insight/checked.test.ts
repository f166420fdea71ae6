import { expect } from 'vitest';
import { analysisReport } from '#operations/insight/report.js';
import { check } from '#operations/insight/structure.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

verifies('test.bites', 'the check reports findings of the files, of merges and, when asked, of the log', async () => {
  const own = world();
  await own.add('a', { after: ['gone'] });
  const codes = async (deep?: boolean) => {
    const report = await check.run(own.context, deep === undefined ? {} : { deep });
    return report.problems.map(({ code, severity, task_id, ids }) => [code, severity, task_id, ids]);
  };
  expect(await codes()).toEqual([['dangling', 'warning', 'a', ['gone']]]);
  const entry = { seq: 5, op: 'merge', detail: { lost: [{ id: 'a', field: 'title' }] } };
  const torn = { severity: 'error', code: 'torn_line', text: 'a line is cut off', file: 'graph.jsonl', line: 3 };
  const changed = {
    view: () => own.store.view(),
    health: async () => [torn],
    async *entries() {
      yield { ...entry, patch: [{ id: 'b', put: { kind: 'task', id: 'b', title: 'b', status: 'open' } }] };
    },
  };
  own.context.graph = async () => changed as never;
  const read = ['torn_line', 'error', null, []];
  const rest = [
    ['merge', 'warning', 'a', ['title']],
    ['dangling', 'warning', 'a', ['gone']],
  ];
  expect(await codes()).toEqual([read, ...rest]);
  expect(await codes(false)).toEqual([read, ...rest]);
  expect(await codes(true)).toEqual([
    read,
    ['log_drift', 'error', 'b', []],
    ['log_incomplete', 'warning', null, []],
    ...rest,
  ]);
  const report = await check.run(own.context, {});
  expect([report.ok, report.errors, report.warnings, report.node_count]).toEqual([false, 1, 2, 1]);
});

verifies('test.bites', 'discoveries go back a day, as far as was asked, and no further than the limit', async () => {
  const own = world();
  const since = async (input: { since?: string }) =>
    (await analysisReport.run(own.context, { only: ['recent'], ...input })).recent?.since;
  expect(await since({})).toBe('2026-02-28T10:00:00.000Z');
  expect(await since({ since: '2h' })).toBe('2026-03-01T08:00:00.000Z');
  expect(await since({ since: '36500d' })).toBe('2025-02-28T10:00:00.000Z');
});
