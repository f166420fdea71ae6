import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pc from 'picocolors';
import { expect } from 'vitest';
import { ago } from '#surfaces/cli/ago.js';
import { renderers as messages } from '#surfaces/cli/render/messages.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { verifies } from '../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z');

verifies('ui.number', 'a moment is said as how long ago it was', () => {
  expect(ago('2026-03-21T09:57:50.000Z', NOW)).toBe('2m 10s ago');
  expect(ago('2026-03-19T06:00:00.000Z', NOW)).toBe('2d 4h ago');
  expect([ago('2026-03-21T10:00:00.000Z', NOW), ago(null, NOW), ago('soon', NOW)]).toEqual(['just now', '', '']);
});

verifies('ui.number', 'a list of messages says how long ago, not when', () => {
  const lines: string[] = [];
  const line = (text = '') => void lines.push(text);
  const screen: Screen = { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line };
  const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const message = { number: 1, from: 'ann', to: 'bob', at, text: 'Hello', priority: 'normal', unread: false };
  void messages['msg.list']({ task_id: 'a', messages: [message], total: 1, unread: 0 } as never, screen);
  expect(lines.join('\n')).toContain('3h ago');
});

verifies(
  'ui.number',
  'nothing that is printed for people cuts a date out of a moment, but days to come and versions',
  () => {
    const folder = path.resolve(import.meta.dirname, '../../src/surfaces/cli/render');
    const cuts = readdirSync(folder).flatMap((name) =>
      [
        ...readFileSync(path.join(folder, name), 'utf8').matchAll(/(\w+(?:_at|\.at|timestamp)\??)\.slice\(0, 1\d\)/g),
      ].map(([, what]) => `${name}: ${what}`),
    );
    expect(cuts).toEqual([]);
  },
);
