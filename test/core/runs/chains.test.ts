import { expect } from 'vitest';
import { type ExecutionSources, executionOf } from '#core/runs/chains.js';
import type { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';

const DEFAULTS = { model: 'own', provider: 'local' } as const;
const chosen = (sources: Omit<Partial<ExecutionSources>, 'task'> & { task?: Partial<ExecutionSources['task']> } = {}) =>
  executionOf({ ...sources, task: { id: 't', ...sources.task } }, () => DEFAULTS);

verifies(
  'dispatch.executor',
  'a command goes to the shell; else the agent says, else the session, else it is claude',
  () => {
    const agent = { executor: 'codex' };
    const session = { executor: 'gemini' };
    expect(chosen({ task: { exec: 'true' }, agent, session }).executor).toBe('shell');
    expect(chosen({ task: { exec: 'true', exec_mode: 'light' }, agent }).executor).toBe('shell');
    expect(chosen({ task: { exec: 'true', exec_mode: 'shell' }, agent, session }).executor).toBe('shell');
    expect(chosen({ agent, session }).executor).toBe('codex');
    expect(chosen({ agent: {}, session }).executor).toBe('gemini');
    expect(chosen({ agent: {}, session: {} }).executor).toBe('claude');
    expect(chosen().executor).toBe('claude');
  },
);

verifies(
  'dispatch.mode',
  'the task says, else its role, else all is allowed; a shell without a command is refused',
  () => {
    const role = { mode: 'light' } as const;
    expect(chosen({ task: { exec_mode: 'bare' }, role }).mode).toBe('bare');
    expect(chosen({ role }).mode).toBe('light');
    expect(chosen({ role: {} }).mode).toBe('full');
    expect(chosen().mode).toBe('full');
    expect(chosen({ task: { exec: 'true' }, role }).mode).toBe('shell');
    const without: Partial<ExecutionSources>[] = [
      { task: { id: 't', exec_mode: 'shell' } },
      { task: { id: 't', exec_mode: 'shell', exec: '' } },
      { role: { mode: 'shell' } },
      { agent: { executor: 'shell' } },
    ];
    for (const sources of without) {
      expect(() => chosen(sources)).toThrow(expect.objectContaining({ code: 'exec_missing' }) as TroupeError);
    }
  },
);

verifies('dispatch.model', 'task, coordinator, agent, executor: the first that names a model or a provider', () => {
  const sources = {
    task: { model: 'of-task', provider: 'anthropic' },
    session: { model: 'of-session', provider: 'openai' },
    agent: { model: 'of-agent', provider: 'openrouter' },
  } as const;
  const { task, session, agent } = sources;
  const told = ({ model, provider }: ReturnType<typeof chosen>) => ({ model, provider });
  expect(told(chosen({ task, session, agent }))).toEqual(task);
  expect(told(chosen({ session, agent }))).toEqual(session);
  expect(told(chosen({ agent }))).toEqual(agent);
  expect(told(chosen())).toEqual(DEFAULTS);
  expect(told(chosen({ task: { model: 'of-task' }, agent }))).toEqual({ model: 'of-task', provider: 'openrouter' });
});

verifies('dispatch.scope', 'task, role, coordinator, and else the scope `task`', () => {
  const [task, role, session] = [{ context_scope: 'full' }, { scope: 'clean' }, { scope: 'graph' }] as const;
  expect(chosen({ task, role, session }).scope).toBe('full');
  expect(chosen({ role, session }).scope).toBe('clean');
  expect(chosen({ session }).scope).toBe('graph');
  expect(chosen().scope).toBe('task');
});

verifies('pay.words', 'a model and a provider go to the client that they were named for, and to no other', () => {
  const agent = { executor: 'claude', model: 'opus', provider: 'anthropic' } as const;
  const session = { executor: 'claude', model: 'sonnet' };
  expect(chosen({ agent, session }).model).toBe('sonnet');
  const decided = chosen({ agent, session, decided: 'codex' });
  expect(decided).toMatchObject({ executor: 'codex', ...DEFAULTS });
  expect(chosen({ agent: { executor: 'codex' }, session })).toMatchObject({ executor: 'codex', model: 'own' });
  expect(chosen({ agent: { model: 'opus' }, session: { executor: 'codex' } }).model, 'of no client').toBe('opus');
  expect(chosen({ task: { exec: 'true' }, decided: 'codex' }).executor).toBe('shell');
});
