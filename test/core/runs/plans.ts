import { NO_PARTS } from '#core/runs/own-parts.js';
import type { ExecutorPlan } from '#core/runs/plan.js';

/** A plan as dispatch creates it, with the changes of a test. */
export function planOf(changes: Partial<ExecutorPlan> = {}): ExecutorPlan {
  return {
    taskId: 'write-it',
    runId: 'agent-7',
    model: 'm1',
    mode: 'full',
    sessionId: '0b1c2d3e-0000-4000-8000-000000000001',
    project: '/work/project',
    folder: '/work/project/tree',
    runFolder: '/work/project/.workgraph/agents/agent-7',
    tools: { command: '/opt/troupe', args: ['mcp'] },
    prompt: 'Write it.\n',
    agents: {},
    allowUnsafe: false,
    own: { act: true, parts: NO_PARTS },
    ...changes,
  };
}
