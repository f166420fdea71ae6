import pc from 'picocolors';
import { expect } from 'vitest';
import { show } from '#operations/graph/show.js';
import { why } from '#operations/insight/blocking.js';
import { statusNow } from '#operations/insight/now.js';
import { problems } from '#operations/insight/problems.js';
import { next } from '#operations/insight/structure.js';
import type { Context } from '#operations/operation.js';
import { renderers as status } from '#surfaces/cli/render/status.js';
import { renderers as structure } from '#surfaces/cli/render/structure.js';
import { renderers as task } from '#surfaces/cli/render/task.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { world } from '../../e2e/world.js';
import { NO_CLIENTS } from '../../no-clients.js';
import { verifies } from '../../verifies.js';

/** A machine on which the client that the settings name is found at this place, or is not there. */
function withClient(
  coordinator: object,
  found: string | undefined,
): Pick<Context, 'settings' | 'trust' | 'executorFiles' | 'clientPrograms'> {
  const absent = async () => {
    throw new Error('nothing is changed here');
  };
  return {
    settings: async () => ({ name: 'config.toml', read: async () => ({ coordinator }), set: absent }),
    trust: async () => ({
      read: async () => ({ at: '', commands: 0, sha256: '' }),
      give: absent,
      withdraw: absent,
      isOfAnother: async () => false,
    }),
    executorFiles: async () => ({ list: async () => [], read: async () => undefined }),
    clientPrograms: async () => ({ ...NO_CLIENTS, find: async () => found }),
  };
}

function linesOf(): { lines: string[]; screen: Screen } {
  const lines: string[] = [];
  const print = (text = '') => void lines.push(text);
  return { lines, screen: { width: 200, colour: pc.createColors(false), unicode: true, line: print, aside: print } };
}

verifies(
  'hold.missing',
  'ready tasks say whether a command, a client or a person does them; a missing client is told',
  async () => {
    const own = world();
    await own.add('machine', { exec: 'true' });
    await own.add('asked');
    await own.add('named', { human: true });
    const now = async (settings: object, found: string | undefined) => {
      const answers = await statusNow.run({ ...own.context, ...withClient(settings, found) }, {});
      const { ready, ready_for_service: runnable, client } = answers;
      return { by: ready.rows.map((row) => row.done_by), runnable, client };
    };
    expect(await now({ executor: 'shell' }, undefined)).toEqual({
      by: ['person', 'command', 'person'],
      runnable: 1,
      client: { executor: null, missing: null, waiting: 0, problem: null },
    });
    const by = ['client', 'command', 'person'];
    const { lines, screen } = linesOf();
    const answers = await statusNow.run({ ...own.context, ...withClient({}, '/bin/claude') }, {});
    await status['status.now'](answers, screen, { serviceAnswers: async () => false, stage: () => undefined });
    const starts = [/asked .*for claude, when a service is started$/, /machine .*its command runs when a service is/];
    for (const line of [...starts, /named .*for a person$/]) expect(lines).toContainEqual(expect.stringMatching(line));
    expect(await now({}, '/bin/claude')).toEqual({
      by,
      runnable: 2,
      client: { executor: 'claude', missing: null, waiting: 1, problem: null },
    });
    expect(await now({ executor: 'codex' }, undefined)).toEqual({
      by,
      runnable: 1,
      client: {
        executor: null,
        missing: expect.stringContaining('npm install -g @openai/codex'),
        waiting: 1,
        problem: { text: expect.stringContaining('npm install -g @openai/codex'), command: 'troupe executor list' },
      },
    });
  },
);

verifies(
  'hold.missing',
  'nobody is told to claim what an agent takes, with a service or without, installed or not',
  async () => {
    const own = world();
    await own.add('a');
    for (const found of ['/bin/claude', undefined]) {
      const context = { ...own.context, ...withClient({}, found) };
      const [because, first, shown] = [
        await why.run(context, { id: 'a' }),
        await next.run(context, {}),
        await show.run(context, { id: 'a' }),
      ];
      expect(because[0]?.code).toBe(found ? 'service-down' : 'executor');
      expect(first.task?.done_by).toBe('client');
      const troubles = await problems.run(context, {});
      expect(troubles.problems.map(({ command }) => command)).toEqual([
        found ? 'troupe service start' : 'troupe executor list',
      ]);
      for (const served of [true, false]) {
        const { lines, screen } = linesOf();
        const around = { serviceAnswers: async () => served };
        await status['status.now']((await statusNow.run(context, {})) as never, screen, around);
        await task['task.show'](shown as never, screen, around);
        structure['analysis.next'](first, screen);
        const said = [...lines, JSON.stringify([because, troubles])].join('\n');
        expect(said).not.toMatch(/claim|a person/);
        if (!found) expect(said).toMatch(/Needs you\n +1 task cannot start without a client: The program of claude/);
      }
    }
  },
);
