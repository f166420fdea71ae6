import { PassThrough } from 'node:stream';
import pico from 'picocolors';
import { expect } from 'vitest';
import type { History } from '#operations/history/history-shape.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { playFrames } from '#surfaces/cli/trace-player.js';
import { verifies } from '../verifies.js';

/** A terminal as far as streams make one: it remembers what was written and whether keys come one by one. */
function terminal() {
  const input = Object.assign(new PassThrough(), {
    raw: false,
    setRawMode(raw: boolean) {
      input.raw = raw;
      return input;
    },
  });
  const out = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  let written = '';
  out.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  return { stage: { input, out } as never, input, written: () => written };
}

const screen: Screen = {
  width: 80,
  colour: pico.createColors(false),
  unicode: true,
  line: () => undefined,
  aside: () => undefined,
};
const frame = { seq: 1, timestamp: '2026-03-21T10:00:00.000Z', type: 'task.created', op: 'add_task', task_id: 'a' };
const history = (frames: unknown): History =>
  ({ id: 'a', title: 'A', status: 'open', operations: [], frames }) as never;

verifies('graph.trace.animate', 'a fault in the middle gives the terminal back, and is said', async () => {
  const { stage, input, written } = terminal();
  const playing = playFrames(history([{ ...frame, tasks: [] }, frame]), screen, stage);
  input.write('\u001b[C');
  await expect(playing).rejects.toThrow(TypeError);
  expect(input.raw).toBe(false);
  expect(written().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  expect(process.listenerCount('SIGTERM')).toBe(0);
});

verifies(
  'graph.trace.animate',
  'what titles and names hold does not act on the terminal; many tasks are cut to its height',
  async () => {
    const { stage, input, written } = terminal();
    const tasks = Array.from({ length: 100 }, (_, index) => ({
      id: `t${index}\u001b]0;x\u0007`,
      title: '\u001b[2J',
      status: 'open',
      after: index === 0 ? [] : ['t0\u001b]0;x\u0007'],
    }));
    const playing = playFrames(history([{ ...frame, tasks, actor: '\u001b[2J' }]), screen, stage);
    input.write('q');
    await playing;
    expect(written()).toContain('t0\\u{1b}]0;x');
    expect(written()).not.toMatch(/\u001b\]0|\u001b\[2J|\u0007/);
    expect(written()).toContain('and 82 more');
    expect(written().split('\r\n').length).toBeLessThanOrEqual(24);
  },
);
