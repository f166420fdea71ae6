import { expect } from 'vitest';
import { parseCore, replaceSection } from '#core/roles/core-file.js';
import { indexTable } from '#core/roles/index-table.js';
import { editRows } from '#core/roles/lane-edit.js';
import { parseLane } from '#core/roles/lane-file.js';
import { readRoles, strikeLessons } from '#core/roles/registry.js';
import { roleName } from '#core/roles/role-name.js';
import { verifies } from '../../verifies.js';

const CREW = '.claude/roles/crew.md';
const row = (name: string, ...lines: string[]) => [`### ${name}`, ...lines, ''].join('\n');

verifies('roles.file.roundtrip', 'only the bytes of status and runs differ after a row is taken back', () => {
  const before =
    '# Crew\r\n<!-- ours -->\r\n### qa\r\n- role: reviewer\r\n- model: sonnet   effort: high\r\n- status: retired\r\n- pet: cat\r\n- runs: clean 2, thin 0, cuts 3\r\n- learnings:\r\n  - 2026-03-01 — the gate command is `npm run check`\r\n';
  const after = editRows('crew', before, [
    { name: 'qa', fields: { status: 'probationary', runs: 'clean 0, thin 0, cuts 0' } },
  ]);
  expect(after).toBe(
    before.replace('retired', 'probationary').replace('clean 2, thin 0, cuts 3', 'clean 0, thin 0, cuts 0'),
  );
  const [qa] = parseLane('crew', before).rows;
  expect(Object.fromEntries(qa?.row?.fields ?? [])).toMatchObject({ model: 'sonnet', effort: 'high', pet: 'cat' });
  expect(editRows('crew', before, [{ name: 'qa', fields: { effort: 'low' } }])).toBe(before.replace('high', 'low'));
  expect(qa?.row?.lessons).toEqual([{ date: '2026-03-01', text: 'the gate command is `npm run check`', line: 10 }]);
});

verifies('roles.file.headings', 'headings and fields inside fences and comments are text', () => {
  const text = `# Crew\n\`\`\`\n${row('ghost', '- status: stable')}\`\`\`\n<!--\n### other\n-->\n${row('qa', '```', '- status: retired', '```', '- status: stable')}`;
  expect(parseLane('crew', text).rows.map(({ name, row: usable }) => [name, usable?.status])).toEqual([
    ['qa', 'stable'],
  ]);
  const open = parseLane('crew', `${row('qa', '- status: stable')}\`\`\`\n${row('dev', '- status: stable')}`);
  expect(open.rows.map(({ name }) => name)).toEqual(['qa']);
  expect(open.problems).toMatchObject([{ file: CREW, line: 3, text: expect.stringContaining('is not closed') }]);
  const core = parseCore(
    'qa',
    '# qa\n## Charter\nFinds.\n## Body\n```\n## Learnings (core)\n- no lesson\n```\n## Learnings (core)\n- 2026-01-01 — one\n',
  );
  expect(core.role.core.map(({ text: lesson }) => lesson)).toEqual(['one']);
  expect(core.role.body).toContain('- no lesson');
});

verifies('roles.file.bad-row', 'a bad row is named by file and line, never used, and hides no other', () => {
  const text = [
    row('a', '- owns: x'),
    row('b', '- status: sleeping'),
    row('c', '- status: stable'),
    row('c', '- status: stable'),
    row('d', '- status: stable', '- runs: clean two'),
    row('E!', '- status: stable'),
    row('f', '- status: probationary'),
  ].join('');
  const { rows, problems } = readRoles(new Map([[CREW, text]]));
  expect(rows.crew.map(({ name, line }) => [name, line])).toEqual([
    ['c', 5],
    ['f', 14],
  ]);
  expect(problems.map(({ file, line, severity }) => `${file}:${line} ${severity}`)).toEqual(
    [1, 4, 7, 11, 12].map((line) => `${CREW}:${line} error`),
  );
  expect(problems.map(({ text: words }) => words).join('\n')).toMatch(
    /no status.*\n.*sleeping.*\n.*twice.*\n.*clean two.*\n.*E!/,
  );
  for (const name of ['a', 'b', 'd']) {
    const edit = () => editRows('crew', text, [{ name, fields: { status: 'stable' } }]);
    expect(edit, name).toThrow(
      expect.objectContaining({ code: 'bad_role_file', message: expect.stringContaining(`${CREW}:`) }),
    );
  }
  expect(() => editRows('crew', text, [{ name: 'nobody' }])).toThrow(
    expect.objectContaining({ code: 'role_not_found' }),
  );
});

