import path from 'node:path';
import { expect, test } from 'vitest';
import { EDITS_ROLES } from '#core/graph/run-rights.js';
import { roleMatters } from '#core/roles/attention.js';
import { addCoreLesson, parseCore, replaceSection } from '#core/roles/core-file.js';
import { identityBefore, isStale, proposalIn, proposalOf, withProposal } from '#core/roles/identity.js';
import { refuseWrite } from '#core/roles/judge-write.js';
import { LANES } from '#core/roles/lane.js';
import { editRows, mintRow } from '#core/roles/lane-edit.js';
import { parseLane } from '#core/roles/lane-file.js';
import { isTooLong, lessonText } from '#core/roles/lesson.js';
import { protectedChange } from '#core/roles/protected-path.js';
import { readRoles, strikeLessons } from '#core/roles/registry.js';
import { coreFile, laneFile, logFile, REGISTRY_FILE } from '#core/roles/role-paths.js';
import { applyEdits, parseText, printText } from '#core/roles/role-text.js';
import { rowsAmong } from '#core/roles/rows-among.js';
import { CREW_WRITER } from '#core/roles/writers.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { codeOf } from '../graph/graph.js';
import { core, registryOf, row } from './some-roles.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');

/** Texts as hands write them: front matter, fences, comments, headings of all kinds, every end of line. */
const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  'one line': 'x',
  'front matter': '---\nname: x\n# no heading\n---\n# Title\n',
  'front matter with dots': '---\nname: x\n...\n# Title\n',
  'front matter without an end': '---\nname: x\n# Title\n',
  'a rule later on': '# Title\n---\ntext\n---\n',
  'a fence': '```js\n# no\n``\n    ```\n````\n# yes\n',
  'a fence of tildes': '~~~ `x`\n# no\n```\n~~~\n# yes\n',
  'code in a line': '``` x ` y\n# yes\n',
  'a fence without an end': '# yes\n```\n# no\n',
  'a fence too far in': '    ```\n# yes\n',
  comments: '<!-- one -->\n# yes\n<!-- two\n# no\n--> x\n# yes\n    <!-- no\n# yes\n',
  'a comment without an end': '<!--\n# no\n',
  headings: '#no\n# one\n ## two ##\n   ### three # ##\n    # no\n####### no\n#\n## ##\n# a#\n# #b\n#\tc\n',
  'ends of lines': 'a\r\nb\nc\rd',
  'carriage returns': 'a\rb\r',
  'a byte order mark': '\ufeff# Title\r\n',
  conflict: '# a\n<<<<<<< HEAD\nx\n||||||| base\n=======\ny\n>>>>>>> theirs\n',
  'no conflict': '# a\n=======\n<<<<<<<x\n',
};
const shown = (text: string) => JSON.stringify(text);

test('what each line of an odd text is, and that printing gives the text back', async () => {
  const told = Object.entries(TEXTS).flatMap(([name, source]) => {
    const text = parseText(source);
    expect(printText(text), name).toBe(source);
    const lines = text.lines.map(
      (line) => `  ${line.verbatim ? '|' : line.level} ${shown(line.text + line.end)} ${line.title}`,
    );
    return [`== ${name} ${shown(text.eol)} ${JSON.stringify(text.unclosed)}`, ...lines];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'lines.txt'));
});

test('lines are put in, taken out and replaced, and the end of the text stays as it was', () => {
  const edit = (source: string, ...edits: [number, number, ...string[]][]) =>
    applyEdits(
      parseText(source),
      edits.map(([at, remove, ...insert]) => ({ at, remove, insert })),
    );
  expect(edit('a\nb\n', [1, 0, 'x'])).toBe('a\nx\nb\n');
  expect(edit('a\nb', [2, 0, 'x', 'y'])).toBe('a\nb\nx\ny');
  expect(edit('a\nb', [1, 1, 'x'])).toBe('a\nx');
  expect(edit('a\r\nb', [0, 1, 'x', 'y'])).toBe('x\r\ny\r\nb');
  expect(edit('a\nb\nc\n', [0, 1], [2, 1, 'x'], [1, 0, 'y'], [1, 0, 'z'])).toBe('y\nz\nb\nx\n');
  expect(edit('', [0, 0, 'x'])).toBe('x\n');
  expect(edit('\ufeffa\n', [1, 0, 'x'])).toBe('\ufeffa\nx\n');
});

