import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { OutputFolder } from '#adapters/files/output-folder.js';
import { Graphviz } from '#adapters/processes/graphviz.js';
import { viz } from '#operations/insight/viz.js';
import { world } from '../e2e/world.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';

const idsOf = (answer: { nodes: readonly { id: string }[] }) => answer.nodes.map((node) => node.id);

async function several() {
  const own = world();
  await own.add('plan', { status: 'done', estimate: { hours: 1 } });
  await own.add('draft', { after: ['plan', 'judge'], cycle_config: { max_iterations: 5 }, loop_iteration: 2 });
  await own.add('judge', { after: ['draft', 'ghost'] });
  await own.add('build', { after: ['plan', 'plan'], estimate: { hours: 8 }, tags: ['core'] });
  await own.add('test', { after: ['build'], estimate: { hours: 2 }, tags: ['core', 'slow'] });
  await own.add('old', { status: 'done' });
  await own.add('older', { status: 'abandoned', after: ['old'] });
  await own.add('broken', { status: 'failed', failure_reason: 'no disk' });
  await own.add('.place-build', { after: ['build'] });
  await own.add('draft-idea', { paused: true });
  return own;
}

verifies(
  ['graph.viz.text', 'graph.viz.graph'],
  'as data: tasks, edges with those that go back, layers, what is hidden',
  async () => {
    const { context } = await several();
    const answer = await viz.run(context, {});
    expect(idsOf(answer)).toEqual(['broken', 'build', 'draft', 'draft-idea', 'judge', 'plan', 'test']);
    expect(answer.edges).toEqual([
      { from: 'build', to: 'test' },
      { from: 'draft', to: 'judge' },
      { from: 'judge', to: 'draft', back: true },
      { from: 'plan', to: 'build' },
      { from: 'plan', to: 'draft' },
    ]);
    expect(answer.layers).toEqual([
      ['broken', 'draft-idea', 'plan'],
      ['build', 'draft'],
      ['judge', 'test'],
    ]);
    expect(answer).toMatchObject({ form: 'tree', total: 10, hidden: { finished: 2, internal: 1 } });
    const node = (id: string) => answer.nodes.find((candidate) => candidate.id === id);
    expect(node('draft')).toMatchObject({ state: 'ready', loop: { iteration: 2, most: 5 } });
    expect(node('judge')).toMatchObject({ state: 'open', missing: ['ghost'] });
    expect(node('broken')?.note).toBe('no disk');
    expect(node('draft-idea')?.note).toContain('paused');
    expect(node('test')?.note).toBeUndefined();
  },
);

verifies(
  'graph.viz.text',
  'finished trees and tasks of the system are hidden unless asked for, named, or chosen by status',
  async () => {
    const { context } = await several();
    expect(idsOf(await viz.run(context, { all: true }))).toEqual(expect.arrayContaining(['old', 'older']));
    expect(idsOf(await viz.run(context, { show_internal: true }))).toContain('.place-build');
    const named = await viz.run(context, { ids: ['older'] });
    expect(idsOf(named)).toEqual(['old', 'older']);
    expect(named.hidden.finished).toBe(0);
    expect(idsOf(await viz.run(context, { ids: ['test', 'draft-idea'] }))).toEqual([
      'build',
      'draft',
      'draft-idea',
      'judge',
      'plan',
      'test',
    ]);
    expect(idsOf(await viz.run(context, { status: ['done', 'ready'] }))).toEqual(['build', 'draft', 'old', 'plan']);
    expect(idsOf(await viz.run(context, { tag: ['core'] }))).toEqual(['build', 'test']);
    expect(idsOf(await viz.run(context, { tag: ['core', 'slow'] }))).toEqual(['test']);
    await expect(viz.run(context, { ids: ['tesst'] })).rejects.toMatchObject({ code: 'unknown_task' });
  },
);

verifies('graph.viz.text', '--critical-path names the chain of unfinished tasks with most hours', async () => {
  const { context } = await several();
  const answer = await viz.run(context, { critical_path: true });
  expect(answer.critical_path).toEqual(['build', 'test']);
  expect(answer.nodes.filter((node) => node.critical).map((node) => node.id)).toEqual(['build', 'test']);
  expect((await viz.run(context, {})).critical_path).toBeUndefined();
});

verifies(
  'graph.viz.graph',
  'the file says what is written; nothing is asked of anybody before that is clear',
  async () => {
    const own = await several();
    const folder = room('pictures');
    const pictures = new Graphviz(folder, { PATH: room('nothing') });
    const outputs = new OutputFolder(folder, folder);
    const context = { ...own.context, pictures: async () => pictures, outputs: async () => outputs };
    const first = { 'c.dot': 'digraph tasks {', 'd.GV': 'digraph tasks {', 'e.mmd': 'flowchart TD' };
    for (const [output, line] of Object.entries(first)) {
      const { file } = await viz.run(context, { output });
      expect(file).toBe(path.join(folder, output));
      expect(readFileSync(path.join(folder, output), 'utf8').split('\n')[0]).toBe(line);
    }
    for (const output of ['a.svg', 'b.PNG']) {
      await expect(viz.run(context, { output })).rejects.toMatchObject({ code: 'dot_missing' });
    }
    for (const output of ['graph', 'graph.jsonl', 'graph.pdf', '.svg']) {
      await expect(viz.run(own.context, { output }), output).rejects.toMatchObject({ code: 'usage' });
    }
    await expect(viz.run(own.context, { graph: true, dot: true })).rejects.toMatchObject({ code: 'usage' });
  },
);

verifies(
  ['graph.viz.text', 'graph.viz.graph'],
  'more tasks than a picture holds are refused with what helps',
  async () => {
    const own = world();
    const line = (number: number) => ({
      op: 'add',
      patch: [{ id: `t${number}`, put: { kind: 'task', id: `t${number}`, title: 't', status: 'open' } }],
    });
    await own.store.commit(() => ({
      events: Array.from({ length: 20_001 }, (_, number) => line(number)) as never,
      result: undefined,
    }));
    await expect(viz.run(own.context, {})).rejects.toMatchObject({ code: 'too_large' });
    expect(idsOf(await viz.run(own.context, { ids: ['t7'] }))).toEqual(['t7']);
  },
);
