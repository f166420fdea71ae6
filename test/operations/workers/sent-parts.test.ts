import { expect } from 'vitest';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { NOTHING_SENT, RunSender } from '#operations/workers/run-sender.js';
import type { RunPiece } from '#ports/worker-gateway.js';
import { verifies } from '../../verifies.js';

verifies(
  'fleet.worker',
  'each file of a run is sent from where it was left, in whole lines, and until it is full',
  async () => {
    const printed: Record<string, string> = { prompt: 'Do it.\n', output: 'one\ntw', events: '' };
    const [appended, read]: [unknown[], unknown[]] = [[], []];
    let full = '';
    const sender = (sent = NOTHING_SENT) =>
      new RunSender({
        ...{ run: 'agent-1', fence: 3, secrets: [], sent },
        bytes: {
          read: async (run, of, from, most) => {
            read.push([run, of, from, most]);
            return Buffer.from(printed[of] ?? '').subarray(from, from + most);
          },
        },
        desk: {
          append: async (run: string, fence: number, { of, from, bytes }: RunPiece) => {
            appended.push([run, fence, of, from, Buffer.from(bytes).toString()]);
            return of !== full;
          },
        },
      });
    const first = sender();
    expect(first.sent).toEqual(NOTHING_SENT);
    expect(await first.send({ end: false })).toBe(true);
    expect(appended.splice(0)).toEqual([
      ['agent-1', 3, 'prompt', 0, 'Do it.\n'],
      ['agent-1', 3, 'output', 0, 'one\n'],
    ]);
    expect(read.splice(0)).toContainEqual(['agent-1', 'prompt', 0, WORKER_LIMITS.pieceBytes]);
    const left = { prompt: { read: 7, told: 7 }, output: { read: 4, told: 4 }, events: { read: 0, told: 0 } };
    expect(first.sent).toEqual(left);
    expect(await first.send({ end: false })).toBe(false);
    expect([appended, first.sent]).toEqual([[], left]);
    const second = sender(first.sent);
    printed['output'] += 'o\n';
    printed['events'] = '{}\n{}';
    full = 'output';
    expect(await second.send({ end: true })).toBe(true);
    expect(appended.splice(0)).toEqual([
      ['agent-1', 3, 'output', 4, 'two\n'],
      ['agent-1', 3, 'events', 0, '{}\n'],
      ['agent-1', 3, 'events', 3, '{}'],
    ]);
    expect(second.sent).toEqual({ prompt: left.prompt, output: { read: 8, told: 8 }, events: { read: 5, told: 5 } });
    printed['output'] += 'more\n';
    expect([await second.send({ end: true }), appended]).toEqual([false, []]);
  },
);
