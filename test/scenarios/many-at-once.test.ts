import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';
import { asked, project, start, startService, statuses, troupe } from './program.js';

/** Processes at once; of the writers one half adds, the other logs. */
const WRITERS = mass(10, 32);
const CLAIMS = mass(10, 50);
const BESIDE_A_START = mass(8, 24);

describe.each([
  ['without a service', false],
  ['with a service', true],
])('many processes at once, %s', (_, served) => {
  verifies(
    ['graph.store.parallel', 'graph.store.lock', 'graph.store.serverless'],
    'many processes adding and logging lose nothing',
    async () => {
      const cwd = await project();
      await asked(['add', 'Shared'], { cwd });
      if (served) await startService(cwd);
      const ends = await Promise.all(
        Array.from({ length: WRITERS }, (_, number) =>
          number % 2 === 0
            ? start(['add', 'Same title', '--json'], { cwd }).finished
            : start(['log', 'shared', `note ${number}`, '--json'], { cwd }).finished,
        ),
      );
      expect(ends.map((end) => end.stderr).join('')).toBe('');
      expect(ends.every((end) => end.code === 0)).toBe(true);
      const given = ends.filter((_, number) => number % 2 === 0).map((end) => JSON.parse(end.stdout).id);
      expect(new Set(given).size).toBe(WRITERS / 2);
      expect(Object.keys(await statuses(cwd)).sort()).toEqual(['shared', ...given].sort());
      const { log } = await asked<{ log: { message: string }[] }>(['log', 'shared'], { cwd });
      expect(log.map((entry) => entry.message).sort()).toEqual(
        Array.from({ length: WRITERS / 2 }, (_, number) => `note ${2 * number + 1}`).sort(),
      );
      if (served) await troupe(['service', 'stop'], { cwd });
      expectWhole(cwd, WRITERS + 1);
    },
  );

  verifies(['graph.store.parallel', 'graph.move.claim-once', 'claim.atomic'], 'of many claims one wins', async () => {
    const cwd = await project();
    await asked(['add', 'Prize'], { cwd });
    if (served) await startService(cwd);
    const ends = await Promise.all(
      Array.from(
        { length: CLAIMS },
        (_, number) => start(['claim', 'prize', '--actor', `runner-${number}`, '--json'], { cwd }).finished,
      ),
    );
    const winners = ends.map((end, number) => (end.code === 0 ? `runner-${number}` : '')).filter((name) => name !== '');
    expect(winners).toHaveLength(1);
    const losers = ends.filter((end) => end.code !== 0).map((end) => JSON.parse(end.stderr).error);
    expect(losers).toHaveLength(CLAIMS - 1);
    for (const error of losers)
      expect(error).toMatchObject({ code: 'wrong_status', details: { assigned: winners[0] } });
    expect(await asked(['show', 'prize'], { cwd })).toMatchObject({ task: { assigned: winners[0], fence: 1 } });
  });
});

verifies('graph.store.parallel', 'a service that starts in the middle of it turns nobody away', async () => {
  const cwd = await project();
  await asked(['add', 'Shared'], { cwd });
  const ends = Promise.all(
    Array.from(
      { length: BESIDE_A_START },
      (_, number) => start(['log', 'shared', `note ${number}`, '--json'], { cwd }).finished,
    ),
  );
  await startService(cwd);
  expect((await ends).map((end) => end.stderr).join('')).toBe('');
  await troupe(['service', 'stop'], { cwd });
  const { log } = await asked<{ log: unknown[] }>(['log', 'shared'], { cwd });
  expect(log).toHaveLength(BESIDE_A_START);
});

/** The log has no gap and no fork, and replays to the snapshot byte for byte. */
function expectWhole(cwd: string, entries: number): void {
  const lines = readFileSync(path.join(cwd, '.workgraph/operations.jsonl'), 'utf8').trimEnd().split('\n');
  const log = lines.map((line) => JSON.parse(line) as Entry);
  expect(log.map((entry) => entry.seq)).toEqual(Array.from({ length: entries }, (_, index) => index + 1));
  expect(log.slice(1).map((entry) => entry.prev)).toEqual(log.slice(0, -1).map((entry) => entry.id));
  const state = new GraphState();
  for (const entry of log) state.apply(entry);
  expect(readFileSync(path.join(cwd, '.workgraph/graph.jsonl'), 'utf8')).toBe(graphText(state.nodes(), [], []));
}
