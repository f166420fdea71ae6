import { expect, test } from 'vitest';
import { agentRow } from '#operations/runs/agents.js';

const row = { id: 'agent-7', task_id: 'a', executor: 'shell', status: 'working', started_at: '2026-03-01T10:00:00Z' };

test('how long a run is up is told in seconds, and is never less than none', () => {
  const at = Date.parse(row.started_at);
  expect(agentRow(row as never, at + 90_400)).toEqual({ ...row, pid: null, last_heartbeat: null, uptime: 90 });
  expect(agentRow(row as never, at - 5_000).uptime).toBe(0);
});
