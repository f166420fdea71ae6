import path from 'node:path';
import { expect, test } from 'vitest';
import { renderInboxFile } from '#core/squad/inbox-file.js';
import {
  briefingOf,
  checkedAgent,
  checkedLine,
  checkedSlug,
  checkedText,
  type Decision,
  type InboxEntry,
  type Memory,
  type WorkSession,
} from '#core/squad/memory.js';
import { filedAs, storedSlugs } from '#core/squad/memory-entries.js';
import { readDecisions, readDiary, readNow } from '#core/squad/memory-readings.js';
import {
  memoryBlock,
  NO_DECISIONS,
  NO_SESSION,
  renderBoundaries,
  renderDecisions,
  renderDiary,
  renderNow,
  renderPatterns,
  withMemoryBlock,
  withState,
} from '#core/squad/memory-text.js';
import { exportedFiles, type LedgerState, type MemoryContents, planExport } from '#core/squad/plan-memory-export.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const AT = Date.parse('2026-03-01T10:00:00.000Z');
const made = { created_by: 'ann', created_at: AT };
const decision = (number: number, more: Partial<Decision> = {}): Decision => ({
  ...{ number, type: 'process', title: `Title ${number}`, content: 'Text.', rationale: '', status: 'active', ...made },
  ...more,
});
const memory = (number: number, more: Partial<Memory> = {}): Memory => ({
  ...{ number, agent: 'neo', type: 'learning', importance: 'high', content: `Learned ${number}`, ...made },
  ...more,
});
const session = (number: number, more: Partial<WorkSession> = {}): WorkSession => ({
  ...{ number, focus: 'Ship it', context: 'Soon.', started_by: 'ann', started_at: AT },
  ...more,
});
const entry = (slug: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
  ...{
    number: 1,
    agent: 'neo',
    slug,
    stored_slug: slug,
    type: 'scope',
    title: 'One',
    content: 'Text.',
    rationale: 'Why.',
  },
  ...{ status: 'pending', ...made },
  ...more,
});
const idOf = ({ number }: { readonly number: number }) => String(number).padStart(16, '0');

const FULL: MemoryContents = {
  decisions: [
    decision(1, {
      type: 'architectural',
      agent: 'neo',
      rationale: 'It is <!-- so -->.',
      content: '# A heading\n\n```\n# code',
    }),
    decision(2, { type: 'scope', content: '' }),
    decision(3),
  ],
  pending: [entry('one'), entry('two', { number: 2 })],
  patterns: [memory(4, { type: 'pattern', agent: 'trinity', content: 'Retry.\n## once' })],
  diaries: new Map([
    ['neo', [memory(5, { content: 'One\n\ntwo' }), memory(6, { type: 'update' })]],
    ['trinity', []],
  ]),
  session: session(7, { started_by: 'ann\nlee', context: '' }),
  idOf,
};
const EMPTY: MemoryContents = {
  decisions: [],
  pending: [],
  patterns: [],
  diaries: new Map(),
  session: undefined,
  idOf,
};

const [DECISIONS, NOW_MD] = ['.squad/decisions.md', '.squad/identity/now.md'];
const [BOUNDARIES, PATTERNS] = ['.agentweaver/context/boundaries.md', '.agentweaver/context/patterns.md'];
const DIARY = '.squad/agents/neo/history.md';
const inboxPath = (slug: string) => `.squad/decisions/inbox/${slug}.md`;
type Texts = Readonly<Record<string, string | { readonly problem: string }>>;
function state(texts: Texts, more: Partial<LedgerState> = {}): LedgerState {
  const files = Object.entries(texts).map(([file, text]) =>
    typeof text === 'string' ? { path: file, text, sha256: sha256(text) } : { path: file, ...text },
  );
  const isInbox = ({ path: file }: { path: string }) => file.startsWith('.squad/decisions/inbox/');
  return {
    files: new Map(files.filter((file) => !isInbox(file)).map((file) => [file.path, file])),
    inbox: { files: files.filter(isInbox), more: false },
    members: new Set(['neo', 'trinity']),
    archived: new Set(),
    isKnown: () => false,
    ...more,
  };
}

