import { expect } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { sessionOf } from '#operations/coordinator/model-clients.js';
import type { RunSession } from '#ports/run-folders.js';
import { world } from '../../e2e/world.js';
import { NO_RUNS } from '../../no-runs.js';
import { verifies } from '../../verifies.js';

const SESSION: RunSession = { id: 'session-12345678', executor: 'claude', folder: '/project', progressed: true };
const TASK = { id: 'a', title: 'a', kind: 'task', status: 'open', last_run: { run: 'agent-1', iteration: 0 } };

verifies(
  'exec.contract',
  'a session is gone on with only where its client finds it and something was done in it',
  async () => {
    const { context } = world();
    const found = async (fields: object, kept: Partial<RunSession> = {}, executor = 'claude', folder = '/project') => {
      const runs = {
        ...NO_RUNS,
        session: async (run: string) => (run === 'agent-1' ? { ...SESSION, ...kept } : undefined),
      };
      const task = { ...TASK, ...fields } as unknown as Task;
      return (await sessionOf({ ...context, runs: async () => runs }, task, { executor, folder }))?.id;
    };
    expect(await found({})).toBe(SESSION.id);
    expect(await found({ last_run: undefined })).toBeUndefined();
    expect(await found({ last_run: { run: 'agent-9', iteration: 0 } })).toBeUndefined();
    // Another role has the task now.
    expect(await found({ last_run: { run: 'agent-1', iteration: 0, session_over: true } })).toBeUndefined();
    expect(await found({ loop_iteration: 1 })).toBeUndefined();
    expect(await found({ loop_iteration: 1, last_run: { run: 'agent-1', iteration: 1 } })).toBe(SESSION.id);
    expect(await found({}, { progressed: false })).toBeUndefined();
    expect(await found({}, {}, 'gemini')).toBeUndefined();
    expect(await found({}, {}, 'claude', '/project/.workgraph/worktrees/a-2')).toBeUndefined();
    expect(await found({}, { executor: 'codex' }, 'codex', '/elsewhere')).toBe(SESSION.id);
  },
);
