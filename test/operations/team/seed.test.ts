import path from 'node:path';
import { expect } from 'vitest';
import { SqliteTeamMemory } from '#adapters/team-memory/sqlite-team-memory.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { blueprintApply } from '#operations/blueprints/apply.js';
import { confirm } from '#operations/team/confirm.js';
import { list } from '#operations/team/memories.js';
import { manual } from '#operations/team/proposals.js';
import { sessionChange, sessionList } from '#operations/team/work-sessions.js';
import { FREE_TURN } from '../../free-turn.js';
import { verifies } from '../../verifies.js';
import { MemoryStage } from './memory-stage.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
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
  'a blueprint seeds too; a memory that fails is a warning, and the team stands',
  async () => {
    const stage = new MemoryStage();
    const folder = path.join(stage.folder, '.workgraph');
    stage.put('.workgraph/teams.db', 'this is no database, and it is long enough to be looked at as one'.repeat(50));
    const database = new TeamsDatabase({
      turn: FREE_TURN,
      copies: path.join(folder, 'copies'),
      folder,
      migrations: MIGRATIONS,
      clock: { now: () => stage.now },
    });
    stage.memory = new SqliteTeamMemory(database);
    const first = await stage.call(blueprintApply, { id: 'blueprint-operations' });
    expect(first.warnings).toEqual([
      { code: 'memory_not_seeded', message: expect.stringContaining('teams.db is damaged') },
    ]);
    expect(stage.text('.squad/team.md')).toContain(`| ${first.added[0]} |`);
    await stage.call(manual, { archetypes: ['writer'] });
    const broken = { ...stage.context(), teamMemory: () => Promise.reject(new Error('secret path /x')) };
    const second = await confirm.run(broken, { intent: 'augment' } as never);
    expect(second.warnings).toEqual([{ code: 'memory_not_seeded', message: expect.not.stringContaining('secret') }]);
    expect(second.added).toHaveLength(1);
  },
);