test('what an export writes, by what lies there', async () => {
  const known = planExport(FULL, state({})).changes;
  const asWritten = Object.fromEntries(
    known.flatMap((change) => (change.kind === 'write' ? [[change.path, change.text]] : [])),
  );
  const problem = { problem: 'is a link' };
  const all = (text: string | { problem: string }): Texts =>
    Object.fromEntries([DECISIONS, NOW_MD, BOUNDARIES, PATTERNS, DIARY].map((file) => [file, text]));
  const half = `a\n<!-- troupe:memory:begin -->\n`;
  const edited = Object.fromEntries(
    Object.entries(asWritten).map(([file, text]) => [
      file,
      text
        .replace('Text.', 'Other.')
        .replace('Learned 6', 'Forgot')
        .replace('Retry.', 'Never.')
        .replace('Ship it', 'Sink it'),
    ]),
  );
  const merged = Object.fromEntries(
    Object.entries(edited).map(([file, text]) => [file, text.replace(/<!-- troupe:state .*-->/, '$&\n$&')]),
  );
  const foreign = '# Somebody\n\nwrote this.\n';
  const begun = {
    [DECISIONS]: `${NO_DECISIONS}\n## 1. By hand\n\nKept.\n`,
    [NOW_MD]: NO_SESSION,
    [DIARY]: '# History of neo\n\nwords',
  };
  const full = new Set(
    Array.from({ length: TEAM_LIMITS.archivedFiles }, (_, at) => `.squad/decisions-archive/${at}.md`),
  );
  const mine = {
    [inboxPath('one')]: asWritten[inboxPath('one')] ?? '',
    [inboxPath('two')]: renderInboxFile(entry('two', { title: 'Two' })),
    [inboxPath('x')]: 'no entry',
    [inboxPath('y')]: renderInboxFile(entry('y')),
    [inboxPath('z')]: problem,
  };
  const strange = {
    [DECISIONS]: withMemoryBlock(NO_DECISIONS, memoryBlock('loose words\n\n## 1. Title 1\n\nx')),
    [DIARY]: withMemoryBlock('', memoryBlock('loose')),
  };
  const huge = {
    ...FULL,
    decisions: Array.from({ length: 400 }, (_, at) =>
      decision(at + 1, { content: 'x'.repeat(TEAM_LIMITS.squadFileBytes / 300) }),
    ),
  };
  const rows: [string, MemoryContents, LedgerState][] = [
    ['nothing is there', FULL, state({})],
    ['nothing to say, and nothing there', EMPTY, state({})],
    ['as it was written', FULL, state(asWritten)],
    ['as it was written, and known', FULL, state(asWritten, { isKnown: () => true })],
    [
      'nothing to say any more',
      { ...EMPTY, diaries: new Map([['neo', []]]) },
      state(asWritten, { isKnown: () => true }),
    ],
    ['edited by hand', FULL, state(edited)],
    ['put into one by git, and edited', FULL, state(merged)],
    ['put into one, and there is no room', FULL, state(merged, { archived: full })],
    ['of somebody else', FULL, state(all(foreign))],
    ['of somebody else, and nothing to say', { ...EMPTY, diaries: new Map([['neo', []]]) }, state(all(foreign))],
    ['not to be touched', FULL, state(all(problem))],
    ['half a block', FULL, state({ [DECISIONS]: half, [DIARY]: half })],
    ['begun by a cast', FULL, state(begun)],
    ['begun by a cast, and nothing to say', EMPTY, state(begun)],
    ['strange words in our part', FULL, state(strange)],
    [
      'plain files of ours from before',
      FULL,
      state({
        [BOUNDARIES]: renderBoundaries(FULL.decisions.slice(0, 2)),
        [PATTERNS]: renderPatterns(FULL.patterns),
        [NOW_MD]: renderNow(FULL.session, undefined),
      }),
    ],
    ['an inbox', FULL, state(mine)],
    ['an inbox that is known', FULL, state(mine, { isKnown: (hash) => hash !== sha256('no entry') })],
    ['a larger inbox', FULL, state({}, { inbox: { files: [], more: true } })],
    [
      'a copy that is there',
      FULL,
      state(
        { [PATTERNS]: foreign },
        { archived: new Set([`.squad/decisions-archive/patterns.${sha256(foreign).slice(0, 12)}.md`]) },
      ),
    ],
    ['nobody of that name', { ...EMPTY, diaries: new Map([['ghost', [memory(1)]]]) }, state({})],
    ['too much', huge, state({})],
  ];
  const lines = rows.flatMap(([title, remembered, there]) => {
    const { changes, exported, kept, marks } = planExport(remembered, there);
    return [
      `# ${title}`,
      ...changes.map(
        (change) =>
          `  ${change.kind} ${change.path}${'text' in change && title === 'nothing is there' ? `\n${change.text}` : 'text' in change ? ` ${sha256(change.text).slice(0, 8)} ${change.text.split('\n').length}` : ''}`,
      ),
      ...exported.map(({ file, change }) => `  ${change}: ${file}`),
      ...kept.map(({ file, reason }) => `  kept: ${file} ${reason}`),
      `  marks: ${marks.map((mark) => mark.slice(0, 8)).join(' ')}`,
    ];
  });
  lines.push(`# files: ${exportedFiles(FULL).join(' ')}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'exports.txt'));
});

test('what of a file of the memory is read, whoever wrote in it', async () => {
  const block = (body: string, before = NO_DECISIONS) => withMemoryBlock(before, memoryBlock(body));
  const ours = renderDecisions(FULL.decisions, idOf);
  const lines = Object.entries({
    'as it is written': readDecisions(withMemoryBlock(NO_DECISIONS, ours)),
    'a hand in it': readDecisions(withMemoryBlock(NO_DECISIONS, ours.replace('It is', 'It was'))),
    'sections beside it': readDecisions(
      `${block('')}\n## 7. Beside\n\nText.\n\n## Another\n\n- **Type:** scope, **Decided:** 2026-02-30, **Proposed by:** Neo\n\nWhy.\n\n**Rationale:** So.\n`,
    ),
    'sections beside it, after other empty lines': readDecisions(
      `\n${NO_DECISIONS.replaceAll('\n', '\n\n')}\n## 7. Beside\n\nText.`,
    ),
    'sections of others': readDecisions(`# Ours\n\n## 7. Beside\n\nText.\n${block('', '')}`),
    'odd sections': readDecisions(
      block(
        `words\n\n## \n\nx\n\n## 0. Zero\n\n- **Type:** odd\n- **Decided:** 2026-03-01\n\n~~~\n## in code\n~~\`\n~~~\n\n## Emoji 🚀\n\nx`,
      ),
    ),
    'a byte order mark and other line ends': readDecisions(`\ufeff${block('## 1. A\n\nB')}`.replaceAll('\n', '\r\n')),
    'a diary': readDiary('neo', renderDiary(FULL.diaries.get('neo') ?? [], idOf)),
    'a diary by hand': readDiary(
      'neo',
      block(
        '## Memory\n\n### Updates\n\n* 2026-03-01 plain\n  goes on\n\n  and on\nloose\n### Learnings\n- (low) low one\n- 2026-03-01 (high)\n- \n### Other\n- x',
      ),
    ),
    'a diary without a block': readDiary('neo', '- x'),
    now: readNow(renderNow(FULL.session, idOf(session(7)))),
    'now by hand': readNow(
      '# Now\n\n- **Focus:** Ship, **Session:** 3\n- **Since:** today\n- **Begun by:** bob\n\nContext \\# x',
    ),
    'now with half a number': readNow('# Now\n\n- **Focus:** Ship\n- **Session:** 1.5\n'),
    'now with no count': readNow('# Now\n\n- **Focus:** Ship\n- **Session:** -1\n\n- **Since:** 2026-03-01'),
    'now of nothing': readNow(NO_SESSION),
    'now of others': readNow('# Then\n\n- **Focus:** Ship\n'),
    'now twice': readNow(`${renderNow(FULL.session, '1'.repeat(16))}${renderNow(FULL.session, '2'.repeat(16))}`),
    'now with too much': readNow(`# Now\n\n- **Focus:** Ship\n\n${'x'.repeat(TEAM_LIMITS.memoryTextBytes + 1)}`),
  }).flatMap(([title, { readings, strange, merged }]) => [
    `# ${title}: ${strange ? 'strange' : 'plain'}${merged ? ', merged' : ''}`,
    ...readings.map((one) => `  ${JSON.stringify(one)}`),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'memory-readings.txt'));
  expect(withState('a')).not.toBe(withState('b'));
});

