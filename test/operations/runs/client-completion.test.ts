import { expect } from 'vitest';
import { settingsFrom } from '#core/settings/settings.js';
import { clientCompletion } from '#operations/runs/client-completion.js';
import { contextOf } from '../../context-of.js';
import { verifies } from '../../verifies.js';

/** A machine with an executor of the project that a person trusts. */
function machine(definition: object) {
  const asked: unknown[] = [];
  const file = { name: 'mine', file: 'mine.toml', sha256: 'h', value: definition };
  const completion = clientCompletion(
    contextOf({
      projectFolder: '/project',
      clientPrograms: async () =>
        ({
          find: async (name: string) => `/bin/${name}`,
          variables: (names: readonly string[]) => {
            asked.push([...names]);
            return Object.fromEntries(names.map((name) => [name, 'value']));
          },
          ownParts: async () => ({ hooks: [], plugins: [], servers: [] }),
        }) as never,
      executorFiles: async () => ({ list: async () => [], read: async () => file }) as never,
      executorTrust: async () => ({ all: async () => new Map([['mine', { sha256: 'h' }]]) }) as never,
    }),
    {
      tools: { command: '/opt/node', args: [] },
      own: { read: async () => ({ allowUnsafe: false, passEnv: ['MINE'], person: undefined }) },
      settings: async () => settingsFrom({}).settings,
    },
  );
  const request = {
    ...{ taskId: 'a', runId: 'agent-1', mode: 'full', model: 'm', sessionId: 's-1', resume: false, values: {} },
    prompt: 'Do it.',
  };
  const places = { folder: '/project/tree', runFolder: '/project/run' };
  return { asked, complete: async () => await completion.complete('mine', { request } as never, places) };
}

verifies(
  'exec.custom',
  'the plan of an executor of the project is completed with its command and its words',
  async () => {
    const executor = { command: 'agent', args: ['--task', '{{task_id}}'] };
    const plain = machine({ executor });
    expect(await plain.complete()).toEqual({
      invocation: {
        ...{
          program: '/bin/agent',
          args: ['--task', 'a'],
          environment: {},
          folder: '/project/tree',
          capsItself: false,
        },
      },
      ...{ prompt: 'Do it.', files: [], passed: { MINE: 'value' }, resumes: false },
    });
    expect(plain.asked).toEqual([['MINE']]);
  },
);
