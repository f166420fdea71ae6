import pc from 'picocolors';
import { expect } from 'vitest';
import { cellsOf } from '#kernel/cells.js';
import { renderers as catalog } from '#surfaces/cli/render/catalog.js';
import { renderers as handoffs } from '#surfaces/cli/render/formations.js';
import { renderers as history } from '#surfaces/cli/render/history.js';
import { renderers as review } from '#surfaces/cli/render/review.js';
import { renderers as teams } from '#surfaces/cli/render/teams.js';
import { renderers as workers } from '#surfaces/cli/render/workers.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';
import { verifies } from '../verifies.js';

const EVIL = 'a\u001b[8m';

function printed(print: (screen: Screen) => void, width = 300): string[] {
  const lines: string[] = [];
  const line = (text = '') => void lines.push(text);
  print({ width, colour: pc.createColors(false), unicode: true, line, aside: line });
  return lines;
}

verifies('say.raw', 'remedies, runs, entries and plugins are printed without control characters', () => {
  const machine = [{ subject: 'git', state: 'note' as const, text: 'old', remedy: EVIL }];
  const doctor = { folder: '/p', initialized: false, machine, findings: [], repaired: [], rebuilt: [] };
  const worker = {
    ...{ name: 'box', state: 'working', used: 1, slots: 1, runs: [{ run: EVIL, task: 'a' }], labels: [] },
    ...{ executors: [], last_heard: '2026-03-21T10:02:10.000Z', at: 'box', version: '1' },
  };
  const list = { project: 'p', leaders: [], workers: [worker] } as unknown as AnswerOf<'worker.list'>;
  const shown = {
    remedy: printed((screen) => history['project.doctor'](doctor as unknown as AnswerOf<'project.doctor'>, screen)),
    run: printed((screen) => workers['worker.list'](list, screen)),
    entry: printed((screen) =>
      catalog['catalog.show'](
        { kind: 'archetypes', entries: [{ id: EVIL }, { id: 'b' }] } as unknown as AnswerOf<'catalog.show'>,
        screen,
      ),
    ),
    plugin: printed((screen) =>
      handoffs['export.claude-plugins']({ folder: '/p', plugins: [EVIL], files: [] } as never, screen),
    ),
  };
  for (const [what, lines] of Object.entries(shown)) {
    expect(lines.join('\n'), what).toContain('a\\u{1b}[8m');
    expect(lines.join('\n'), what).not.toContain('\u001b');
  }
});

verifies('ui.words', 'who has left a team that nobody leads is told without a leader', () => {
  const left = (leader: string | null) =>
    printed((screen) =>
      teams['team.remove'](
        { changed: true, team: { name: 'hull', leader }, member: { name: 'Ripley' } } as never,
        screen,
      ),
    );
  expect(left(null)).toEqual(['Ripley has left hull']);
  expect(left('Hicks')).toEqual(['Ripley has left hull, which Hicks leads']);
});

verifies('ui.cli.table', 'what to do first keeps to the width in characters of two cells', () => {
  const wide = '構文解析器を書いて、すべての試験を通す'.repeat(3);
  const first = [{ title: wide, severity: 'high', effort: 'a day', places: 1, remedy: wide, where: [], rule: 'r' }];
  const summary = {
    ...{ review: 'review', name: 'shop', first, counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0 } },
    ...{ steps: { total: 1, with_result: 1 }, checks: { total: 0, finished: 0 }, took_ms: 1 },
    files: { html: 'r.html', markdown: 'r.md', json: 'r.json' },
  } as unknown as AnswerOf<'review.summary'>;
  const lines = printed((screen) => review['review.summary'](summary, screen), 60);
  expect(Math.max(...lines.filter((line) => line.includes('構文')).map(cellsOf))).toBeLessThanOrEqual(60);
  expect(lines.filter((line) => /[構器験通]/.test(line)).length).toBeGreaterThan(3);
});
