import { expect, test } from 'vitest';
import { candidatesIn } from '#core/roles/candidates.js';
import { lessonGroups, lessonOverlap } from '#core/roles/lesson-likeness.js';
import { verifies } from '../../verifies.js';
import { core, lessonsOf, registryOf, row } from './some-roles.js';

const SEEN = 'Judge by title and what is shown, never by the slug';

verifies(
  'roles.grad.candidates',
  'one lesson in two lanes of a linked core is a candidate, also in other words',
  () => {
    const registry = registryOf(
      [core('skeptic')],
      [
        row('panel', 'doubter', { role: 'skeptic', lessonTexts: [`2026-03-01 ${SEEN}`, 'say who disagrees'] }),
        row('research', 'verifier', {
          role: 'skeptic',
          lessonTexts: ['ask twice', `2026-03-04 judge by the  TITLE and what is shown, never by slug`],
        }),
        row('crew', 'local', { lessonTexts: [SEEN] }), // not linked: nobody else's
      ],
    );
    const [first] = candidatesIn(registry);
    expect(first).toMatchObject({
      ...{ id: 'c1', why: 'shared-lesson', role: 'skeptic', origins: ['panel', 'research'] },
      lesson: 'judge by the  TITLE and what is shown, never by slug',
      sources: [
        { origin: 'panel', name: 'doubter', file: '.claude/roles/panel.md', line: 1 },
        { origin: 'research', name: 'verifier', file: '.claude/roles/research.md', line: 2 },
      ],
    });
  },
);

verifies(
  'roles.grad.candidates',
  'a role in two lanes, more than fifteen solo lessons, a lesson said to hold everywhere',
  () => {
    const solo = (count: number) =>
      lessonsOf(Array.from({ length: count }, (_, at) => `lesson number ${at} of ${at * at}`));
    const registry = registryOf(
      [core('busy', { solo: solo(16) }), core('calm', { solo: solo(15) }), core('qa')],
      [
        row('crew', 'qa', { role: 'qa', lessonTexts: ['clocks are never equal (context-independent)'] }),
        row('crew', 'scribe'),
        row('panel', 'scribe'), // by its heading alone
        row('panel', 'judge', { role: 'qa' }), // by its link
        row('panel', 'old', { status: 'retired' }),
        row('research', 'old'),
      ],
    );
    expect(candidatesIn(registry)).toEqual([
      {
        ...{ id: 'c1', why: 'marked-lesson', role: 'qa', origins: ['crew'], lesson: 'clocks are never equal' },
        sources: [expect.objectContaining({ text: 'clocks are never equal (context-independent)' })],
      },
      { id: 'c2', why: 'several-lanes', role: 'qa', origins: ['crew', 'panel'], linked: true },
      { id: 'c3', why: 'several-lanes', role: 'scribe', origins: ['crew', 'panel'], linked: false },
      { id: 'c4', why: 'many-solo-lessons', role: 'busy', origins: ['solo'], lessons: 16 },
    ]);
  },
);

verifies('roles.grad.candidates', 'lessons are one when they share six tenths of their words, and not below', () => {
  const sameLesson = (...pair: [string, string]) => lessonGroups(pair.map((text) => ({ text }))).length === 1;
  expect(sameLesson('a b c', 'A   b C')).toBe(true);
  expect(sameLesson('one two three four', 'one two three five')).toBe(true); // 3 of 5
  expect(sameLesson('one two three four six', 'one two three five seven')).toBe(false); // 3 of 7
  expect(sameLesson('never by slug', 'always by title')).toBe(false);
});

test('grouping by rare words brings together what comparing each with each does', () => {
  const words = ['red', 'blue', 'green', 'gate', 'slug', 'title', 'clock', 'test', 'run', 'file'];
  let seed = 7;
  const next = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % most;
  };
  const lessons = Array.from({ length: 300 }, () => ({
    text: Array.from({ length: 1 + next(6) }, () => words[next(words.length)]).join(' '),
  }));
  const slow: { text: string }[][] = [];
  for (const lesson of lessons) {
    const same = slow.find(([first]) => first?.text === lesson.text);
    const group = same ?? slow.find(([first]) => first && lessonOverlap(first.text, lesson.text) >= 0.6);
    if (group) group.push(lesson);
    else slow.push([lesson]);
  }
  expect(lessonGroups(lessons)).toEqual(slow);
});

test('lessons that share most of their words are one group, whatever the order of the words', () => {
  const shared = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];
  const lessons = [
    [...shared, 'a', 'b'],
    [...[...shared].reverse(), 'c', 'd'],
    ['m1', 'e', 'f'],
  ];
  const groups = lessonGroups(lessons.map((words) => ({ text: words.join(' ') })));
  expect(groups.map((group) => group.map(({ text }) => text.slice(0, 2)))).toEqual([['m1', 'm8'], ['m1']]);
});
