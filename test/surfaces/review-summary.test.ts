import pc from 'picocolors';
import { expect, test } from 'vitest';
import type { ReviewSummary } from '#operations/review/shapes.js';
import { renderers } from '#surfaces/cli/render/review.js';
import type { Screen } from '#surfaces/cli/screen.js';

const SUMMARY: ReviewSummary = {
  review: 'review',
  name: 'shop\u001b[31m',
  counts: { critical: 1, high: 0, medium: 4, low: 0, info: 2 },
  first: [
    {
      title: 'A secret seems to be in the repository: a key of AWS',
      severity: 'critical',
      effort: 'an hour',
      places: 1,
      remedy: 'Revoke the key, store the new one outside the repository, then remove it from the history.',
      where: ['src/\u202ekeys.ts:3'],
      rule: 'leaked-secret',
    },
  ],
  steps: { total: 9, with_result: 8 },
  checks: { total: 3, finished: 0 },
  took_ms: 130_000,
  files: { html: '.workgraph/reports/review/report.html', markdown: 'r.md', json: 'r.json' },
};

function screenOf(lines: string[], width: number, unicode = true): Screen {
  const line = (text = '') => lines.push(text);
  return { width, unicode, colour: pc.createColors(false), line, aside: line };
}

function printed(summary: ReviewSummary, width: number, unicode = true): string[] {
  const lines: string[] = [];
  renderers['review.summary'](summary, screenOf(lines, width, unicode));
  return lines;
}

test('what of a repository a review would run is a table, and what is not trusted says so', () => {
  const shown = (trusted: boolean, ...commands: readonly string[]) => {
    const lines: string[] = [];
    const checks = commands.map((command) => ({ title: `Lint: ${command}`, command, folder: '' }));
    renderers['review.checks']({ checks, trusted }, screenOf(lines, 80));
    return lines;
  };
  expect(shown(false, 'npm run lint\u001b[31m')).toEqual([
    expect.stringMatching(/^COMMAND +FOLDER +FOR$/),
    expect.stringMatching(/^npm run lint\S* +\. +Lint$/),
    expect.stringContaining('troupe trust --show'),
  ]);
  expect(shown(true, 'npm run lint')).toHaveLength(2);
  expect(shown(false)).toEqual(['A review would run no command of this repository.']);
});

test('first what to do, then what was found, then where to read', () => {
  const lines = printed(SUMMARY, 100);
  const at = (text: string) => lines.findIndex((line) => line.startsWith(text));
  expect(at('Do first')).toBeGreaterThan(at('Review of'));
  expect(at('Findings')).toBeGreaterThan(at('Do first'));
  expect(at('Report')).toBeGreaterThan(at('Findings'));
  expect(lines).toContain('8 of 9 steps completed in 2m 10s; no model was asked.');
  expect(lines).toContain('0 of 3 checks finished.');
  expect(printed({ ...SUMMARY, checks: { total: 0, finished: 0 } }, 100).join()).not.toContain('checks finished');
  expect(lines).toContain('5 findings: 1 critical and 4 medium. 2 notes are for information only.');
});

test('narrow terminals wrap and plain ones get no glyphs; nothing foreign acts', () => {
  const lines = printed(SUMMARY, 40, false);
  for (const line of lines.slice(0, -2)) expect(line.length, line).toBeLessThanOrEqual(75);
  expect(lines.join('\n')).not.toMatch(/[\u001b\u202e━✕]/);
  expect(lines.some((line) => line.startsWith('!!! critical'))).toBe(true);
  expect(printed({ ...SUMMARY, first: [] }, 80)).toContain('Nothing is urgent.');
});
