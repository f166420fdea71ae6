import { expect } from 'vitest';
import { LANES } from '#core/roles/lane.js';
import { promptPartsAt } from '#core/roles/prompt-parts.js';
import { bytesOf } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { verifies } from '../../verifies.js';
import { core, lessonsOf, registryOf, row } from './some-roles.js';

/** Each place of the registry has a word of its own. */
const SENTINELS = registryOf(
  [
    core('skeptic', {
      charter: 'CHARTER',
      body: 'BODY',
      core: lessonsOf(['2026-01-01 CORE']),
      solo: lessonsOf(['2026-01-02 SOLO']),
    }),
    core('other', { charter: 'OTHER', core: lessonsOf(['OTHER']) }),
  ],
  [
    ...LANES.map((lane) =>
      row(lane, 'skeptic', {
        role: 'skeptic',
        fields: new Map([
          ['lens', `FIELD-${lane}`],
          ['learnings', ''],
        ]),
        lessonTexts: [`ROW-${lane}`],
      }),
    ),
    row('crew', 'neighbour', { lessonTexts: ['NEIGHBOUR'] }),
  ],
);
const told = (place: Parameters<typeof promptPartsAt>[1]) =>
  promptPartsAt(SENTINELS, place)
    .map(({ part, text }) => `${part}: ${text}`)
    .join('\n');

verifies(
  ['roles.rule.own-lane', 'roles.prompt.parts'],
  'the core role and the own row, in this order, and no other lane',
  () => {
    for (const lane of LANES) {
      expect(told({ lane, seat: 'skeptic' })).toBe(
        [
          'charter: CHARTER',
          'body: BODY',
          'core lessons: - 2026-01-01 — CORE',
          `row: name: skeptic\nlens: FIELD-${lane}`,
          `own lessons: - ROW-${lane}`,
        ].join('\n'),
      );
    }
  },
);

verifies(
  ['roles.rule.solo-lane', 'roles.prompt.parts'],
  'only who works alone is told what solo runs have learned',
  () => {
    expect(told({ lane: 'solo', role: 'skeptic' })).toBe(
      ['charter: CHARTER', 'body: BODY', 'core lessons: - 2026-01-01 — CORE', 'own lessons: - 2026-01-02 — SOLO'].join(
        '\n',
      ),
    );
    for (const lane of LANES) expect(told({ lane, seat: 'skeptic' })).not.toContain('SOLO');
  },
);

verifies('roles.prompt.parts', 'a row on its own is told its row; where there is neither, nothing', () => {
  expect(told({ lane: 'crew', seat: 'neighbour' })).toBe('row: name: neighbour\nown lessons: - NEIGHBOUR');
  expect(told({ lane: 'panel', seat: 'neighbour' })).toBe('');
  expect(told({ lane: 'solo', role: 'nobody' })).toBe('');
});

verifies('roles.prompt.bound', 'of all lessons the newest forty, within 8 KiB; each part has its hash', () => {
  const day = (at: number) => `2026-01-${String(at + 1).padStart(2, '0')}`;
  const registry = (length: number) =>
    registryOf(
      [
        core('qa', {
          core: lessonsOf(Array.from({ length: 30 }, (_, at) => `${day(at)} core ${at} ${'x'.repeat(length)}`)),
        }),
      ],
      [
        row('crew', 'qa', {
          role: 'qa',
          lessonTexts: [
            'no date',
            ...Array.from({ length: 30 }, (_, at) => `${day(at)} own ${at} ${'x'.repeat(length)}`),
          ],
        }),
      ],
    );
  const lessonsTold = (length: number) =>
    promptPartsAt(registry(length), { lane: 'crew', seat: 'qa' }).filter(({ part }) => part.endsWith('lessons'));
  const [first, second] = lessonsTold(1);
  expect(first?.text.split('\n')).toHaveLength(20);
  expect(second?.text.split('\n')).toHaveLength(20);
  expect(first?.text).toContain('core 29');
  expect(first?.text).not.toContain('core 9 ');
  expect(second?.text).not.toContain('no date');
  for (const { text, bytes, sha256: hash } of [first, second].flatMap((part) => part ?? [])) {
    expect([bytes, hash]).toEqual([bytesOf(text), sha256(text)]);
  }
  const long = lessonsTold(600);
  expect(long.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(8 * 1024);
  expect(long.map(({ text }) => text).join('\n')).toContain('own 29');
});

verifies('roles.prompt.bound', 'a lesson is one line of data: nothing hidden in it, no secret', () => {
  const secret = `ghp_${'a'.repeat(24)}`;
  const registry = registryOf([], [row('crew', 'qa', { lessonTexts: [`see\u200b ${secret}`] })]);
  const [, lessons] = promptPartsAt(registry, { lane: 'crew', seat: 'qa' });
  expect(lessons?.text).toContain('see\\u{200b} ********');
});

verifies(
  'roles.prompt.parts',
  'a row says its fields, each on a line, but for blank ones, lessons and the charter of its core role',
  () => {
    const fields = new Map([
      ['lens', 'What\nbreaks'],
      ['blank', ' \n'],
      ['charter', 'OWN'],
      ['learnings', 'LESSONS'],
    ]);
    const said = (role: string | undefined) => {
      const registry = registryOf([core('qa', { charter: ' \n' })], [row('crew', 'one', { role, fields })]);
      return promptPartsAt(registry, { lane: 'crew', seat: 'one' }).map(({ part, text }) => `${part}: ${text}`);
    };
    expect(said(undefined)).toEqual(['row: name: one\nlens: What breaks\ncharter: OWN']);
    expect(said('qa')).toEqual(['row: name: one\nlens: What breaks']);
    expect(said('gone'), 'a link that leads nowhere').toEqual(said(undefined));
  },
);

verifies('roles.prompt.bound', 'as many lessons as there may be, and as many bytes', () => {
  const told = (core_: readonly string[], own: readonly string[]) => {
    const registry = registryOf(
      [core('qa', { core: lessonsOf(core_) })],
      [row('crew', 'qa', { role: 'qa', lessonTexts: own })],
    );
    return promptPartsAt(registry, { lane: 'crew', seat: 'qa' })
      .filter(({ part }) => part.endsWith('lessons'))
      .map(({ text }) => text.split('\n').length);
  };
  const { lessons, lessonBytes } = ROLE_PROMPT_LIMITS;
  expect([told(Array(lessons).fill('x'), []), told(Array(lessons + 1).fill('x'), [])]).toEqual([[lessons], [lessons]]);
  // A line has two characters before its text and one behind it.
  const long = (bytes: number) => `${'x '.repeat(500)}`.slice(0, bytes - 3);
  const full = Array.from({ length: lessonBytes / 512 }, () => long(512));
  expect(told(full, [])).toEqual([full.length]);
  expect(told([...full, long(512)], [])).toEqual([full.length]);
  expect(told([`${full[0]}x`, ...full.slice(1)], [])).toEqual([full.length - 1]);
});