const CORE = `# qa

Prose.

## Charter

Tests what
others made.

A second paragraph.

## When to use
- before a release
- after a change
   that is large

## Body
### Own heading
More.

## Learnings (core)

- 2026-03-01 — first
  goes on
- 2026-03-02: second
  - deeper
\`\`\`
- no lesson
\`\`\`
- third

## Learnings (solo)
- solo one
`;
/** Files of a core role, right and wrong. */
const CORES: Readonly<Record<string, string>> = {
  whole: CORE,
  'other title': '# other\n## Charter\nx\n',
  'no title': '## charter\nx\n',
  'two titles': '# qa\n## Charter\nx\n# more\n',
  'no charter': '# qa\n## Charter\n\n## Body\nx\n',
  'a section twice': '# qa\n## Charter\nx\n##  Learnings   (CORE) ##\n- a\n## Learnings (core)\n- b\n',
  'not closed': '# qa\n## Charter\nx\n```\n',
  'a section at the end': '# qa\n## Charter\nx\n## Learnings (core)',
  'a blank line at the end': '# qa\n## Charter\nx\n## Learnings (core)\n\n',
  'a blank line between': '# qa\n## Charter\nx\n## Learnings (core)\n\n## Body\nb\n',
  'no blank line between': '# qa\n## Charter\nx\n## Learnings (core)\n## Body\nb\n',
  'no core section': '# qa\n## Charter\nx\n## Learnings (solo)\n- s\n',
  'no section': '# qa\n## Charter\nx\n\n',
};
const tried = (work: () => string): string => {
  try {
    return work();
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
};

test('what a file of a role says, and what comes of each change of it', async () => {
  const told = Object.entries(CORES).flatMap(([name, source]) => {
    const { role, problems } = parseCore('qa', source);
    const lesson = (section: 'core' | 'solo', text: string) =>
      tried(() => {
        const { text: after, added } = addCoreLesson('qa', source, section, { date: '2026-04-01', text });
        expect(added, name).toBe(after !== source);
        return shown(after);
      });
    return [
      `== ${name}`,
      JSON.stringify(role),
      ...problems.map((problem) => JSON.stringify(problem)),
      ...(['core', 'solo'] as const).map((section) => `+ ${section} ${lesson(section, 'fresh one')}`),
      `+ again ${lesson('core', ' THIRD ') === shown(source)} ${lesson('core', ' ') === shown(source)}`,
      ...(['charter', 'when-to-use', 'body'] as const).map(
        (section) => `= ${section} ${tried(() => shown(replaceSection('qa', source, section, ' New.\n\nMore. ')))}`,
      ),
    ];
  });
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'cores.txt'));
  for (const body of ['## Heading', '# Title', '```\nx', '<!-- x'])
    expect(
      codeOf(() => replaceSection('qa', CORE, 'body', body)),
      body,
    ).toBe('bad_input');
  expect(replaceSection('qa', CORE, 'body', '### Fine')).toContain('## Body\n\n### Fine\n\n## Learnings');
});

const LANE = `# Crew

### dev
- role: builder
- owns: the code
  and its tests
- model: opus effort: high
- status: stable
- runs: clean 3, thin 1, cuts 0
- learnings:
  - 2026-03-01 — one
    goes on
  - two
#### Notes
- status: no field

### qa
- status: probationary
- empty:
- learnings:

### dev
- status: stable

### Bad Name
- status: stable

### odd
- status: lost

### twice
- status: stable
- status: retired
`;

