import fc from 'fast-check';
import { expect } from 'vitest';
import { addCoreLesson, parseCore } from '#core/roles/core-file.js';
import { editRows } from '#core/roles/lane-edit.js';
import { parseLane } from '#core/roles/lane-file.js';
import { parseText, printText } from '#core/roles/role-text.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const EOL = fc.constantFrom('\n', '\n', '\r\n', '\r');
/** What may stand anywhere without being a row, a field or a lesson. */
const NOISE = fc.constantFrom<readonly string[]>(
  [''],
  ['Some words.'],
  ['#### A section of its own', 'with a text'],
  ['<!-- ### hidden', '- status: stable', '-->'],
  ['<!-- one line -->'],
  ['```md', '### shown', '- status: stable', '- runs: clean 9, thin 9, cuts 9', '```'],
  ['~~~', '<!--', '~~~'],
  ['   ````', '```', '### still inside', '````'],
  ['####### no heading', '###none'],
);
const WORDS = fc.constantFrom('quick checks', 'a | pipe', 'ünï', '`npm run check`', 'x: y', '### no', '🙂', '-');
const FIELDS = fc.constantFrom('owns', 'lens', 'charter', 'my-own_key', 'handoff', 'tools');
const LESSON = fc
  .tuple(fc.constantFrom('2026-03-01 — ', '2026-03-01 - ', ''), WORDS, fc.nat(99))
  .map(([date, words, number]) => `${date}${words} ${number}`);

/** A line with the value that an edit may replace. */
type Line = string | readonly [before: string, value: string, after: string, key: 'status' | 'runs'];
const row = (name: string) =>
  fc
    .record({
      before: fc.array(fc.tuple(FIELDS, WORDS), { maxLength: 3 }),
      model: fc.boolean(),
      status: fc.constantFrom('probationary', 'stable', 'retired'),
      space: fc.constantFrom('', ' ', '\t '),
      runs: fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)),
      comment: fc.boolean(),
      lessons: fc.array(LESSON, { maxLength: 3 }),
      noise: fc.array(NOISE, { maxLength: 2 }),
      close: fc.constantFrom('', ' ###', ' #'),
    })
    .map((parts) => {
      const lines: Line[] = [`### ${name}${parts.close}`];
      for (const [key, words] of parts.before) lines.push(`- ${key}: ${words}`);
      if (parts.model) lines.push('- model: sonnet   effort: high');
      if (parts.comment) lines.push('<!-- kept -->');
      lines.push(['- status: ', parts.status, parts.space, 'status']);
      const [clean, thin, cuts] = parts.runs;
      lines.push([`*   runs:${parts.space} `, `clean ${clean}, thin ${thin}, cuts ${cuts}`, '', 'runs']);
      if (parts.lessons.length > 0) lines.push('- learnings:', ...parts.lessons.map((lesson) => `  - ${lesson}`));
      return { name, lines, lessons: parts.lessons.length, noise: parts.noise.flat() };
    });
const file = fc
  .record({
    bom: fc.boolean(),
    intro: fc.array(NOISE, { maxLength: 3 }),
    rows: fc
      .uniqueArray(fc.constantFrom('qa', 'dev', 'architect', 'x-1'), { minLength: 1, maxLength: 4 })
      .chain((names) => fc.tuple(...names.map(row))),
    ends: fc.array(EOL, { minLength: 80, maxLength: 80 }),
    ending: fc.boolean(),
    chosen: fc.nat(),
  })
  .map(({ bom, intro, rows, ends, ending, chosen }) => {
    const blocks = [intro.flat() as Line[], ...rows.flatMap(({ lines, noise }) => [lines, noise as Line[]])];
    const all = blocks.flat();
    const edited = rows[chosen % rows.length];
    const print = (replace: (line: Exclude<Line, string>, of: readonly Line[]) => string) => {
      let index = 0;
      const texts = blocks.flatMap((block) =>
        block.map((line) => {
          const text = typeof line === 'string' ? line : `${line[0]}${replace(line, block)}${line[2]}`;
          const end = !ending && index === all.length - 1 ? '' : (ends[index % ends.length] ?? '\n');
          index += 1;
          return text + end;
        }),
      );
      return (bom ? '\uFEFF' : '') + texts.join('');
    };
    return { rows, edited, text: print((line) => line[1]), print };
  });

