import { expect } from 'vitest';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { statusNow } from '#operations/insight/now.js';
import { ALIKE_ROWS } from '#operations/insight/now-alike.js';
import { problems } from '#operations/insight/problems.js';
import type { Context } from '#operations/operation.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const asRun = (context: Context): Context => ({
  ...context,
  caller: { kind: 'run', name: 'agent-9', taskId: 'other', fence: 1 },
});

verifies(
  'web.now.acts',
  'a row says what a decision needs: criterion, check, cost, question; and which acts there are',
  async () => {
    const own = world();
    await own.add('review', {
      ...{ status: 'pending-validation', fence: 1, assigned: 'agent-1', started_at: '2026-03-01T09:00:00Z' },
      ...{ verify: 'Reads\n well', evidence: { verify_cmd: 'npm test', exit: 0, ms: 3_000 } },
      token_usage: { input_tokens: 1_000, output_tokens: 200, cost_usd: 0.04, estimated_usd: 0.01 },
    });
    await own.add('bare', { status: 'pending-validation', started_at: '2026-03-01T09:01:00Z' });
    await own.add('asks', {
      ...{ status: 'waiting', checkpoint: 'Which\n grammar?' },
      wait_condition: { mode: 'all', since: '2026-03-01T09:30:00Z', conditions: [{ type: 'human-input' }] },
    });
    await own.add('crew', { paused: true, formation_gate: { run: 'crew-1', command: 'start' } });
    const { needs_you } = await statusNow.run(own.context, {});
    expect(needs_you.rows).toEqual([
      {
        ...{ id: 'review', title: 'review', state: 'pending-validation', reason: 'needs review before it is done' },
        ...{ acts: ['approve', 'reject'], criterion: 'Reads well', since: '2026-03-01T09:00:00Z' },
        check: { command: 'npm test', passed: true, text: 'passed in 3s' },
        used: { tokens: 1_200, usd: 0.04, estimated: 0.01 },
      },
      {
        ...{ id: 'bare', title: 'bare', state: 'pending-validation', reason: 'needs review before it is done' },
        ...{ acts: ['approve', 'reject'], since: '2026-03-01T09:01:00Z' },
      },
      {
        ...{ id: 'asks', title: 'asks', state: 'waiting', acts: ['answer'], question: 'Which grammar?' },
        ...{ since: '2026-03-01T09:30:00Z', reason: 'it asks: Which grammar? (`troupe answer asks "…"`)' },
      },
      {
        ...{ id: 'crew', title: 'crew', state: 'open', formation: 'crew-1', command: 'troupe playbook accept crew-1' },
        reason: 'it waits for `troupe playbook accept crew-1`',
      },
    ]);
    const seen = await statusNow.run(asRun(own.context), {});
    expect(seen.needs_you.rows.flatMap(({ acts }) => acts ?? [])).toEqual([]);
  },
);

verifies('web.now.group', 'failures with one reason are a group, and leave room for the rows of others', async () => {
  const own = world();
  const count = SURFACE_LIMITS.statusRows + 10;
  for (let number = 0; number < count; number++)
    await own.add(`f${String(number).padStart(3, '0')}`, {
      ...{ status: 'failed', failure_reason: `agent-${number + 1}: the key is refused` },
      completed_at: new Date(Date.parse('2026-03-01T09:00:00Z') + number * 1_000).toISOString(),
    });
  for (const id of ['g1', 'g2', 'g3']) await own.add(id, { status: 'blocked' });
  await own.add('last', { status: 'failed', failure_reason: 'red', completed_at: '2026-03-01T09:59:00Z' });
  const { needs_you, alike } = await statusNow.run(own.context, {});
  expect(alike).toMatchObject([
    { act: 'reopen', state: 'blocked', ids: ['g1', 'g2', 'g3'], total: 3 },
    { act: 'retry', state: 'failed', reason: 'the key is refused', total: count, since: '2026-03-01T09:00:00.000Z' },
  ]);
  expect(alike[1]?.ids).toHaveLength(count);
  expect(needs_you.total).toBe(count + 4);
  expect(needs_you.rows.filter(({ reason }) => reason?.includes('key'))).toHaveLength(ALIKE_ROWS);
  expect(needs_you.rows.at(-1)?.id).toBe('last');
  expect((await statusNow.run(asRun(own.context), {})).alike).toEqual([]);
});

verifies('web.now.acts', 'a problem that an act of a person ends names it; to a run it names none', async () => {
  const own = world();
  await own.add('draft', { paused: true });
  const { problems: rows } = await problems.run(own.context, {});
  expect(rows).toMatchObject([{ kind: 'parked', task: 'draft', acts: ['resume'], command: 'troupe resume draft' }]);
  const [seen] = (await problems.run(asRun(own.context), {})).problems;
  expect(seen).not.toHaveProperty('acts');
});