test('what a file of rows says, and what comes of each change of a row', async () => {
  const file = parseLane('crew', LANE);
  const edit = (name: string, change: object) => tried(() => shown(editRows('crew', LANE, [{ name, ...change }])));
  const fresh = [{ date: '2026-04-01', text: 'fresh' }];
  const told = [
    ...file.rows.map(
      ({ name, row: used }) =>
        `${name} ${used === undefined ? '-' : JSON.stringify({ ...used, fields: [...used.fields] })}`,
    ),
    ...file.problems.map((problem) => JSON.stringify(problem)),
    edit('dev', { fields: { status: 'retired', model: 'sonnet', effort: 'low', owns: 'less' }, lessons: fresh }),
    edit('dev', {
      fields: { status: 'stable' },
      lessons: [
        { date: '2026-04-01', text: 'ONE goes on' },
        { date: '2026-04-01', text: ' ' },
      ],
    }),
    edit('dev', { fields: { fresh: ' a\nb ' } }),
    edit('qa', { fields: { empty: 'full', other: 'x' }, lessons: fresh }),
    ...['odd', 'twice', 'Bad Name', 'nobody'].map((name) => edit(name, { lessons: fresh })),
    ...['### a\n- status: stable', '### a\n- status: stable\n', ''].map((source) =>
      tried(() => shown(editRows('crew', source, [{ name: 'a', lessons: fresh }]))),
    ),
    ...['', 'x', '# Crew\n', '# Crew\n\n'].map((source) =>
      tried(() => shown(mintRow('crew', source, { name: 'new', fields: { role: 'builder', owns: 'x' } }).text)),
    ),
  ];
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'rows.txt'));
});

test('of all rows some are read as in the whole file', () => {
  for (const wanted of ['dev', 'qa', 'odd', 'nobody']) {
    const short = parseLane(
      'crew',
      rowsAmong(LANE, (name) => name === wanted),
    ).rows.filter(({ name }) => name === wanted);
    const whole = parseLane('crew', LANE).rows.filter(({ name }) => name === wanted);
    const fields = (rows: typeof whole) => rows.map(({ row: used }) => used && [...used.fields]);
    expect(fields(short), wanted).toEqual(fields(whole));
  }
  const some = rowsAmong(LANE, (name) => name === 'qa');
  expect(some).toContain('- empty:');
  expect(some).not.toContain('owns: the code');
  expect(rowsAmong(LANE, () => true)).not.toContain('2026-03-01 — one');
  expect(rowsAmong('---\nx', () => false)).toBe('---\nx');
  expect(rowsAmong('\ufeff### a\n- x: y\n```\n### b\n```\n- z: q\n', (name) => name === 'a')).toContain('- z: q');
});

test('who writes what: each kind of change of each file, allowed or named', () => {
  const lane = laneFile('crew');
  const changed = (file: string, before: string | undefined, after: string): string => {
    try {
      refuseWrite({ name: 'x', lane: undefined, parts: [] } as never, file, before, after);
    } catch (error) {
      return (error as { details: { part: string } }).details.part;
    }
    return 'nothing';
  };
  const struck = strikeLessons(lane, LANE, [{ date: undefined, text: 'two', line: 13 }]) ?? '';
  const rows: [string, string | undefined, string, string][] = [
    [lane, LANE, LANE, 'nothing'],
    [lane, LANE, struck, 'lesson-out-of-row'],
    [lane, LANE, struck.replace('Notes', 'Other'), 'row'],
    [lane, LANE, `${LANE}more\n`, 'row'],
    [lane, `\ufeff${LANE}`, LANE, 'row'],
    [lane, undefined, LANE, 'row'],
    [logFile('crew'), 'a\n', 'a\nb\n', 'log'],
    [logFile('crew'), 'a\n', 'b\n', 'other'],
    [REGISTRY_FILE, 'a', 'b', 'index'],
    ['elsewhere.md', 'a', 'b', 'other'],
    [coreFile('Bad Name'), 'a', 'b', 'other'],
    [coreFile('qa'), undefined, CORE, 'new-core'],
    [coreFile('qa'), CORE, CORE.replace('third', 'fourth'), 'core'],
    [coreFile('qa'), CORE, CORE.replace('solo one', 'solo two'), 'solo'],
    [coreFile('qa'), CORE, CORE.replace('Prose.', 'Verse.'), 'identity'],
    [coreFile('qa'), CORE, `\ufeff${CORE}`, 'identity'],
    [coreFile('qa'), CORE, `${CORE.replace('Prose.\n\n', 'Prose.  \n\n\n')}  \n`, 'nothing'],
  ];
  for (const [file, before, after, part] of rows) expect(changed(file, before, after), `${file} ${part}`).toBe(part);
  const may = (lanes: string) => codeOf(() => refuseWrite(CREW_WRITER, laneFile(lanes as 'crew'), LANE, `${LANE}x`));
  expect(LANES.map(may)).toEqual(LANES.map((one) => (one === 'crew' ? 'none' : 'not_lane_writer')));
});

