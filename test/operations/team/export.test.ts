import { cpSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { LedgerFolder } from '#adapters/squad/ledger-folder.js';
import { MEMORY_EVENTS } from '#core/squad/memory-ledger.js';
import { NO_DECISIONS, NO_SESSION } from '#core/squad/memory-text.js';
import { recordLine } from '#core/squad/shared-record.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { decisionAdd, decisionList } from '#operations/squad/decisions.js';
import { inboxMerge, inboxReject } from '#operations/squad/inbox.js';
import { rename } from '#operations/squad/members.js';
import { add, list } from '#operations/squad/memories.js';
import { exportMemory } from '#operations/squad/memory-files.js';
import { migrate } from '#operations/squad/team-files.js';
import { sessionChange, sessionShow } from '#operations/squad/work-sessions.js';
import { ALONE } from '../../lone-squad.js';
import { mass } from '../../mass.js';
import { room } from '../../room.js';
import { storesInMemory } from '../../tables-in-memory.js';
import { verifies } from '../../verifies.js';
import { INBOX, inboxFile, MemoryStage } from './memory-stage.js';

const BOUNDARIES = '.agentweaver/context/boundaries.md';
const PATTERNS = '.agentweaver/context/patterns.md';
const HISTORY = '.squad/agents/neo/history.md';
/** Without the marks by which a record is known again. */
const plain = (text: string) => text.replace(/ ?<!-- troupe:(?:decision|memory|session) [0-9a-f ]+-->/g, '');
const archived = (stage: MemoryStage) =>
  Object.keys(stage.files()).filter((name) => name.startsWith('.squad/decisions-archive/'));

/** A team with something of every kind to tell. */
async function full(): Promise<MemoryStage> {
  const stage = await MemoryStage.withTeam();
  for (const type of ['architectural', 'scope', 'process'] as const)
    await stage.call(decisionAdd, { title: `A ${type} one`, type, content: 'Text.', rationale: 'Why.' });
  await stage.call(add, { agent: 'Neo', content: 'Tests come first.\nAlways.' });
  await stage.call(add, { agent: 'Neo', content: 'The parser is done.', type: 'update' });
  await stage.call(add, { agent: 'Trinity', content: 'Retry once.', type: 'pattern' });
  stage.put(`${INBOX}/a.md`, inboxFile());
  stage.put(`${INBOX}/b.md`, inboxFile({ slug: 'habit', type: 'pattern', title: 'A habit' }));
  stage.put(`${INBOX}/c.md`, inboxFile({ slug: 'no', title: 'Never' }));
  await stage.import();
  await stage.call(inboxMerge, { number: 2 });
  await stage.call(inboxReject, { number: 3 });
  return stage;
}

verifies('memory.export', 'each kind goes to its file, and a second export changes nothing', async () => {
  const stage = await full();
  const { exported, kept } = await stage.export();
  expect(kept).toEqual([]);
  expect(
    exported
      .filter(({ change }) => change === 'written')
      .map(({ file }) => file)
      .sort(),
  ).toEqual(
    [BOUNDARIES, PATTERNS, HISTORY, '.squad/decisions.md', `${INBOX}/one-store.md`, '.squad/identity/now.md'].sort(),
  );
  const text = (file: string) => stage.text(file) ?? '';
  expect(text('.squad/decisions.md').match(/^## .*$/gm)).toEqual([
    '## 1. A architectural one',
    '## 2. A scope one',
    '## 3. A process one',
  ]);
  expect(text('.squad/decisions.md')).toContain('**Rationale:** Why.');
  expect(text(BOUNDARIES).match(/^##+ .*$/gm)).toEqual([
    '## Architecture',
    '### 1. A architectural one',
    '## Scope',
    '### 2. A scope one',
  ]);
  expect(text(PATTERNS)).toContain('Retry once.');
  expect(text(PATTERNS)).toContain('A habit\n\nKeep it.');
  expect(text(PATTERNS)).not.toContain('Tests come first.');
  expect(plain(text(HISTORY))).toMatch(
    /### Updates\n\n- 2026-07-01 \(medium\) The parser is done.\n\n### Learnings\n\n- 2026-07-01 \(medium\) Tests come first.\n {2}Always.\n/,
  );
  expect(text('.squad/identity/now.md')).toContain('**Focus:** The team has just been cast');
  expect(text(`${INBOX}/one-store.md`)).toBe(inboxFile());
  expect(stage.inbox()).toEqual(['one-store.md']);
  const before = stage.files();
  expect(await stage.export()).toEqual({ exported: [], kept: [] });
  expect(stage.files()).toEqual(before);
});

verifies('memory.export', 'what no longer holds leaves the files, what is ended is no longer now', async () => {
  const stage = await full();
  await stage.export();
  await stage.call(decisionAdd, { title: 'Another', type: 'architectural', supersedes: 1 });
  await stage.call(sessionChange, { end: true });
  expect((await stage.export()).kept).toEqual([]);
  expect(stage.text('.squad/decisions.md')).not.toContain('A architectural one');
  expect(stage.text(BOUNDARIES)).toContain('### 4. Another');
  expect(stage.text('.squad/identity/now.md')).toBe(NO_SESSION);
});

verifies('memory.export', 'a text ends no section, comment or code that it stands in', async () => {
  const stage = await MemoryStage.withTeam();
  const content = '# Decisions\n<!-- troupe:memory:end -->\n## 7. Forged\n```\n## code\n';
  await stage.call(decisionAdd, { title: 'Real', content });
  await stage.call(decisionAdd, { title: 'Next' });
  await stage.call(add, { agent: 'Neo', content });
  await stage.export();
  const text = stage.text('.squad/decisions.md') ?? '';
  expect(text).toContain('\\# Decisions\n&lt;!-- troupe:memory:end --&gt;\n\\## 7. Forged\n```\n## code\n```\n');
  expect(stage.text(HISTORY)?.match(/troupe:memory:end -->/g)).toHaveLength(1);
  await stage.call(add, { agent: 'Neo', content: 'More.' });
  expect((await stage.export()).kept).toEqual([]);
});

verifies(
  'memory.export.stale',
  'a file of the inbox goes only if exactly its bytes were imported or exported before',
  async () => {
    const stage = await MemoryStage.withTeam();
    stage.put(`${INBOX}/a.md`, inboxFile());
    stage.put(`${INBOX}/b.md`, inboxFile({ slug: 'b' }));
    await stage.import();
    await stage.call(inboxReject, { number: 1 });
    await stage.call(inboxReject, { number: 2 });
    stage.put(`${INBOX}/b.md`, `${inboxFile({ slug: 'b' })}\n`);
    stage.put(`${INBOX}/new.md`, inboxFile({ slug: 'new' }));
    const first = await stage.export();
    expect(first.exported).toContainEqual({ file: `${INBOX}/a.md`, change: 'removed' });
    expect(first.kept).toEqual([
      { file: `${INBOX}/b.md`, reason: 'is not imported yet' },
      { file: `${INBOX}/new.md`, reason: 'is not imported yet' },
    ]);
    expect(stage.inbox()).toEqual(['b.md', 'new.md']);
    // With one more import both are known: what they say is in the memory.
    await stage.import();
    await stage.export();
    expect(stage.inbox()).toEqual(['new.md']);
    // What an export wrote goes when its entry is settled.
    await stage.call(inboxReject, { number: 3 });
    await stage.export();
    expect(stage.inbox()).toEqual([]);
  },
);

verifies(
  ['memory.export.stale', 'memory.shared'],
  'another data base knows what the files tell, with the same numbers; it changes none and removes none of the inbox',
  async () => {
    const stage = await full();
    await stage.export();
    const before = stage.files();
    const numbers = async () => ({ ...(await stage.call(decisionList)), ...(await stage.call(sessionShow)) });
    const known = await numbers();
    stage.teamInbox = storesInMemory().teamInbox;
    expect(await numbers()).toEqual(known);
    const { exported, kept } = await stage.export();
    expect(exported).toEqual([]);
    expect(kept).toEqual([{ file: `${INBOX}/one-store.md`, reason: 'is not imported yet' }]);
    expect(stage.files()).toEqual(before);
  },
);

verifies(
  'memory.shared',
  'what a hand changed or added in a file of ours is taken in, and what stands beside it stays',
  async () => {
    const stage = await full();
    await stage.export();
    const text = stage.text('.squad/decisions.md') ?? '';
    const edited = text.replace('## 2. A scope one', '## 2. A wider one');
    stage.put('.squad/decisions.md', `${edited}\n## Use tabs\n\nThey are wider.\n\n**Rationale:** Eyes.\n`);
    stage.put(
      HISTORY,
      (stage.text(HISTORY) ?? '')
        .replace('Tests come first.', 'Tests come second.')
        .replace('\n### Learnings\n', '\n### Learnings\n\n- Sleep.\n'),
    );
    const now = '.squad/identity/now.md';
    stage.put(now, (stage.text(now) ?? '').replace('The team has just been cast', 'The parser'));
    const { decisions } = await stage.call(decisionList);
    expect(decisions.map(({ number, title, rationale }) => [number, title, rationale])).toEqual([
      [1, 'A architectural one', 'Why.'],
      [2, 'A wider one', 'Why.'],
      [3, 'A process one', 'Why.'],
      [4, 'Use tabs', 'Eyes.'],
    ]);
    const { memories } = await stage.call(list, { agent: 'Neo', type: 'learning' });
    expect(memories.map(({ content }) => content)).toEqual(['Tests come second.\nAlways.', 'Sleep.']);
    expect((await stage.call(sessionShow)).session).toMatchObject({ number: 1, focus: 'The parser' });
    expect((await stage.export()).kept).toEqual([]);
    expect(stage.text('.squad/decisions.md')?.match(/^## .*$/gm)).toHaveLength(4);
    expect(archived(stage)).toEqual([]);
    const before = stage.files();
    stage.teamInbox = storesInMemory().teamInbox;
    expect((await stage.call(decisionList)).decisions.map(({ title }) => title)).toContain('Use tabs');
    expect((await stage.export()).exported).toEqual([]);
    expect(stage.files()).toEqual(before);
  },
);

verifies('memory.shared', 'files that an earlier version wrote are read back, alike in each clone', async () => {
  const stage = await MemoryStage.withTeam();
  stage.put(
    '.squad/decisions.md',
    `${NO_DECISIONS}\n## 1. No windows\n\n- **Type:** scope\n- **Decided:** 2026-07-01\n\nNone.\n\n**Rationale:** Nobody asked.\n`,
  );
  const block =
    '<!-- troupe:memory:begin -->\n\n## Memory\n\n### Learnings\n\n- 2026-07-01 (high) Cut twice.\n\n<!-- troupe:memory:end -->\n';
  stage.put(HISTORY, `${stage.text(HISTORY)}\n${block}`);
  const clone = new MemoryStage();
  cpSync(path.join(stage.folder, '.squad'), path.join(clone.folder, '.squad'), { recursive: true });
  for (const one of [clone, stage]) {
    const { decisions } = await one.call(decisionList);
    expect(decisions).toMatchObject([{ number: 1, type: 'scope', title: 'No windows', rationale: 'Nobody asked.' }]);
    const { memories } = await one.call(list, { type: 'learning' });
    expect(memories).toMatchObject([{ agent: 'neo', importance: 'high', content: 'Cut twice.' }]);
    expect((await one.export()).kept).toEqual([]);
  }
  const lines = [stage, clone].map((one) => (one.text(MEMORY_EVENTS) ?? '').trim().split('\n'));
  const ids = lines.map((all) => all.map((line) => String(JSON.parse(line).id)).sort());
  expect(ids[0]).toEqual(ids[1]);
});

verifies('memory.export.keep', 'a file that a hand changed is copied before it is written anew', async () => {
  const stage = await full();
  await stage.export();
  const wanted = stage.files();
  const mine = '\ufeff# Mine\r\n\r\nDo not lose this.';
  for (const file of ['.squad/identity/now.md', BOUNDARIES, PATTERNS, `${INBOX}/one-store.md`])
    stage.put(file, file.startsWith(INBOX) ? inboxFile({ body: 'Mine.' }) : `${mine} ${file}`);
  const changed = stage.files();
  const { kept } = await stage.export();
  expect(kept).toHaveLength(4);
  const copies = archived(stage);
  expect(copies.map((name) => path.basename(name).split('.')[0]).sort()).toEqual([
    'boundaries',
    'inbox-one-store',
    'now',
    'patterns',
  ]);
  const after = stage.files();
  for (const { file, reason } of kept) {
    const copy = /a copy is in (\S+)$/.exec(reason)?.[1] ?? '';
    expect(after[copy]).toBe(changed[file]);
    expect(after[file]).toBe(wanted[file]);
  }
  // The same bytes again: the first copy stays what it is.
  stage.put(PATTERNS, `${mine} ${PATTERNS}`);
  await stage.export();
  expect(archived(stage)).toHaveLength(5);
  expect(archived(stage).filter((name) => name.includes(sha256(`${mine} ${PATTERNS}`).slice(0, 12)))).toHaveLength(2);
  // Of decisions only the block is ours: a text in words of their own stays around it.
  stage.put('.squad/decisions.md', `${mine}\r\n\r\n## Governance\r\n`);
  await stage.export();
  expect(stage.text('.squad/decisions.md')?.startsWith(`${mine}\r\n\r\n## Governance\r\n\n<!-- troupe`)).toBe(true);
  expect((await stage.call(decisionList)).decisions).toHaveLength(3);
  expect(archived(stage)).toHaveLength(5);
});

verifies(
  'memory.export.keep',
  'of a history only the marked block changes, and a block that says what cannot be kept is copied',
  async () => {
    const stage = await full();
    const before = stage.text(HISTORY) ?? '';
    await stage.export();
    const once = stage.text(HISTORY) ?? '';
    expect(once.startsWith(before)).toBe(true);
    stage.put(HISTORY, `My words above\r\n${once}My words below`);
    await stage.call(add, { agent: 'Neo', content: 'Something new.' });
    expect((await stage.export()).kept).toEqual([]);
    const twice = stage.text(HISTORY) ?? '';
    expect(twice.startsWith(`My words above\r\n${before}`)).toBe(true);
    expect(twice.endsWith('My words below')).toBe(true);
    expect(twice).toContain('Something new.');
    const edited = twice.replace('### Learnings\n', '### Learnings\n\nnot in a list\n');
    stage.put(HISTORY, edited);
    expect((await stage.export()).kept).toMatchObject([{ file: HISTORY }]);
    expect(archived(stage).map((name) => stage.text(name))).toEqual([edited]);
    expect(stage.text(HISTORY)).toBe(twice);
  },
);

verifies(
  'memory.export.keep',
  'what cannot be told apart or read is left as it is: marks, links, other bytes, too much',
  async () => {
    const stage = await full();
    const begin = '<!-- troupe:memory:begin -->';
    const outside = path.join(room(), 'outside.md');
    writeFileSync(outside, 'outside');
    stage.put(HISTORY, `${begin}\n${begin}\n`);
    stage.put('.squad/decisions.md', Buffer.from([0xff, 0xfe]));
    stage.put(BOUNDARIES, 'x'.repeat(TEAM_LIMITS.squadFileBytes + 1));
    const now = path.join(stage.folder, '.squad/identity/now.md');
    unlinkSync(now);
    symlinkSync(outside, now);
    stage.put(`${INBOX}/one-store.md`, '---\nhalf of it');
    const before = stage.files();
    const { exported, kept } = await stage.export();
    expect(exported.map(({ file, change }) => [file, change])).toEqual([
      [PATTERNS, 'written'],
      [`${INBOX}/a.md`, 'removed'],
      [`${INBOX}/b.md`, 'removed'],
      [`${INBOX}/c.md`, 'removed'],
    ]);
    expect(kept.map(({ file }) => file)).toEqual([
      '.squad/decisions.md',
      '.squad/identity/now.md',
      BOUNDARIES,
      HISTORY,
      `${INBOX}/one-store.md`,
    ]);
    const after = stage.files();
    for (const { file } of kept) expect(after[file]).toBe(before[file]);
  },
);

verifies('memory.export', 'what is remembered goes along with a member that has another name now', async () => {
  const stage = await full();
  await stage.export();
  await stage.call(rename, { member: 'Neo', name: 'Anderson' });
  await stage.call(rename, { member: 'Anderson', name: 'The One' });
  await stage.call(add, { agent: 'The One', content: 'There is no spoon.' });
  expect((await stage.export()).kept).toEqual([]);
  const text = stage.text('.squad/agents/the-one/history.md') ?? '';
  expect(text).toContain('Tests come first.');
  expect(text).toContain('There is no spoon.');
  expect(archived(stage)).toEqual([]);
  const { memories } = await stage.call(list, { agent: 'Neo' });
  expect(memories.map(({ agent }) => agent)).toEqual(Array(5).fill('the-one'));
  expect(await stage.call(list, { agent: 'the one' })).toEqual({ memories });
});

verifies(
  'memory.export.keep',
  'what is nobody’s history is not made, and a first text of a cast is no hand’s',
  async () => {
    const stage = await MemoryStage.withTeam();
    expect(stage.text('.squad/decisions.md')).toBe(NO_DECISIONS);
    const made = { rev: 1, number: 1, createdBy: 'ann', createdAt: timestamp(0) };
    const memory = {
      kind: 'memory',
      id: '0'.repeat(16),
      agent: 'nobody',
      type: 'learning',
      importance: 'low',
    } as const;
    const events = stage.text(MEMORY_EVENTS) ?? '';
    stage.put(MEMORY_EVENTS, `${events}${recordLine({ ...memory, ...made, content: 'x' })}\n`);
    await stage.call(decisionAdd, { title: 'First' });
    expect((await stage.export()).kept).toEqual([
      { file: '.squad/agents/nobody/history.md', reason: 'belongs to no member of the team' },
    ]);
    expect(archived(stage)).toEqual([]);
  },
);

verifies(
  'memory.export.keep',
  'stopped at any step, an export is made or is not, and nothing of a hand is lost',
  async () => {
    for (let stop = 0; ; stop += mass(7, 1)) {
      const stage = await full();
      stage.put(PATTERNS, 'Mine.');
      const before = stage.files();
      let steps = 0;
      const step = () => {
        if (steps++ === stop) throw new Error('stopped');
      };
      const stopped = new LedgerFolder(stage.folder, new ProcessTable(), { ...ALONE, step });
      const context = { ...stage.context(), ledger: () => Promise.resolve(stopped) };
      const ended = await exportMemory.run(context, {}).then(
        () => true,
        () => false,
      );
      if (ended) {
        expect(stop).toBeGreaterThan(8);
        return;
      }
      const plain = Object.fromEntries(Object.entries(stage.files()).filter(([name]) => !name.includes('/.scratch/')));
      const untouched = JSON.stringify(plain) === JSON.stringify(before);
      const { kept } = await stage.export();
      // Where it was decided before it stopped, the next one only finishes it; otherwise it decides anew.
      expect(untouched || kept.length === 0, `stopped at step ${stop}`).toBe(true);
      expect(
        archived(stage).map((name) => stage.text(name)),
        `stopped at step ${stop}`,
      ).toEqual(['Mine.']);
      expect(stage.text('.squad/decisions.md')).toContain('## 3. A process one');
      expect(stage.inbox()).toEqual(['one-store.md']);
    }
  },
);

verifies(
  'squad.dialect.write',
  'beside the team of another tool nothing is written before it was migrated',
  async () => {
    const stage = new MemoryStage();
    cpSync(path.resolve(import.meta.dirname, '../../fixtures/squads/snake'), stage.folder, { recursive: true });
    await stage.call(decisionAdd, { title: 'Ours', type: 'scope', content: 'Text.' });
    const before = stage.files();
    await expect(stage.export()).rejects.toMatchObject({ code: 'migration_required' });
    expect(stage.files()).toEqual(before);
    await stage.call(migrate);
    expect((await stage.export()).exported).not.toEqual([]);
  },
);
