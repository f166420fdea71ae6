import { expect, test } from 'vitest';
import { candidatesIn } from '#core/roles/candidates.js';
import { differenceText, graduated, graduationDetail, graduationOf, seenHash } from '#core/roles/graduation.js';
import { readRoles } from '#core/roles/registry.js';
import { verifies } from '../../verifies.js';

const CORE = `# skeptic\r\n\r\n## Charter\r\n\r\nRefutes.\r\n\r\n## Learnings (core)\r\n\r\n- 2026-01-01 — ask twice\r\n`;
const lane = (lesson: string, other = 'mine alone') =>
  `# Rows <!-- kept -->\n\n### skeptic\n- role: skeptic\n- status: stable\n- colour: red\n- learnings:\n  - 2026-02-01 — ${other}\n  - 2026-02-02 — ${lesson}\n`;

/** Example 2 of the specification: one equal lesson in two lanes. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['.claude/roles/skeptic.md', CORE],
  ['.claude/roles/panel.md', lane('Check the unit first')],
  ['.claude/roles/research.md', lane('check the  unit first', 'and mine')],
]);

function firstGraduation(texts: ReadonlyMap<string, string>) {
  const [first] = candidatesIn(readRoles(texts));
  if (!first) throw new Error('no candidate');
  return graduationOf(first, '2026-03-01');
}

const applied = (texts: ReadonlyMap<string, string>, changes: readonly { file: string; after: string }[]) =>
  new Map([...texts, ...changes.map(({ file, after }) => [file, after] as const)]);

verifies('roles.rule.core-by-graduation', 'one new core line and both sources gone; every other byte stays', () => {
  const changes = graduated(TEXTS, firstGraduation(TEXTS));
  const after = applied(TEXTS, changes);
  expect(after.get('.claude/roles/skeptic.md')).toBe(`${CORE}- 2026-03-01 — Check the unit first\r\n`);
  expect(after.get('.claude/roles/panel.md')).toBe(lane('X').replace('  - 2026-02-02 — X\n', ''));
  expect(after.get('.claude/roles/research.md')).toBe(lane('X', 'and mine').replace('  - 2026-02-02 — X\n', ''));
  expect(changes.map(({ file, before }) => before === TEXTS.get(file))).toEqual([true, true, true]);
  expect(differenceText(changes).split('\n')).toEqual(
    expect.arrayContaining(['+ - 2026-03-01 — Check the unit first', '-   - 2026-02-02 — check the  unit first']),
  );
});

test('what was half-way is finished by doing it again, and doing it again changes nothing', () => {
  const graduation = firstGraduation(TEXTS);
  const changes = graduated(TEXTS, graduation);
  const whole = applied(TEXTS, changes);
  for (const first of changes) {
    const halfWay = applied(TEXTS, [first]);
    expect(applied(halfWay, graduated(halfWay, graduation))).toEqual(whole);
  }
  expect(graduated(whole, graduation)).toEqual([]);
  expect(graduationDetail(graduation, changes)).toEqual({
    ...graduation,
    files: changes.map(({ file, before, after }) => ({ file, before, after })),
  });
});

test('who agrees names what was shown: another source is another hash, a lesson beside it is not', () => {
  const seen = seenHash(firstGraduation(TEXTS));
  const beside = new Map([...TEXTS, ['.claude/roles/panel.md', lane('Check the unit first', 'learned meanwhile')]]);
  expect(seenHash(firstGraduation(beside))).toBe(seen);
  const other = new Map([...TEXTS, ['.claude/roles/panel.md', lane('check the unit at first')]]);
  expect(seenHash(firstGraduation(other))).not.toBe(seen);
});

verifies('gate.pinned', 'the hash a person agrees to covers the words of each source, which are what is struck', () => {
  const shown = firstGraduation(TEXTS);
  expect(shown.sources.length).toBeGreaterThan(1);
  for (const at of shown.sources.keys()) {
    const sources = shown.sources.map((source, index) =>
      index === at ? { ...source, text: `${source.text} twice` } : source,
    );
    expect(seenHash({ ...shown, sources }), `source ${at}`).not.toBe(seenHash(shown));
  }
});

test('a role that is not there gets no lesson', () => {
  const texts = new Map([...TEXTS].filter(([file]) => !file.endsWith('skeptic.md')));
  expect(() => graduated(texts, firstGraduation(TEXTS))).toThrow(expect.objectContaining({ code: 'role_not_found' }));
});
