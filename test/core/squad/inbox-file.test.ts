import { expect, test } from 'vitest';
import { checkedEntry, readInboxFile, renderInboxFile } from '#core/squad/inbox-file.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';

const FIELDS = ['agent: neo', 'slug: one-store', 'type: architectural', 'title: One store'];
const file = (fields: readonly string[], body = 'Keep it.\n') => `---\n${fields.join('\n')}\n---\n\n${body}`;
const withField = (key: string, line: string) =>
  file(FIELDS.map((field) => (field.startsWith(`${key}:`) ? line : field)));
const reasonOf = (text: string) => {
  const read = readInboxFile(text);
  return 'reason' in read ? read.reason : 'was read';
};

verifies(
  'memory.import',
  'front matter, then the content; the last line that begins with the mark begins the rationale',
  () => {
    const read = readInboxFile(
      file(
        FIELDS,
        'First.\n\n**Rationale:** not yet\n\nSecond, with **Rationale:** inside.\n\n**Rationale:** One file,\nno server.\n',
      ),
    );
    expect(read).toEqual({
      entry: {
        ...{ agent: 'neo', slug: 'one-store', type: 'architectural', title: 'One store' },
        content: 'First.\n\n**Rationale:** not yet\n\nSecond, with **Rationale:** inside.',
        rationale: 'One file,\nno server.',
      },
    });
    expect(readInboxFile(file(FIELDS))).toMatchObject({ entry: { content: 'Keep it.', rationale: '' } });
    expect(readInboxFile(file(FIELDS, '**Rationale:**\nOnly why.'))).toMatchObject({
      entry: { content: '', rationale: 'Only why.' },
    });
    expect(readInboxFile(file(FIELDS, ''))).toMatchObject({ entry: { content: '', rationale: '' } });
  },
);

verifies(
  'memory.import',
  'a file of another editor says the same: byte order mark, line ends, quotes, fields of others',
  () => {
    const plain = readInboxFile(file(FIELDS));
    expect(readInboxFile(`\ufeff${file(FIELDS)}`.replaceAll('\n', '\r\n'))).toEqual(plain);
    expect(readInboxFile(withField('title', 'title: "One store"'))).toEqual(plain);
    expect(readInboxFile(withField('title', "title: 'One store'"))).toEqual(plain);
    expect(readInboxFile(withField('agent', 'agent: Neo'))).toEqual(plain);
    expect(readInboxFile(file(['# from a tool', '', 'version: 3', ...FIELDS]))).toEqual(plain);
    expect(readInboxFile(withField('title', "title: It's: fine # so far"))).toMatchObject({
      entry: { title: "It's: fine # so far" },
    });
    expect(readInboxFile(file(FIELDS, '---\n\na rule, and text: with a colon\n\n---\n'))).toMatchObject({
      entry: { content: '---\n\na rule, and text: with a colon\n\n---' },
    });
  },
);

verifies('memory.import', 'hostile front matter is refused with its reason', () => {
  for (const [text, reason] of [
    ['', 'has no front matter'],
    ['Just text.', 'has no front matter'],
    [`\n${file(FIELDS)}`, 'has no front matter'],
    [`---\n${FIELDS.join('\n')}\n`, 'has no front matter'],
    [file([...FIELDS, ...Array(TEAM_LIMITS.frontMatterLines).fill('x: y')]), 'has no front matter'],
    [file(FIELDS.slice(1)), 'the front matter has no agent'],
    [file(['agent: neo']), 'has no slug, type, title'],
    [withField('title', 'title:'), 'has no title'],
    [withField('agent', '\u0430gent: neo'), 'line 2 of the front matter is not'],
    [withField('agent', 'agent: n\u0435o'), 'agent is not a member name'],
    [withField('agent', 'agent: ../neo'), 'agent is not a member name'],
    [withField('slug', 'slug: ../../etc/passwd'), 'slug may hold'],
    [withField('slug', 'slug: /etc/passwd'), 'slug may hold'],
    [withField('slug', 'slug: ..'), 'slug may hold'],
    [withField('slug', 'slug: One'), 'slug may hold'],
    [withField('slug', `slug: ${'x'.repeat(65)}`), 'slug may hold'],
    [withField('slug', 'slug: \u{1f600}'), 'slug may hold'],
    [withField('type', 'type: privileged'), 'type is not one of'],
    [withField('type', 'type: __proto__'), 'type is not one of'],
    [withField('title', 'title: Ship it \u{1f680}'), 'title contains an emoji'],
    [withField('title', 'title: One \u202e store'), 'title contains invisible characters'],
    [withField('title', 'title: One \u001b[31m store'), 'title contains invisible characters'],
    [withField('title', `title: ${'x'.repeat(TEAM_LIMITS.memoryTitleCharacters + 1)}`), 'title is longer than'],
    [withField('title', 'title: "two\\nlines"'), 'title is more than one line'],
    [withField('title', 'title: "open'), 'the value of title is not plain text'],
    [withField('title', 'title: |'), 'the value of title is not plain text'],
    [withField('title', 'title: *anchor'), 'the value of title is not plain text'],
    [withField('title', 'title: [a, b]'), 'the value of title is not plain text'],
    [withField('title', 'title: One\n  store'), 'line 6 of the front matter is not'],
    [file([...FIELDS, 'agent: trinity']), 'agent appears twice'],
    [file(FIELDS, '---\nagent: trinity\nslug: other\n---\n\nBody'), 'two blocks'],
    [file(FIELDS, 'seen \u200b unseen'), 'the text contains invisible characters'],
    [file(FIELDS, 'a\u0000b'), 'the text contains invisible characters'],
    [file(FIELDS, 'x'.repeat(TEAM_LIMITS.memoryTextBytes + 1)), 'the text is larger than'],
  ] as const)
    expect(reasonOf(text), JSON.stringify(text.slice(0, 120))).toContain(reason);
});

test('what is handed in otherwise is held to the same, and comes back from its file as it is kept', () => {
  const given = { agent: 'neo', slug: 's', type: 'scope', title: 't', content: '', rationale: '' };
  const back = (more: Partial<typeof given>) => {
    const checked = checkedEntry({ ...given, ...more });
    if ('reason' in checked) return checked.reason;
    expect(readInboxFile(renderInboxFile(checked.entry))).toEqual(checked);
    return checked.entry;
  };
  expect(back({ title: ' "quoted": yes ' })).toMatchObject({ title: '"quoted": yes' });
  expect(back({ title: '[draft]' })).toMatchObject({ title: '[draft]' });
  expect(back({ content: 'a\n**Rationale:** b', rationale: '' })).toMatchObject({ content: 'a', rationale: 'b' });
  expect(back({ content: 'a', rationale: 'b\n**Rationale:** c' })).toMatchObject({
    content: 'a\n\n**Rationale:** b',
    rationale: 'c',
  });
  expect(back({ content: '---\nagent: x\n---' })).toBe('has two blocks of front matter');
  expect(back({ slug: '../x' })).toContain('slug may hold');
});
