import { expect } from 'vitest';
import { spawn } from '#core/coordinator/dispatch.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW, snapshot } from './stage.js';

verifies(
  ['workflow.gate', 'service.spawn-command'],
  'what a person judges is given to no run, also when asked for by name',
  () => {
    const graph = graphOf({ id: 'judge', human: true } as never, { id: 'work' });
    const picture = snapshot(graph, { executor: 'claude' });
    expect(() => spawn(picture, { task: 'judge' }, NOW)).toThrow('judge is for a person.');
    expect(spawn(picture, { task: 'work' }, NOW)).toMatchObject({ do: 'dispatch', executor: 'claude' });
  },
);
