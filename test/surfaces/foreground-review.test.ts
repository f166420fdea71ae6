import pc from 'picocolors';
import { expect } from 'vitest';
import { wordOf } from '#core/graph/status-look.js';
import { execute } from '#surfaces/cli/commands/trial.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { type LiveTask, linesForPipes, liveRows } from '#surfaces/cli/live-view.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { verifies } from '../verifies.js';

const AT = '2026-03-21T10:02:10.000Z';

verifies(
  ['review.outcome', 'end.cut'],
  'a step whose check failed shows its exit code in the live rows and lines',
  () => {
    const lines: string[] = [];
    const line = (text = '') => void lines.push(text);
    const screen: Screen = { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line };
    const base = { title: 'Run “npm run lint”', state: 'done' as const, member: 'Edie', after: [], after_success: [] };
    const tasks: LiveTask[] = [
      { ...base, id: 'a', check: 'exit 1', started_at: AT, completed_at: AT },
      { ...base, id: 'b', started_at: AT, completed_at: AT },
    ];
    const rows = liveRows(tasks, screen, 9, Date.parse(AT));
    expect(rows[0]).toContain('● done · exit 1   Edie');
    expect(rows[1]).not.toContain('exit');
    expect(rows[0]?.indexOf('Edie')).toBe(rows[1]?.indexOf('Edie'));
    linesForPipes(screen, () => Date.parse(AT)).show(tasks);
    expect(lines).toEqual([expect.stringContaining('● done · exit 1'), expect.not.stringContaining('exit')]);
    const painted: Screen = { ...screen, colour: pc.createColors(true) };
    const cutOff = { ...base, id: 'c', check: 'cut off', started_at: AT, completed_at: AT };
    const [amber = '', green = ''] = liveRows([cutOff, { ...cutOff, check: undefined }], painted, 9, Date.parse(AT));
    expect(amber).toMatch(/^ {2}\u001b\[33m● done · cut off/);
    expect(green).toMatch(/^ {2}\u001b\[32m● done /);
    expect(wordOf('failed', undefined, 'exit 1')).toBe('failed');
  },
);

verifies('review.outcome', 'a trial with a flag that is refused clones nothing', async () => {
  const cloned: string[] = [];
  const scratchClone: CommandHost['scratchClone'] = async (repository) => {
    cloned.push(repository);
    throw new Error('cloned');
  };
  const invocation = { host: { scratchClone }, input: { max_agents: 0 }, folder: '/shop' } as unknown as Invocation;
  await expect(execute(invocation)).rejects.toMatchObject({ code: 'usage' });
  expect(cloned).toEqual([]);
});
