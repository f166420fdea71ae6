import { expect, test } from 'vitest';
import { NO_SESSIONS, REST } from '#core/coordinator/sessions.js';
import { GraphState } from '#core/graph/state.js';
import { TroupeError } from '#kernel/errors.js';
import { SessionsHost } from '#operations/coordinator/sessions-host.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../quiet-parts.js';

test('a broken file of sessions leaves those there were, and is told of once', async () => {
  const { context } = world();
  const mine = { ...REST, id: 1, name: 'mine', scope: { tags: ['mine'], roots: [] } };
  let broken: string | Error | undefined;
  const notes: string[] = [];
  const host = new SessionsHost(
    { clients: NO_CLIENTS },
    {
      sessions: async () => ({
        ...(await context.sessions()),
        read: async () => {
          if (broken instanceof Error) throw broken;
          if (broken !== undefined) throw new TroupeError('bad_input', { what: broken });
          return { ...NO_SESSIONS, coordinators: [mine] };
        },
      }),
      mail: () => context.mail(),
      note: (text) => notes.push(text),
    },
  );
  const look = { view: new GraphState(), clients: await NO_CLIENTS.facts() };
  const names = async () => (await host.facts(look)).sessions.map(({ name }) => name);
  expect([await names(), notes]).toEqual([['rest', 'mine'], []]);
  for (const what of ['no JSON', 'no JSON', 'no sessions']) {
    broken = what;
    expect(await names(), what).toEqual(['rest', 'mine']);
  }
  expect(notes.splice(0)).toEqual([expect.stringContaining('no JSON'), expect.stringContaining('no sessions')]);
  for (const what of [undefined, 'no sessions']) {
    broken = what;
    await names();
  }
  expect(notes, 'it was whole in between').toEqual([expect.stringContaining('no sessions')]);
  broken = new Error('odd');
  await expect(names()).rejects.toThrow('odd');
});
