import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { assign } from '#operations/agency/assign.js';
import { agencyRemove, agentCreate, roleAdd } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { verifies } from '../../verifies.js';
import { stage } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });
const bad = new TroupeError('bad_model_answer');

/** Two who could do anything, the first of whom the rules choose, and a model with these answers. */
async function pool(answersFor: (ids: readonly [string, string]) => readonly (string | TroupeError)[]) {
  const chosen: unknown[] = [];
  let model = new ScriptedModel([]);
  const own = await stage({
    model: async (choice) => {
      chosen.push(choice);
      return model;
    },
  });
  await own.call(agencyInit);
  const make = async (name: string, tradeoff: string, trust_level: string) =>
    (await own.call(agentCreate, { name, role: 'Programmer', tradeoff, trust_level })).id;
  const ids = [await make('First', 'Fast', 'verified'), await make('Second', 'Careful', 'provisional')] as const;
  model = new ScriptedModel(answersFor(ids));
  await own.put('t', { description: 'Parse it.' });
  const task = async () => (await own.store.view()).task('t');
  return { ...own, model, chosen, ids, task };
}
const names = (agent: string, more: object = {}) => JSON.stringify({ agent, reason: 'Takes its time.', ...more });

verifies('assign.auto', 'a candidate that a model names gets the task, with its reason in the log', async () => {
  const { call, configure, model, chosen, ids, task, store } = await pool(([, second]) => [
    names(second.slice(0, 8), { exec_mode: 'light', context_scope: 'graph' }),
  ]);
  configure({ agency: { assigner_provider: 'scripted', assigner_model: 'm-3' } });
  expect(await call(assign, { id: 't', auto: true })).toMatchObject({
    agent_id: ids[1],
    chosen_by: 'model',
    reason: expect.stringContaining('Takes its time.'),
  });
  expect(chosen).toEqual([{ provider: 'scripted', model: 'm-3', orClient: false }]);
  expect(model.asked).toHaveLength(1);
  expect(model.asked[0]).toMatchObject({ purpose: 'assigner', prompt: expect.stringContaining('Parse it.') });
  expect(await task()).toMatchObject({ agent: ids[1], exec_mode: 'light', context_scope: 'graph' });
  expect((await task())?.log?.at(-1)?.message).toMatch(/^Assigned to Second .*a model chose: Takes its time\.$/);
  await store.close();
});

verifies('assign.auto', 'any other answer, and no model, leave it to the rules, which say so', async () => {
  const odd = ['Second, of course', names('f'.repeat(64)), names('Second'), '{"agent":1}', bad];
  const { call, model, ids, task, store } = await pool(() => odd);
  for (const [index, said] of odd.entries()) {
    const answer = await call(assign, { id: 't', auto: true });
    expect(answer, String(said)).toMatchObject({ agent_id: ids[0], chosen_by: 'rules' });
    const why = said === bad ? 'the model did not answer' : 'the model named none of the candidates';
    expect(answer.reason).toBe(
      `nothing in the task speaks for anyone; is trusted; has room; 0.50 expected after 0 scores; ${why}`,
    );
    expect(model.asked).toHaveLength(index + 1);
    expect((await task())?.log?.at(-1)?.message).toContain(why);
    await call(assign, { id: 't', clear: true });
  }
  await store.close();
  const spent = await pool(() => [new TroupeError('budget_spent')]);
  expect(await spent.call(assign, { id: 't', auto: true })).toMatchObject({
    agent_id: spent.ids[0],
    reason: expect.stringContaining('the budget leaves nothing for a model'),
  });
  await spent.store.close();
  const none = await pool(() => []);
  expect(await none.call(assign, { id: 't', auto: true })).toMatchObject({
    agent_id: none.ids[0],
    chosen_by: 'rules',
    reason: 'nothing in the task speaks for anyone; is trusted; has room; 0.50 expected after 0 scores',
  });
  expect(none.model.asked).toEqual([]);
  await none.store.close();
});

verifies(
  'assign.auto',
  'nobody is asked in vain; no more than twenty are named; one who left meanwhile gets nothing',
  async () => {
    const { call, model, put, as, ids, store } = await pool(([, second]) => [names(second), names(second)]);
    await put('over', { status: 'done' });
    await expect(call(assign, { id: 'over', auto: true })).rejects.toThrow(coded('terminal_task'));
    await put('mine', { status: 'in-progress', assigned: 'agent-9', fence: 1 });
    as({ kind: 'run', name: 'agent-9', taskId: 'mine', fence: 1 });
    await expect(call(assign, { id: 't', auto: true })).rejects.toThrow(coded('not_yours'));
    as({ kind: 'person', name: 'ann' });
    await put('odd', { skills: ['alchemy'] });
    await call(agentCreate, { name: 'Alchemist', role: 'Reviewer', tradeoff: 'Fast', capabilities: ['alchemy'] });
    await call(assign, { id: 'odd', auto: true });
    expect(model.asked, 'one candidate is no choice').toEqual([]);
    const complete = model.complete.bind(model);
    model.complete = async (question) => {
      await call(agencyRemove, { kind: 'agent', id: ids[1] });
      return await complete(question);
    };
    expect(await call(assign, { id: 't', auto: true })).toMatchObject({
      agent_id: ids[0],
      chosen_by: 'rules',
      reason: expect.stringContaining('no longer a candidate'),
    });
    model.complete = complete;
    for (let number = 0; number < TEAM_LIMITS.assignmentCandidates + 3; number++) {
      await call(roleAdd, { name: `R${number}`, description: `Does ${number}.`, outcome: 'Done.' });
      await call(agentCreate, { name: `A${number}`, role: `R${number}`, tradeoff: 'Fast' });
    }
    await put('many');
    await call(assign, { id: 'many', auto: true });
    const rows = model.asked
      .at(-1)
      ?.prompt.split('\n')
      .filter((line) => line.includes(' | role: '));
    expect(rows).toHaveLength(TEAM_LIMITS.assignmentCandidates);
    expect(rows?.[0]).toContain('First');
    await store.close();
  },
);