test('entries: what becomes of one that is handed in, and how it is called', () => {
  const one = entry('one');
  expect([filedAs(undefined, one), filedAs(one, { ...one }), filedAs(one, { ...one, title: 'x' })]).toEqual([
    'added',
    'same',
    'changed',
  ]);
  expect(filedAs({ ...one, status: 'merged' }, { ...one, rationale: 'x' })).toBe('settled');
  const firstFree = (taken: readonly string[]) => {
    for (const slug of storedSlugs(one)) if (!taken.includes(slug)) return slug;
  };
  const stored = (...taken: string[]) => firstFree(taken);
  expect([stored(), stored('one'), stored('one', 'one--neo'), stored('one', 'one--neo', 'one--neo--2')]).toEqual([
    ...['one', 'one--neo', 'one--neo--2', 'one--neo--3'],
  ]);
});

test('values of the memory, up to each bound', () => {
  const most = TEAM_LIMITS.memoryTitleCharacters;
  const line = (text: string) => checkedLine('title', text);
  expect([line(` ${'é'.repeat(most)} `), line('x'.repeat(most + 1)), line(' ')]).toEqual([
    { value: 'é'.repeat(most) },
    { reason: `title is longer than ${most} characters` },
    { reason: 'title is empty' },
  ]);
  expect([line('a\tb'), line('a\u2028b'), line('a\u0007b'), line('a\u200bb'), line('a😊')]).toEqual([
    ...[{ reason: 'title is more than one line' }, { reason: 'title is more than one line' }],
    ...[{ reason: 'title contains invisible characters' }, { reason: 'title contains invisible characters' }],
    { reason: 'title contains an emoji' },
  ]);
  expect([
    checkedText('x', ' a\r\nb '),
    checkedText('x', 'é'.repeat(TEAM_LIMITS.memoryTextBytes / 2)),
    checkedText('x', 'a\u0000'),
  ]).toEqual([
    { value: 'a\nb' },
    { value: 'é'.repeat(TEAM_LIMITS.memoryTextBytes / 2) },
    { reason: 'x contains invisible characters' },
  ]);
  expect(checkedText('x', `é${'x'.repeat(TEAM_LIMITS.memoryTextBytes - 1)}`)).toEqual({
    reason: `x is larger than ${TEAM_LIMITS.memoryTextBytes} bytes`,
  });
  expect([
    checkedAgent(' Neo '),
    checkedAgent('../x'),
    checkedSlug('a_b-1'),
    checkedSlug(`a${'x'.repeat(64)}`),
    checkedSlug('-a'),
  ]).toEqual([
    { value: 'neo' },
    { reason: 'agent is not a member name' },
    { value: 'a_b-1' },
    { reason: 'slug may hold a-z, 0-9, _ and - only, 64 characters at most' },
    { reason: 'slug may hold a-z, 0-9, _ and - only, 64 characters at most' },
  ]);
});