test('lessons are struck where they stand as they did, or none is', () => {
  expect(strikeLessons(laneFile('crew'), LANE, [{ date: '2026-03-01', text: 'one goes on', line: 11 }])).toBe(
    LANE.replace('  - 2026-03-01 — one\n    goes on\n', ''),
  );
  for (const wrong of [{ line: 12 }, { text: 'one' }, { date: undefined }])
    expect(
      strikeLessons(laneFile('crew'), LANE, [{ date: '2026-03-01', text: 'one goes on', line: 11, ...wrong }]),
    ).toBeUndefined();
  const file = coreFile('qa');
  expect(
    strikeLessons(file, CORE, [
      { date: undefined, text: 'third', line: 30 },
      { date: undefined, text: 'solo one', line: 33 },
    ]),
  ).toBe(CORE.replace('- third\n', '').replace('- solo one\n', ''));
});

test('the registry tells what is wrong by file and line, and which rows name roles that are not there', () => {
  const texts = new Map([
    [laneFile('crew'), LANE],
    [coreFile('Bad Name'), CORE],
    [coreFile('qa'), CORES['two titles'] ?? ''],
    [REGISTRY_FILE, 'x'],
    ['elsewhere.md', 'x'],
  ]);
  const { cores, rows, problems } = readRoles(texts, [{ file: 'z.md', line: 1, severity: 'error', text: 'gone' }]);
  expect([...cores.keys()]).toEqual(['qa']);
  expect(rows.crew.map(({ name }) => name)).toEqual(['dev', 'qa', 'twice']);
  const told = problems.map(({ file, line }) => `${file.split('/').at(-1)}:${line}`);
  expect(told).toEqual([...told].sort((left, right) => left.localeCompare(right, 'en', { numeric: true })));
  expect(problems.map(({ text }) => text).join('\n')).toMatch(
    /"Bad Name" is not a role name[\s\S]*dev is linked to builder, which does not exist/,
  );
});