verifies('roles.file.bad-row', 'a core role with doubled headings is named, and the doubled section not edited', () => {
  const text = '# qa\n## Charter\nOne.\n## Charter\nTwo.\n# dev\n';
  const { role, problems } = parseCore('qa', text);
  expect(role.charter).toBe('One.');
  expect(problems.map(({ line }) => line)).toEqual([4, 6]);
  expect(() => replaceSection('qa', text, 'charter', 'New.')).toThrow(
    expect.objectContaining({ code: 'bad_role_file' }),
  );
  const unclosed = '---\nname: qa\n# qa\n## Charter\nOne.\n';
  expect(parseCore('qa', unclosed)).toMatchObject({ role: { charter: 'One.' }, problems: [{ line: 1 }] });
});

verifies('roles.file.name', 'names are short, plain, and not words that Troupe uses itself', () => {
  for (const name of ['qa', 'x', 'art-historian', `a${'b'.repeat(63)}`]) expect(roleName(name)).toBe(name);
  const bad = [
    '',
    'QA',
    '1st',
    '-x',
    'a b',
    'a/b',
    '../x',
    'é',
    `a${'b'.repeat(64)}`,
    'crew',
    'panel',
    'research',
    'registry',
    'as',
    'evolve',
  ];
  for (const name of bad)
    expect(() => roleName(name), name).toThrow(expect.objectContaining({ code: 'bad_role_name' }));
});

verifies(
  'roles.file.local',
  'a row without a link is local; one to a missing core is a warning and stays usable',
  () => {
    const texts = new Map([
      [
        CREW,
        row('qa', '- status: stable') +
          row('dev', '- role: builder', '- status: stable') +
          row('ops', '- role: gone', '- status: stable'),
      ],
      ['.claude/roles/builder.md', '# builder\n## Charter\nBuilds.\n'],
    ]);
    const { rows, problems } = readRoles(texts);
    expect(rows.crew.map(({ role }) => role)).toEqual([undefined, 'builder', 'gone']);
    expect(problems).toMatchObject([
      { file: CREW, line: 7, severity: 'warning', text: expect.stringContaining('local') },
    ]);
  },
);

verifies('roles.index', 'the table lists core roles by name with pipes escaped, and no lanes', () => {
  const texts = new Map([
    [CREW, row('dev', '- status: stable')],
    ['.claude/roles/registry.md', 'old'],
    ['.claude/roles/skeptic.md', '# skeptic\n## Charter\nDoubts a | b\\|c.\n'],
    ['.claude/roles/builder.md', '# builder\n## Charter\nBuilds\nthings.\n'],
  ]);
  expect(indexTable(readRoles(texts).cores).split('\n').slice(2)).toEqual([
    '| Role | Charter |',
    '| --- | --- |',
    '| builder | Builds things. |',
    '| skeptic | Doubts a \\| b\\\\\\|c. |',
    '',
  ]);
});

verifies(
  'roles.file.roundtrip',
  'a lesson is struck only where it still stands, with the lines that go on with it',
  () => {
    const text = `${row('qa', '- status: stable', '- learnings:', '  - one', '    goes on', '  - two')}`;
    const [one] = parseLane('crew', text).rows[0]?.row?.lessons ?? [];
    expect(one?.text).toBe('one goes on');
    expect(strikeLessons(CREW, text, one ? [one] : [])).toBe(row('qa', '- status: stable', '- learnings:', '  - two'));
    expect(strikeLessons(CREW, `# Crew\n${text}`, one ? [one] : [])).toBeUndefined();
  },
);

verifies(
  'roles.file.roundtrip',
  'a section of the identity is replaced alone, and a text cannot become more than its section',
  () => {
    const text = '# qa\n\n## Charter\n\nOld.\n\n## Body\n\nWork.\n\n## Learnings (solo)\n\n- one\n';
    expect(replaceSection('qa', text, 'charter', 'New.\n')).toBe(text.replace('Old.', 'New.'));
    for (const bad of ['x\n## Learnings (core)\n- mine', 'x\n```', '<!--', '# other'])
      expect(() => replaceSection('qa', text, 'body', bad), bad).toThrow(
        expect.objectContaining({ code: 'bad_input' }),
      );
  },
);