test('what is read before work: the newest of each, cut, and how many are older', () => {
  const long = 'x'.repeat(TEAM_LIMITS.briefingTextCharacters + 1);
  const learnings = Array.from({ length: TEAM_LIMITS.briefingLearnings + 2 }, (_, at) =>
    memory(at + 1, { content: long }),
  );
  const decisions = Array.from({ length: TEAM_LIMITS.briefingDecisions + 1 }, (_, at) =>
    decision(at + 1, { content: long, rationale: long }),
  );
  const briefing = briefingOf(learnings, decisions);
  expect(briefing.older).toEqual({ learnings: 2, decisions: 1 });
  const cut = `${'x'.repeat(TEAM_LIMITS.briefingTextCharacters - 1)}…`;
  expect(briefing.learnings[0]).toEqual({ number: 3, importance: 'high', created_at: AT, content: cut });
  expect(briefing.decisions[0]).toEqual({ number: 2, type: 'process', title: 'Title 2', content: cut, rationale: cut });
  expect([briefing.learnings.length, briefing.decisions.length]).toEqual([
    TEAM_LIMITS.briefingLearnings,
    TEAM_LIMITS.briefingDecisions,
  ]);
  expect(briefingOf([], [])).toEqual({ learnings: [], decisions: [], older: { learnings: 0, decisions: 0 } });
});
