import { expect } from 'vitest';
import { MEMORY_EVENTS } from '#core/squad/memory-ledger.js';
import { recordLine, type SharedRecord } from '#core/squad/shared-record.js';
import { timestamp } from '#kernel/clock.js';
import { blueprintApply } from '#operations/playbooks/apply.js';
import { confirm } from '#operations/squad/confirm.js';
import { list } from '#operations/squad/memories.js';
import { manual } from '#operations/squad/proposals.js';
import { sessionChange, sessionList } from '#operations/squad/work-sessions.js';
import { verifies } from '../../verifies.js';
import { MemoryStage } from './memory-stage.js';

const contexts = async (stage: MemoryStage) =>
  (await stage.call(list, { type: 'core_context' })).memories.map(({ agent, content }) => [
    agent,
    content.split('\n')[0],
  ]);

verifies(
  'confirm.seed-memory',
  'new members remember their charters, once; a session is begun if none is open',
  async () => {
    const stage = await MemoryStage.withTeam();
    expect(await contexts(stage)).toEqual([
      ['neo', '# Neo — Backend Engineer'],
      ['trinity', '# Trinity — Writer'],
    ]);
    const sessions = async () => (await stage.call(sessionList)).sessions.map(({ status }) => status);
    expect(await sessions()).toEqual(['open']);
    expect((await stage.call(confirm)).warnings).toEqual([]);
    expect(await contexts(stage)).toHaveLength(2);
    // Another cast: only who is new, and the session that is open goes on.
    await stage.call(manual, { archetypes: ['qa-engineer'] });
    expect((await stage.call(confirm, { intent: 'augment' })).warnings).toEqual([]);
    expect((await contexts(stage)).map(([agent]) => agent)).toEqual(['neo', 'trinity', 'morpheus']);
    expect(await sessions()).toEqual(['open']);
    // What was ended is not begun again by confirming what was confirmed.
    await stage.call(sessionChange, { end: true });
    await stage.call(confirm, { intent: 'augment' });
    expect(await sessions()).toEqual(['ended', 'open']);
    await stage.call(sessionChange, { end: true });
    await stage.call(confirm, { intent: 'augment' });
    expect(await sessions()).toEqual(['ended', 'ended']);
  },
);

verifies(
  'confirm.seed-memory',
  'a blueprint begins a session too; one that cannot be begun is a warning, and the team stands',
  async () => {
    const stage = new MemoryStage();
    const first = await stage.call(blueprintApply, { id: 'blueprint-operations' });
    expect(first.warnings).toEqual([]);
    expect((await stage.call(sessionList)).sessions).toMatchObject([{ focus: 'The team has just been cast' }]);
    expect(stage.text('.squad/team.md')).toContain(`| ${first.added[0]} |`);
    const events = stage.text(MEMORY_EVENTS) ?? '';
    stage.put(MEMORY_EVENTS, Uint8Array.of(0xff));
    await stage.call(manual, { archetypes: ['writer'] });
    const second = await stage.call(confirm, { intent: 'augment' });
    const message = 'The team is cast, but no session could be started: .squad/memory.events.jsonl is not UTF-8 text.';
    expect(second.warnings).toEqual([{ code: 'session_not_started', message }]);
    expect(second.added).toHaveLength(1);
    stage.put(MEMORY_EVENTS, events);
    expect(await contexts(stage)).toHaveLength(first.added.length + 1);
    const learned: SharedRecord = {
      ...{ kind: 'memory', id: '0'.repeat(16), rev: 1, number: 7, createdBy: 'ann', createdAt: timestamp(0) },
      ...{ agent: 'neo', type: 'learning', importance: 'low', content: 'x' },
    };
    stage.put(MEMORY_EVENTS, `${events}${recordLine(learned)}\n`);
    const numbers = (await stage.call(list)).memories.map(({ number }) => number);
    expect(numbers, 'charters are numbered after what was learned').toEqual(numbers.map((_, index) => 7 + index));
  },
);
