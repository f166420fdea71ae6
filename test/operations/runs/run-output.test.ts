import { expect, test } from 'vitest';
import { runOutput } from '#operations/runs/run-output.js';
import type { RunFolders } from '#ports/run-folders.js';
import { NO_RUNS } from '../../no-runs.js';

const EVENTS = ['one', 'two'].map((text) => `${JSON.stringify({ type: 'text', text })}\n`).join('');

/** A run of a client that said two things. */
const runs: RunFolders = {
  ...NO_RUNS,
  part: async (_run, of, { from = 0 }) => {
    const text = of === 'events' ? EVENTS.slice(from) : 'printed';
    return { text, next: from + text.length, size: EVENTS.length };
  },
};

test('the words of a run begin with its first, and go on where they were left', async () => {
  const whole = await runOutput(runs, 'agent-1', { most: 1_000 });
  expect(whole).toMatchObject({ form: 'words', text: 'one\ntwo', cut: false });
  const from = EVENTS.indexOf('\n') + 1;
  expect(await runOutput(runs, 'agent-1', { most: 1_000, from: 0 })).toMatchObject({ text: 'one\ntwo' });
  expect(await runOutput(runs, 'agent-1', { most: 1_000, from })).toMatchObject({ text: '\ntwo', cut: false });
  expect(await runOutput(runs, 'agent-1', { most: 1_000, form: 'raw' })).toMatchObject({
    form: 'raw',
    text: 'printed',
  });
});
