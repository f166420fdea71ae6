import { expect } from 'vitest';
import { composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { callOperation } from '#operations/call.js';
import { specOf } from '#operations/named.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { verifies } from '../verifies.js';
import { original } from './original-project.js';

verifies(
  'fleet.clock',
  'an operation writes and judges by the clock of the graph, not by that of this machine',
  async () => {
    const noon = Date.parse('2031-05-01T12:00:00.000Z');
    const graph = new GraphInMemory({ now: () => noon });
    const held = Object.assign(graph, {
      epoch: 1,
      lost: false,
      retire: async () => undefined,
      exclusively: async <Result>(work: () => Result) => work(),
    });
    const { folder, troupe } = original([]);
    await troupe('init');
    const composed = composeProject(projectAt(folder), held);
    const context = composed.context({ kind: 'person', name: 'ann' });
    await callOperation(specOf('task.add'), context, { title: 'Later', delay: '2h' });
    expect((await graph.view()).task('later')).toMatchObject({
      created_at: '2031-05-01T12:00:00.000Z',
      not_before: '2031-05-01T14:00:00.000Z',
    });
    await composed.close();
  },
);
