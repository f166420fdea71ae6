import { expect, test } from 'vitest';
import { readNote } from '#core/playbooks/panel-note.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { processorMs } from '../../processor-time.js';

const noteOf = (text: string) => {
  const reading = readNote(text);
  return 'note' in reading ? reading.note : expect.unreachable(reading.problem);
};
const problemOf = (text: string) => {
  const reading = readNote(text);
  return 'problem' in reading ? reading.problem : expect.unreachable();
};

test('a note is a heading with a verdict and points with a move each; a point without one is not counted', () => {
  const text = [
    '### Front-end — specialist — CHANGES  requested',
    'Option: **Keep** the queue',
    '- [high] the list blocks → load it in pages',
    '* [MED] no limit -> add one',
    '- [low] ugly',
    '- [low]  → paint it',
    '- [urgent] all of it → stop',
    '- no weight → nothing',
    '**Lesson:** ask who pays',
  ].join('\r\n');
  expect(noteOf(text)).toEqual({
    role: 'Front-end — specialist',
    verdict: 'CHANGES REQUESTED',
    option: '**Keep** the queue',
    lesson: 'ask who pays',
    points: [
      { weight: 'high', note: 'the list blocks', move: 'load it in pages' },
      { weight: 'med', note: 'no limit', move: 'add one' },
    ],
    uncounted: 2,
  });
});

test('what a fence or a comment quotes is no verdict and no point', () => {
  const quoted = ['```', '### QA — IDEAS', '- [high] a → b', '```', '<!--', '### QA — IDEAS', '-->'];
  expect(problemOf(quoted.join('\n'))).toContain('no heading');
  expect(noteOf(['### QA — SIGN-OFF', ...quoted].join('\n'))).toMatchObject({ verdict: 'SIGN-OFF', points: [] });
});

test.each([
  ['### QA — MAYBE', 'names none of SIGN-OFF'],
  ['### SIGN-OFF', 'names none of'],
  ['### — SIGN-OFF', 'names none of'],
  ['### QA SIGN-OFF', 'names none of'],
  ['## QA — SIGN-OFF', 'no heading'],
  ['### QA — SIGN-OFF\n### QA — IDEAS', 'more than one verdict'],
  ['', 'no heading'],
])('%j is no note', (text, problem) => {
  expect(problemOf(text)).toContain(problem);
});

test('a hostile note is read in no time, is bounded, and hides and betrays nothing', () => {
  const reading = () => {
    for (const sign of [' ', '#', '—', '- ', '→', '*', '[', '`', '<!--'])
      readNote(`### a${sign.repeat(60_000)}\n- [high] ${sign.repeat(60_000)}\noption${sign.repeat(60_000)}`);
  };
  expect(processorMs(reading)).toBeLessThan(2_000);
  const note = noteOf(
    ['### a\u202eb — IDEAS', '- [high] password=hunter2hunter2 → x', ...Array(200).fill('- [low] a → b')].join('\n'),
  );
  expect(note.role).toBe('a\\u{202e}b');
  expect(note.points[0]?.note).toBe('password=********');
  expect([note.points.length, note.uncounted]).toEqual([PANEL_LIMITS.points, 201 - PANEL_LIMITS.points]);
});
