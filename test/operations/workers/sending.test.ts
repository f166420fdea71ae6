import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { Masking } from '#operations/workers/masking.js';
import { NOTHING_SENT, RunSender } from '#operations/workers/run-sender.js';
import type { SentParts } from '#ports/attempt-orders.js';
import type { RunPiece } from '#ports/worker-gateway.js';
import { verifies } from '../../verifies.js';

/** What a run printed, read in pieces of so many bytes, and what came of it. */
function sending(most: number, secrets: readonly string[] = []) {
  const printed = { output: '', events: '', prompt: '' };
  const state = { isAway: false, isFull: false, kept: '' };
  const sender = (sent: SentParts = NOTHING_SENT) =>
    new RunSender({
      ...{ run: 'agent-1', fence: 1, secrets, sent },
      bytes: {
        read: async (_run, of, from, asked) => Buffer.from(printed[of]).subarray(from, from + Math.min(most, asked)),
      },
      desk: {
        append: async (_run: string, _fence: number, { of, from, bytes }: RunPiece) => {
          if (state.isAway) throw new TroupeError('database_away');
          if (of !== 'output') return true;
          expect(from).toBeLessThanOrEqual(Buffer.byteLength(state.kept));
          state.kept += Buffer.from(bytes)
            .subarray(Buffer.byteLength(state.kept) - from)
            .toString('utf8');
          return !state.isFull;
        },
      },
    });
  return { printed, state, sender };
}

verifies('fleet.secret', 'no secret leaves in what a run prints, wherever the pieces are cut', async () => {
  const token = `ghp_${'a'.repeat(36)}`;
  const key = `-----BEGIN PRIVATE KEY-----\n${'b'.repeat(300)}\n-----END PRIVATE KEY-----`;
  for (const most of [7, 64, 100_000]) {
    const { printed, state, sender } = sending(most, ['correct horse battery']);
    const one = sender();
    printed.output = `größer\n${token}\n`;
    await one.send({ end: false });
    printed.output += `${key}\nit is correct horse battery\nunfinished`;
    await one.send({ end: true });
    expect(state.kept).toBe('größer\n********\n********\nit is ********\nunfinished');
  }
});

verifies(
  ['fleet.secret', 'fleet.worker'],
  'what could not be told is told again, once, also by another life',
  async () => {
    const { printed, state, sender } = sending(16);
    const first = sender();
    printed.output = 'one\n';
    await first.send({ end: false });
    printed.output += 'two\nthree without an end';
    state.isAway = true;
    await expect(first.send({ end: false })).rejects.toMatchObject({ code: 'database_away' });
    state.isAway = false;
    await first.send({ end: false });
    expect(state.kept).toBe('one\ntwo\n');
    const second = sender(first.sent);
    printed.output += '\nfour\n';
    await second.send({ end: true });
    expect(state.kept).toBe('one\ntwo\nthree without an end\nfour\n');
    expect(await second.send({ end: true }), 'nothing came since').toBe(false);
  },
);

verifies('fleet.worker', 'where no more is kept of a run nothing more is sent', async () => {
  const { printed, state, sender } = sending(8);
  state.isFull = true;
  printed.output = 'one\ntwo\nthree\nfour\n';
  await sender().send({ end: true });
  expect(state.kept.length).toBeLessThan(printed.output.length);
});

verifies('fleet.secret', 'values of secrets are masked in whatever is told of a run, short ones are left', () => {
  const masking = new Masking(['long secret value', 'secret value', 'short']);
  const report = {
    fact: { exit: { code: 1, lastLines: 'a long secret value, short' } },
    listed: ['secret value', 3, null],
  };
  expect(masking.masked(report, { shapes: false })).toEqual({
    fact: { exit: { code: 1, lastLines: 'a ********, short' } },
    listed: ['********', 3, null],
  });
  expect(masking.masked('password=abcdefgh123', { shapes: true })).toBe('password=********');
});