test('a proposal: another text of a section, against what it was, and what is no proposal', () => {
  const wish = { role: 'qa', why: 'w', by: 'ann', at: 'now' };
  const propose = (section: 'charter' | 'when-to-use' | 'body', text: string) =>
    proposalOf({ ...wish, section, text }, CORE);
  const charter = propose('charter', ' Breaks things. ');
  expect(charter).toMatchObject({
    section: 'charter',
    was: 'Tests what others made.',
    text: 'Breaks things.',
    state: 'open',
    decided_by: null,
  });
  expect(charter.id).toMatch(/^qa-charter-[0-9a-f]{8}$/);
  expect(propose('when-to-use', '* early\n\n often').text).toBe('- early\n- often');
  const rows: [Parameters<typeof propose>[0], string, string][] = [
    ['charter', ' ', 'bad_input'],
    ['charter', 'Tests what others made.', 'bad_input'],
    ['charter', 'a\nb', 'bad_input'],
    ['body', '## x', 'bad_input'],
    ['body', '# x', 'bad_input'],
    ['body', '### x', 'none'],
    ['body', '```\nx', 'bad_input'],
    ['when-to-use', `- ${'x'.repeat(4 * 1024 - 2)}`, 'none'],
    ['when-to-use', `- ${'x'.repeat(4 * 1024 - 1)}`, 'too_large'],
  ];
  for (const [section, text, code] of rows)
    expect(
      codeOf(() => propose(section, text)),
      `${section} ${text.slice(0, 20)}`,
    ).toBe(code);
  const applied = withProposal(charter, CORE);
  expect(parseCore('qa', applied).role.charter).toBe('Breaks things.');
  expect(withProposal(charter, applied)).toBe(applied);
  const moved = CORE.replace('Tests what', 'Finds what');
  expect([
    isStale(charter, CORE),
    isStale(charter, applied),
    isStale(charter, moved),
    isStale(charter, `${CORE}\`\`\``),
  ]).toEqual([false, false, true, true]);
  expect(identityBefore(charter, parseCore('qa', applied).role).charter).toBe('Tests what others made.');
  const uses = propose('when-to-use', '- early');
  expect(identityBefore(uses, parseCore('qa', withProposal(uses, CORE)).role).whenToUse).toEqual(
    parseCore('qa', CORE).role.whenToUse,
  );
  expect(proposalIn(charter.id, { ...charter, decided_by: 'bob', decided_at: 'then', more: 1 })).toEqual({
    ...charter,
    decided_by: 'bob',
    decided_at: 'then',
  });
  expect(proposalIn(charter.id, { ...charter, decided_by: 7, decided_at: 7 })).toEqual(charter);
  for (const wrong of [{ section: 'x' }, { state: 'x' }, { role: 'Bad Name' }, { was: 7 }, { at: undefined }])
    expect(proposalIn('x', { ...charter, ...wrong }), JSON.stringify(wrong)).toBeUndefined();
  expect(proposalIn('x', 7)).toBeUndefined();
});

test('role files are not written by agents, in any spelling, unless a person said so', () => {
  const paths = ['.claude', '.claude/roles', 'a/.Claude/Roles/x.md', '.claude/roles/b.md'];
  expect(protectedChange(undefined, ['src/a', '.claude/other/x', 'x.claude/roles/y', '.claude-roles'])).toBeUndefined();
  expect(protectedChange([EDITS_ROLES], paths)).toBeUndefined();
  expect(protectedChange(['x'], paths)).toContain(`(${paths.join(', ')});`);
  expect(protectedChange([], ['src/a', ...paths, ...paths])).toContain(', and 3 more);');
});

test('lessons are kept short, with their mark, and what waits for a person about roles is told in order', () => {
  const most = TEAM_LIMITS.lessonCharacters;
  const mark = ' (context-independent)';
  expect(lessonText(`${'x'.repeat(most)}${mark}`)).toMatch(/^x+…? \(context-independent\)$/);
  expect(lessonText(`${'x'.repeat(most)}${mark}`).length).toBeLessThanOrEqual(most);
  expect([lessonText(' a \n b '), lessonText('x'.repeat(most))]).toEqual(['a b', 'x'.repeat(most)]);
  expect([isTooLong('x'.repeat(most)), isTooLong('😀'.repeat(most)), isTooLong('x'.repeat(most + 1))]).toEqual([
    false,
    false,
    true,
  ]);
  const registry = registryOf(
    [core('qa')],
    [
      row('research', 'dev', { runs: { clean: 0, thin: 0, cuts: 99 } }),
      row('crew', 'dev', { runs: { clean: 0, thin: 0, cuts: 99 } }),
    ],
  );
  const open = proposalOf({ role: 'qa', section: 'charter', text: 'New.', why: '', by: 'ann', at: '' }, CORE);
  const matters = roleMatters(registry, [], [open, { ...open, state: 'accepted' }, { ...open, state: 'rejected' }]);
  expect(matters).toEqual([
    {
      kind: 'proposal',
      role: 'qa',
      text: 'A new charter for qa was proposed by ann',
      command: `troupe roles proposals ${open.id} --accept`,
    },
    {
      kind: 'retire',
      role: 'dev',
      text: 'dev was cut from 99 line-ups of the crew lane',
      command: 'troupe roles retire dev --lane crew',
    },
  ]);
});
