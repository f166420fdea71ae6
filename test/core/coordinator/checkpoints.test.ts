import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { TaskFields } from '../graph/graph.js';
import { type Fields, fact, graphOf, held, NOW, snapshot } from './stage.js';

const HOUR = 3_600_000;
const TERMS = { checkpointTurns: 10, checkpointMs: HOUR };
const client = (more: Partial<RunFact> = {}): RunFact =>
  fact('agent-1', 'a', { executor: 'claude', leaseUntil: NOW + HOUR, timeoutMs: 9 * HOUR, ...more });

/** Of each run that is asked to leave word: which, with what, and why. */
function asked(run: RunFact, more: Fields = {}, task: TaskFields = {}): string[] {
  const { exec: _, ...fields } = held('a', 'agent-1', task);
  const errands = { underWay: new Set<string>(), answers: new Map() };
  const picture = snapshot(graphOf({ ...fields, id: 'a' }), {
    runs: [run],
    terms: TERMS,
    paused: true,
    errands,
    ...more,
  });
  return decide(picture, NOW).flatMap((one) =>
    one.do === 'checkpoint'
      ? [`${one.run} ${one.task} ${one.fence} ${one.turns} ${JSON.stringify(one.usage)}: ${one.reason}`]
      : [],
  );
}

test('who has worked for long leaves word, by its turns or by the time', () => {
  const turns = (count: number, said = count) => [`agent-1 a 1 ${count} undefined: ${said} turns since the last one`];
  const time = (count = 0) => [`agent-1 a 1 ${count} undefined: It has run for a long time since the last one`];
  const long = { startedAt: NOW - HOUR, progressAt: NOW - HOUR + 1 };
  const off = { terms: { ...TERMS, checkpointTurns: 0 } };
  expect(asked(client({ turns: 10 }))).toEqual(turns(10));
  expect(asked(client({ turns: 9 }))).toEqual([]);
  expect(asked(client({ turns: 10 }), off)).toEqual([]);
  expect(asked(client(long))).toEqual(time());
  expect(asked(client({ ...long, turns: 9 }))).toEqual(time(9));
  expect(asked(client({ ...long, turns: 99 }), off)).toEqual(time(99));
  expect(asked(client({ ...long, startedAt: NOW - HOUR + 1 }))).toEqual([]);
  expect(asked(client({ ...long, progressAt: NOW - HOUR })), 'it has said nothing since').toEqual([]);
  expect(asked(client(long), { terms: { ...TERMS, checkpointMs: 0 } })).toEqual([]);
  expect(asked(client({ turns: 10, usage: { input_tokens: 5 } }))[0]).toContain('{"input_tokens":5}');
});

test('nobody is asked who is not at work on its task as a client', () => {
  const busy = { turns: 10 };
  const runs: Partial<RunFact>[] = [
    { alive: false },
    { exit: { code: 0 } },
    { ended: 'timeout' },
    { executor: 'shell' },
  ];
  for (const more of runs) expect(asked(client({ ...busy, ...more })), JSON.stringify(more)).toEqual([]);
  const { executor: _, ...own } = client(busy);
  expect(asked(own), 'no client').toEqual([]);
  const tasks: TaskFields[] = [{ status: 'open' }, { assigned: 'agent-2' }, { fence: 2 }];
  for (const task of tasks) expect(asked(client(busy), {}, task), JSON.stringify(task)).toEqual([]);
  const errands = (underWay: string[], answers: [string, { of: string; text?: string }][] = []) =>
    ({ errands: { underWay: new Set(underWay), answers: new Map(answers) } }) as Fields;
  expect(asked(client(busy), errands(['checkpoint agent-1']))).toEqual([]);
  expect(asked(client(busy), errands(['checkpoint agent-2']))).toHaveLength(1);
  expect(asked(client(busy), errands([], [['checkpoint agent-1', { of: 'error', text: 'full' }]]))).toEqual([]);
  expect(asked(client(busy), errands([], [['checkpoint agent-1', { of: 'checkpoint' }]]))).toHaveLength(1);
});

test('it counts from the last word of the same run', () => {
  const after = (mark: object, more: Partial<RunFact>) =>
    asked(client(more), {}, {
      checkpoint_mark: { run: 'agent-1', at: new Date(NOW - HOUR).toISOString(), ...mark },
    } as TaskFields);
  const turns = (count: number, since: number) => [`agent-1 a 1 ${count} undefined: ${since} turns since the last one`];
  expect(after({ turns: 5 }, { turns: 14 })).toEqual([]);
  expect(after({ turns: 5 }, { turns: 15 })).toEqual(turns(15, 10));
  expect(after({ turns: 5, run: 'agent-0' }, { turns: 14 })).toEqual(turns(14, 14));
  expect(after({}, { turns: 14 }), 'nobody knows since which turn').toEqual([]);
  const long = { startedAt: NOW - 3 * HOUR, progressAt: NOW };
  expect(after({ turns: 0 }, long)).toHaveLength(1);
  expect(after({ turns: 0, at: new Date(NOW - HOUR + 1).toISOString() }, long)).toEqual([]);
  expect(after({ turns: 0 }, { ...long, progressAt: NOW - HOUR })).toEqual([]);
});
