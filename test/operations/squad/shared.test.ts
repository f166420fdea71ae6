import fc from 'fast-check';
import { expect } from 'vitest';
import { MEMORY_EVENTS } from '#core/squad/memory-ledger.js';
import { NO_DECISIONS } from '#core/squad/memory-text.js';
import { decisionAdd, decisionArchive, decisionList } from '#operations/squad/decisions.js';
import { list } from '#operations/squad/memories.js';
import { sessionList, sessionStart } from '#operations/squad/work-sessions.js';
import { room } from '../../room.js';
import { storesInMemory } from '../../tables-in-memory.js';
import { verifies } from '../../verifies.js';
import { Clone, mergeFiles } from '../team/clone.js';

const DECISIONS = '.squad/decisions.md';
const BEGINNING = Date.parse('2026-07-01T10:00:00.000Z');
/** Lines that stand in many texts, as a template makes them: where git puts two files into one, it may mix up what stands around them. */
const SAME = ['Context', 'All of us.', 'Consequences', 'None yet.', 'Review', 'In a year.'].join('\n');

/** All that a clone remembers, with the numbers people call it by. */
async function remembered(clone: Clone) {
  const { decisions } = await clone.call(decisionList, {});
  const { memories } = await clone.call(list, {});
  const { sessions } = await clone.call(sessionList, {});
  return {
    decisions: decisions.map(({ number, title, content, status, superseded_by }) => ({
      number,
      title,
      content,
      status,
      superseded_by,
    })),
    memories: memories.map(({ number, agent, type, content }) => ({ number, agent, type, content })),
    sessions: sessions.map(({ number, focus, status }) => ({ number, focus, status })),
  };
}

/** The same files with an empty data base, as `git clone` or `git worktree add` leave them. */
function cloneOf(clone: Clone): Clone {
  const copy = new Clone(clone.now);
  copy.ledger.files = clone.ledger.files;
  return copy;
}

const step = fc.record({
  who: fc.integer({ min: 0, max: 1 }),
  what: fc.constantFrom(
    ...([
      'learn',
      'decide',
      'decide',
      'replace',
      'archive',
      'begin',
      'export',
      'look',
      'lose',
      'write',
      'edit',
      'meet',
    ] as const),
  ),
  same: fc.boolean(),
});

verifies(
  'memory.shared',
  'two clones that add, write, edit by hand, lose their data base, merge and export in any order lose nothing',
  async () => {
    const place = room('merge');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const clones = [new Clone(BEGINNING), new Clone(BEGINNING)] as const;
        for (const clone of clones) clone.put(DECISIONS, NO_DECISIONS);
        let base: ReadonlyMap<string, string> = clones[0].ledger.files;
        const decided: string[] = [];
        const learned: string[] = [];
        const put = new Set<string>();
        const meet = () => {
          mergeFiles(place, clones[0], base, clones[1]);
          clones[1].ledger.files = clones[0].ledger.files;
          base = clones[0].ledger.files;
        };
        for (const [index, { who, what, same }] of steps.entries()) {
          const clone = clones[who] ?? clones[0];
          clone.now += 1_000;
          const text = `${same ? `${SAME}\n` : ''}text ${index}.${same ? `\n${SAME}` : ''}`;
          const active = (await clone.call(decisionList, { status: 'active' })).decisions;
          const last = active.at(-1);
          if (what === 'learn') {
            await clone.learn(same ? 'neo' : 'trinity', text);
            learned.push(`text ${index}.`);
          } else if (what === 'decide' || (what === 'replace' && last !== undefined)) {
            const supersedes = what === 'replace' && last !== undefined ? { supersedes: last.number } : {};
            const known = last !== undefined && isKnown(clone, last.content);
            await clone.call(decisionAdd, {
              title: same ? 'The same' : `Title ${index}`,
              content: text,
              ...supersedes,
            });
            decided.push(`text ${index}.`);
            if (what === 'replace' && last !== undefined && known) put.add(textIn(last.content));
          } else if (what === 'archive' && last !== undefined) {
            const known = isKnown(clone, last.content);
            await clone.call(decisionArchive, { number: last.number });
            if (known) put.add(textIn(last.content));
          } else if (what === 'begin') {
            if ((await clone.call(sessionList, {})).sessions.every(({ status }) => status === 'ended'))
              await clone.call(sessionStart, { focus: `Session ${index}` });
          } else if (what === 'export') await clone.export();
          else if (what === 'look') await remembered(clone);
          else if (what === 'lose') clone.inbox = storesInMemory().teamInbox;
          else if (what === 'write') {
            clone.put(DECISIONS, `${clone.text(DECISIONS)}\n## By hand ${index}\n\ntext ${index}.\n`);
            decided.push(`text ${index}.`);
          } else if (what === 'edit')
            clone.put(DECISIONS, clone.text(DECISIONS).replace(/^text (\d+)\.$/m, 'text $1. And more.'));
          else if (what === 'meet') meet();
        }
        for (const clone of clones) await clone.export();
        meet();
        for (const clone of clones) await clone.export();
        meet();

        const [one, other] = [await remembered(clones[0]), await remembered(clones[1])];
        expect(other).toEqual(one);
        expect(await remembered(cloneOf(clones[0]))).toEqual(one);
        const texts = (rows: readonly { content: string }[]) => rows.map(({ content }) => content).join('\n');
        for (const text of decided) expect(texts(one.decisions)).toContain(text);
        for (const text of learned) expect(texts(one.memories)).toContain(text);
        // What was written on by hand after it was put aside is a decision of its own.
        for (const { content, status } of one.decisions)
          if (put.has(textIn(content)) && !content.includes('And more.')) expect(status).not.toBe('active');
        expect(new Set(one.decisions.map(({ number }) => number)).size).toBe(one.decisions.length);
        expect(one.sessions.filter(({ status }) => status === 'open').length).toBeLessThan(2);
        const shown = clones[0].text(DECISIONS);
        for (const { content, status } of one.decisions)
          if (status === 'active') expect(shown).toContain(textIn(content));
        const files = clones[0].ledger.files;
        expect((await clones[0].export()).exported).toEqual([]);
        expect(clones[0].ledger.files).toEqual(files);
      }),
      { numRuns: 40 },
    );
  },
);

/** Whether a text is recorded as it was before a hand wrote on: until then it is another decision for a clone that records it elsewhere. */
function isKnown(clone: Clone, content: string): boolean {
  return !content.includes('And more.') || new RegExp(`${textIn(content)}(?! And)`).test(clone.text(MEMORY_EVENTS));
}

const textIn = (content: string) => /text \d+\./.exec(content)?.[0] ?? content;
