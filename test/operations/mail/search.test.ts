import { expect } from 'vitest';
import { talk } from '#core/mail/task-talk.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { send as sendToMember } from '#operations/mail/conversations.js';
import { search } from '#operations/mail/search.js';
import { send } from '#operations/mail/task-talk.js';
import { seedTree } from '../../core/mail/tree.js';
import { verifies } from '../../verifies.js';
import { organisation } from './stage.js';

verifies(
  'web.pages',
  'messages about tasks are found with words around the first one; those between members and of lost tasks are not',
  async () => {
    const { person, run, claim, add, configure } = organisation();
    configure(seedTree());
    for (const id of ['parse', 'print']) await add(id, { title: `Write ${id}` });
    await claim('parse');
    await sendToMember.run(person(), {
      member: 'teaparty/coding/lead',
      message: 'A word about the grammar, for you only.',
    });
    await send.run(person(), { id: 'print', text: 'The Grammar of the printer' });
    await send.run(run('parse'), { id: 'parse', text: `${'Long words come first. '.repeat(40)}Then the grammar.` });
    const { messages } = await search.run(person('ben'), { words: ' grammar ' });
    expect(messages).toMatchObject([
      { task_id: 'parse', team: null, from: 'agent-parse', number: 1 },
      { task_id: 'print', from: 'ann', excerpt: 'The Grammar of the printer' },
    ]);
    expect(messages[0]?.excerpt).toMatch(/^… .*Then the grammar\.$/);
    expect(messages[0]?.excerpt.length).toBeLessThanOrEqual(TEAM_LIMITS.messageExcerptCharacters);
    expect((await search.run(person(), { words: 'the grammar', limit: 1 })).messages).toHaveLength(1);
    expect((await search.run(person(), { words: '  ' })).messages).toEqual([]);
    const lost = { id: 'm-lost', sender: 'human/ann', sender_name: 'ann', speaks_for: 'human/ann', body: 'grammar' };
    const message = { ...lost, priority: 'normal', created_at: 1 } as const;
    const mail = await person().mail();
    await mail.change((view) => talk(view, { task: 'gone', message, kind: 'person' }));
    expect(await mail.find(['grammar'], 9)).toHaveLength(3);
    expect((await search.run(person(), { words: 'grammar' })).messages).toHaveLength(2);
  },
);
