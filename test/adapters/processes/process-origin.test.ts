import { expect } from 'vitest';
import { type MarkedRun, originOfProcess } from '#adapters/processes/process-origin.js';
import type { ProcessAbove, ProcessLineage } from '#ports/processes.js';
import type { RunAtWork } from '#ports/run-folders.js';
import { verifies } from '../../verifies.js';

const AGENTS = '/project/.workgraph/agents';
const runOf = (folder: string) => (folder.startsWith(`${AGENTS}/`) ? folder.slice(AGENTS.length + 1) : undefined);
const RUN: RunAtWork = { id: 'agent-7', process: { pid: 700, start: '5000' } };
const HIDDEN: RunAtWork = { id: 'agent-8' };

const above = (pid: number, start: string, more: Partial<ProcessAbove> = {}): ProcessAbove => ({
  pid,
  start,
  init: pid === 1,
  ...more,
});
const INIT = above(1, '1');
const lineage = (line: readonly ProcessAbove[], more: Partial<ProcessLineage> = {}): ProcessLineage => ({
  line,
  group: line[0]?.pid ?? 0,
  session: line[0]?.pid ?? 0,
  fromOutside: false,
  ...more,
});
/** As on a system that has no such limits. */
const NO_LIMITS = { limit: undefined, unmarked: 0, limitsHold: false };
const asks = (from: ProcessLineage | undefined, runs: readonly RunAtWork[]) =>
  originOfProcess({ lineage: from, ...NO_LIMITS }, runs, runOf);

verifies('sec.caller', 'below a run one is that run, whatever was taken out of its own environment', () => {
  const self = above(900, '6000', { environment: ['PATH=/bin'] });
  const marked = above(800, '5500', { environment: [`WG_RUN=${AGENTS}/agent-7`, 'WG_RUN_TOKEN=secret-of-it'] });
  expect(asks(lineage([self, marked, INIT]), [RUN])).toEqual({ of: 'run', run: 'agent-7', token: 'secret-of-it' });
  expect(asks(lineage([self, marked, INIT]), []), 'one that has ended is no person either').toMatchObject({
    run: 'agent-7',
  });
  expect(asks(lineage([self, INIT], { leader: marked }), [RUN])).toMatchObject({ run: 'agent-7' });
  expect(asks(lineage([self, above(700, '5000'), above(2, '10')]), [RUN])).toEqual({ of: 'run', run: 'agent-7' });
  expect(asks(lineage([self, INIT], { group: 700 }), [RUN])).toEqual({ of: 'run', run: 'agent-7' });
  expect(asks(lineage([self, INIT], { session: 700 }), [RUN])).toEqual({ of: 'run', run: 'agent-7' });
  // The same pid, given to another process since; and a run of another project.
  expect(asks(lineage([self, above(700, '5999'), above(2, '10')]), [RUN])).toEqual({ of: 'person' });
  const foreign = above(800, '10', { environment: ['WG_RUN=/other/.workgraph/agents/agent-7'] });
  expect(asks(lineage([self, foreign, INIT]), [RUN])).toEqual({ of: 'person' });
});

verifies('sec.caller', 'where nothing tells, it is a person only while nothing runs', () => {
  const self = above(900, '6000');
  expect(asks(undefined, []), 'a system without /proc').toEqual({ of: 'person' });
  expect(asks(undefined, [RUN])).toEqual({ of: 'unclear' });
  expect(asks(lineage([self, INIT]), [RUN]), 'its parent is gone').toEqual({ of: 'unclear' });
  const manager = above(40, '20', { init: true });
  expect(asks(lineage([self, manager, INIT]), [RUN]), 'taken over by the manager of the session').toEqual({
    of: 'unclear',
  });
  expect(asks(lineage([self, above(50, '4999'), INIT]), [RUN]), 'a shell older than the run').toEqual({ of: 'person' });
  expect(asks(lineage([self, above(50, '5001'), INIT]), [RUN])).toEqual({ of: 'unclear' });
  expect(asks(lineage([self], { fromOutside: true }), [RUN]), 'put into the container').toEqual({ of: 'person' });
  // In a client's sandbox pids mean nothing: whatever stands above there, it may be the run.
  expect(asks(lineage([self, above(50, '10'), INIT], { fromOutside: true }), [HIDDEN])).toEqual({ of: 'unclear' });
  const [early, late] = ['Sat Mar  1 10:00:00 2026', 'Sat Mar  1 12:00:00 2026'];
  const asker = above(900, 'Sat Mar  1 13:00:00 2026');
  const dated: RunAtWork = { id: 'agent-7', process: { pid: 700, start: 'Sat Mar  1 11:00:00 2026' } };
  expect(asks(lineage([asker, above(50, early)]), [dated])).toEqual({ of: 'person' });
  expect(asks(lineage([asker, above(50, late)]), [dated])).toEqual({ of: 'unclear' });
});

verifies(
  'sec.caller',
  'who bears the mark of runs is none of a person, and who lacks what all runs have is one',
  () => {
    const self = above(900, '6000');
    const marked = (limit: number | undefined) => ({ ...RUN, limit });
    const of = (more: object, runs: readonly MarkedRun[]) =>
      originOfProcess({ lineage: lineage([self, INIT]), ...NO_LIMITS, ...more }, runs, runOf).of;
    const rows: readonly [asking: object, runs: readonly MarkedRun[], of: string][] = [
      [{ limit: 4_999, unmarked: 5_000 }, [], 'hidden'],
      [{ limit: 5_000, unmarked: 5_000 }, [], 'person'],
      [{ limit: 5_000 }, [marked(5_000)], 'hidden'],
      [{ limit: 4_999 }, [marked(5_000)], 'hidden'],
      [{ limit: 5_001 }, [marked(5_000)], 'unclear'],
      [{ limit: 5_001, limitsHold: true }, [marked(5_000)], 'person'],
      [{ limit: 5_001, limitsHold: true }, [marked(5_000), marked(undefined)], 'unclear'],
      [{ limit: 5_001, limitsHold: true }, [marked(undefined)], 'unclear'],
      [{ limit: 5_001, limitsHold: true }, [marked(Number.POSITIVE_INFINITY)], 'unclear'],
      [{ limit: Number.POSITIVE_INFINITY }, [marked(Number.POSITIVE_INFINITY)], 'unclear'],
      [{ limit: undefined, limitsHold: true }, [marked(5_000)], 'unclear'],
      [{ limit: undefined }, [], 'person'],
    ];
    for (const [asking, runs, wanted] of rows) expect(of(asking, runs), JSON.stringify([asking, runs])).toBe(wanted);
  },
);

verifies(
  'sec.caller',
  'of several runs the oldest counts, and whoever leads the session is looked at besides the line',
  () => {
    const self = above(900, '6000');
    const older: RunAtWork = { id: 'agent-9', process: { pid: 600, start: '3000' } };
    expect(asks(lineage([self, above(50, '4000')]), [RUN, older])).toEqual({ of: 'unclear' });
    expect(asks(lineage([self, above(50, '2999')]), [RUN, older])).toEqual({ of: 'person' });
    const led = lineage([self, above(700, '5000')], { leader: above(5, '1') });
    expect(asks(led, [RUN])).toEqual({ of: 'run', run: 'agent-7' });
  },
);