const RUNS = mass(200, 10_000);

verifies('roles.file.roundtrip', 'any text comes back byte by byte, also what is no role file at all', () => {
  const anything = fc.oneof(
    fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
    fc
      .array(
        fc.oneof(
          NOISE.map((lines) => lines.join('\n')),
          fc.constantFrom('---', '### a', '```', '<!--', '\r', '\uFEFF', '- status: stable'),
        ),
      )
      .map((lines) => lines.join('\n')),
  );
  fc.assert(
    fc.property(anything, (text) => {
      expect(printText(parseText(text))).toBe(text);
      expect(printText(parseLane('crew', text).text)).toBe(text);
      expect(printText(parseCore('qa', text).text)).toBe(text);
    }),
    { numRuns: RUNS },
  );
});

verifies(
  ['roles.file.roundtrip', 'roles.file.headings'],
  'an edit of a row changes the bytes of its values and no others',
  () => {
    fc.assert(
      fc.property(file, ({ rows, edited, text, print }) => {
        expect(parseLane('crew', text).rows.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
        const values = { status: 'stable', runs: 'clean 77, thin 0, cuts 0' };
        const expected = print((line, of) => (of === edited?.lines ? values[line[3]] : line[1]));
        expect(editRows('crew', text, [{ name: edited?.name ?? '', fields: values }])).toBe(expected);
      }),
      { numRuns: RUNS },
    );
  },
);

verifies('roles.file.roundtrip', 'a lesson is one line more in its row, and nothing else', () => {
  fc.assert(
    fc.property(file, ({ edited, text }) => {
      const name = edited?.name ?? '';
      const after = editRows('crew', text, [{ name, lessons: [{ date: '2026-11-23', text: 'a new lesson' }] }]);
      const lines = parseText(after).lines.map((line) => line.text);
      const at = lines.indexOf('  - 2026-11-23 — a new lesson');
      const hadLessons = (edited?.lessons ?? 0) > 0;
      const rest = lines.toSpliced(hadLessons ? at : at - 1, hadLessons ? 1 : 2);
      expect(rest).toEqual(parseText(text).lines.map((line) => line.text));
      const row = parseLane('crew', after).rows.find((each) => each.name === name)?.row;
      expect(row?.lessons.at(-1)).toMatchObject({ date: '2026-11-23', text: 'a new lesson' });
      expect(row?.lessons).toHaveLength((edited?.lessons ?? 0) + 1);
    }),
    { numRuns: RUNS },
  );
});

const core = fc
  .record({
    bom: fc.constantFrom('', '\uFEFF'),
    eol: fc.constantFrom('\n', '\r\n'),
    front: fc.constantFrom<readonly string[]>([], ['---', 'name: qa', '# no title', '---']),
    noise: fc.array(NOISE, { minLength: 3, maxLength: 3 }),
    core: fc.array(LESSON, { maxLength: 3 }),
    solo: fc.uniqueArray(LESSON, { maxLength: 3 }),
    after: fc.constantFrom<readonly string[]>([], ['## Notes of ours', 'kept']),
  })
  .map(({ bom, eol, front, noise, core, solo, after }) => ({
    text:
      bom +
      [
        ...front,
        '# qa',
        '## Charter',
        'Finds defects.',
        ...(noise[0] ?? []),
        '## Body',
        ...(noise[1] ?? []),
        '## Learnings (core)',
        ...core.map((text) => `- ${text}`),
        '## Learnings (solo)',
        ...solo.map((text) => `- ${text}`),
        ...after,
        '',
      ].join(eol),
    solo: solo.length,
  }));

verifies('roles.file.roundtrip', 'a lesson of a core role is one line more in its section, and nothing else', () => {
  fc.assert(
    fc.property(core, fc.constantFrom('core' as const, 'solo' as const), ({ text }, section) => {
      const added = addCoreLesson('qa', text, section, { date: '2026-11-23', text: 'a new lesson' });
      const lines = parseText(added.text).lines;
      const at = lines.findIndex((line) => line.text === '- 2026-11-23 — a new lesson');
      expect(lines.toSpliced(at, 1)).toEqual(parseText(text).lines);
      expect(parseCore('qa', added.text).role[section].at(-1)?.text).toBe('a new lesson');
    }),
    { numRuns: RUNS },
  );
});
