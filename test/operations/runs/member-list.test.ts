import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { EventDraft } from '#core/graph/event.js';
import type { NodeFields } from '#core/graph/task.js';
import { memberList } from '#operations/runs/member-list.js';
import { confirm } from '#operations/squad/confirm.js';
import { retire, show } from '#operations/squad/members.js';
import { add as remember } from '#operations/squad/memories.js';
import { manual } from '#operations/squad/proposals.js';
import { verifies } from '../../verifies.js';
import { TeamStage } from '../teamwork/team-stage.js';

const HOUR_MS = 60 * 60_000;

async function openStage() {
  const stage = new TeamStage();
  await stage.call(manual, { archetypes: ['backend-engineer', 'writer'], universe: 'The Matrix' });
  await stage.call(confirm);
  await stage.crew();
  const log = (...events: EventDraft[]) => stage.graph.commit(() => ({ events, result: undefined }));
  const add = async (id: string, member: string, set: NodeFields = {}) => {
    await stage.graph.commit((view) =>
      addTask(view, { id, title: `Do ${id}`, member }, { now: stage.now, by: { name: 'ann' } }),
    );
    await log({ op: 'edit', task_id: id, actor: 'ann', patch: [{ id, set }] });
  };
  const run = async (task: string, name: string, usage: object) => {
    await log({ op: 'spawn_agent', task_id: task, actor: name, detail: { run: name, executor: 'claude' }, patch: [] });
    stage.now += 60_000;
    const detail = { run: name, outcome: 'done', usage: { ...usage } };
    await log({ op: 'agent_complete', task_id: task, actor: 'coordinator', detail, patch: [] });
  };
  return { stage, add, run };
}

verifies('web.team', 'members of all teams, with what each does now, its results and what it cost today', async () => {
  const { stage, add, run } = await openStage();
  await add('old', 'Neo', { status: 'done' });
  await run('old', 'agent-1', { input_tokens: 100, output_tokens: 10, cost_usd: 0.5 });
  stage.now += 24 * HOUR_MS;
  await add('parse', 'Neo', { status: 'in-progress', assigned: 'agent-2', started_at: '2026-07-02T10:00:00.000Z' });
  await add('lex', 'neo', { status: 'failed', completed_at: '2026-07-02T09:00:00.000Z' });
  await run('lex', 'agent-3', { input_tokens: 200, cost_usd: 0.25, estimated_usd: 0.25 });
  await add('later', 'Neo');
  await add('seal', 'Hicks');
  await stage.call(remember, { agent: 'Neo', content: 'The tests need Node 20.' });
  const { members } = await stage.call(memberList);
  const named = (name: string) => members.find((member) => member.name === name);
  expect(named('Neo')).toMatchObject({
    ...{ cast: true, role: 'Backend Engineer', status: 'active', lessons: 1, ahead: 1 },
    now: [{ task: 'parse', title: 'Do parse', run: 'agent-2', since: '2026-07-02T10:00:00.000Z' }],
    results: [
      { task: 'lex', status: 'failed' },
      { task: 'old', status: 'done' },
    ],
    today: { tokens: 200, usd: 0.25, estimated: 0.25 },
  });
  expect(named('Neo')).not.toHaveProperty('attempts');
  expect(named('Hicks')).toMatchObject({
    team: 'crew',
    cast: false,
    position: 'member',
    ahead: 1,
    role: null,
    now: [],
  });
  expect(members.filter(({ team }) => team === 'crew').map(({ position }) => position)).toContain('observer');
});

verifies(
  'web.team',
  'of a member that is named, the attempts, the newest first; a name of nobody is refused',
  async () => {
    const { stage, add, run } = await openStage();
    await add('parse', 'Trinity', { status: 'done' });
    await run('parse', 'agent-1', { input_tokens: 1_000, output_tokens: 10 });
    await run('parse', 'agent-2', { input_tokens: 2_000, cost_usd: 0.1 });
    const { members } = await stage.call(memberList, { member: 'trinity' });
    expect(members.map(({ name }) => name)).toEqual(['Trinity']);
    expect(members[0]?.attempts).toMatchObject([
      { run: 'agent-2', task: 'parse', outcome: 'done', tokens: 2_000, cost_usd: 0.1, executor: 'claude', score: null },
      { run: 'agent-1', tokens: 1_010, cost_usd: null },
    ]);
    await expect(stage.call(memberList, { member: 'Smith' })).rejects.toThrow(
      expect.objectContaining({ code: 'agent_unknown' }),
    );
  },
);

verifies('web.team', 'what a later call reads is added to what was read before, and former members stay', async () => {
  const { stage, add, run } = await openStage();
  await add('parse', 'Trinity', { status: 'done' });
  await run('parse', 'agent-1', { cost_usd: 0.1 });
  const cost = async () => (await stage.call(memberList, { member: 'Trinity' })).members[0]?.today.usd;
  expect(await cost()).toBeCloseTo(0.1);
  await run('parse', 'agent-2', { cost_usd: 0.2 });
  expect(await cost()).toBeCloseTo(0.3);
  await stage.call(retire, { member: 'Trinity' });
  const { members } = await stage.call(memberList, { member: 'Trinity' });
  expect(members).toMatchObject([{ status: 'removed', role: 'Writer' }]);
});

verifies('web.team', 'the page of a member says how it works: skills, tools, and the client', async () => {
  const { stage } = await openStage();
  const { works } = await stage.call(show, { member: 'Neo' });
  expect(works).toMatchObject({
    role: 'Backend Engineer',
    exec_mode: 'full',
    skills: expect.arrayContaining(['api-design']),
  });
});
