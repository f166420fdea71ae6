import path from 'node:path';
import { expect, test } from 'vitest';
import { failTask } from '#core/graph/moves.js';
import { TroupeError } from '#kernel/errors.js';
import { agentCreate, roleAdd, tradeoffAdd } from '#operations/agency/entities.js';
import { cancel, conclude, list, show as showSession, start, turn } from '#operations/teams/sessions.js';
import { planWork, replan, strata } from '#operations/teams/strata.js';
import { chat, say } from '#operations/teams/talk.js';
import { add, events } from '#operations/teams/teams.js';
import { crew } from './crew-stage.js';

const golden = (name: string) => path.join(import.meta.dirname, `golden/${name}.txt`);
const PLAN = {
  ...{ objective: 'The airlock holds', approach: 'Mend it', phases: ['mend'], guardrails: ['No pressure'] },
  ...{ assignments: [{ member: 'hicks', work: 'the seal' }], success_criteria: ['it holds'] },
};
const NAME = JSON.stringify({ name: 'Airlock Watch' });

/** What was answered, or all that a refusal says, under a title each. */
function record() {
  const told: string[] = [];
  const tell = async <Answer>(title: string, work: () => Promise<Answer>): Promise<Answer | undefined> => {
    try {
      const answer = await work();
      told.push(`# ${title}\n${JSON.stringify(answer, undefined, 1)}`);
      return answer;
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      const { code, message, hint, details } = error;
      told.push(`# ${title}\nrefused ${code}: ${message} | ${hint ?? ''} | ${JSON.stringify(details)}`);
      return undefined;
    }
  };
  return { told, tell, text: () => `${told.join('\n')}\n` };
}

test('a team plans: what its leader is asked, what is answered, and what is read of it', async () => {
  const { stage, model, team, plan, as, tasks } = await crew(NAME, JSON.stringify(PLAN), '{}', '{}');
  const { tell, told, text } = record();
  const role = await stage.call(roleAdd, { name: 'Medic', description: 'Keeps them well.', outcome: 'Health' });
  const tradeoff = await stage.call(tradeoffAdd, { name: 'Careful', description: 'Slow is safe.' });
  const medic = { name: 'Bishop', executor: 'shell', role: role.id, tradeoff: tradeoff.id };
  const agent = await stage.call(agentCreate, medic);
  await stage.call(add, { team: team.id, name: 'Bishop', agent: agent.id });
  await tell('before anything was said', () => stage.call(strata, { team: team.id }));
  await tell('the first message', () => stage.call(say, { team: team.id, text: 'Fix the airlock', cc: ['Boss'] }));
  await tell('while it is made', () => stage.call(strata, { team: team.id }));
  await tell('made', () => plan());
  // How it is asked is a matter of the wording; what it is told of the team is ours.
  for (const { purpose, prompt } of model.asked)
    told.push(`# told for ${purpose}\n${prompt.slice(prompt.indexOf('\n<<<')).replaceAll(/data-[\w-]+/g, 'data')}`);
  await tell('in force', () => stage.call(strata, { team: team.id }));
  await tell('another', () => stage.call(replan, { team: team.id }));
  const planning = (await tasks()).find((id) => id.startsWith('.strata') && id.endsWith('-2-1')) ?? '';
  await as(planning, async () => {
    await tell('a try that is not under way', () => stage.call(planWork, { team: team.id, version: '2', tries: '2' }));
    await tell('no plan', () => stage.call(planWork, { team: team.id, version: '2', tries: '1' }));
    await tell('again', () => stage.call(planWork, { team: team.id, version: '2', tries: '1' }));
  });
  await tell('the one before holds', () => stage.call(strata, { team: team.id }));
  await tell('what was said', () => stage.call(chat, { team: team.id }));
  await tell('what was done', () => stage.call(events, { team: team.id }));
  await expect(text()).toMatchFileSnapshot(golden('planned'));
});

test('a plan whose task ended without a word has failed, and the next message begins another', async () => {
  const { stage, store, team, tasks } = await crew();
  const states = async () =>
    (await stage.call(strata, { team: team.id })).versions.map(({ state, tries }) => `${state} ${tries}`);
  const speak = async () => (await stage.call(say, { team: team.id, text: 'Fix it' })).planning;
  const ends = (end: string) =>
    store.commit((view) =>
      failTask(view, [...view.nodes()].find(({ id }) => id.startsWith('.strata') && id.endsWith(end))?.id ?? '', {
        ...{ now: stage.now, by: { name: 'ann' }, reason: 'no luck' },
      }),
    );
  expect([await speak(), await states()]).toEqual([true, ['planning 1']]);
  expect([await speak(), await states()]).toEqual([false, ['planning 1']]);
  await ends('-1-1');
  expect([await speak(), await states()]).toEqual([true, ['planning 2']]);
  expect((await tasks()).filter((id) => id.startsWith('.strata'))).toHaveLength(2);
});

test('a plan whose task left the graph is still waited for', async () => {
  const { stage, store, team, tasks } = await crew();
  const speak = async () => (await stage.call(say, { team: team.id, text: 'Fix it' })).planning;
  expect(await speak()).toBe(true);
  const id = (await tasks()).find((one) => one.startsWith('.strata')) ?? '';
  await store.commit(() => ({ events: [{ op: 'x', task_id: id, patch: [{ id, del: true }] }], result: undefined }));
  expect(await tasks()).not.toContain(id);
  expect([await speak(), (await stage.call(strata, { team: team.id })).versions.map(({ state }) => state)]).toEqual([
    ...[false, ['planning']],
  ]);
});

test('every step of a session, as it is answered, and who may not take it', async () => {
  const { stage, team, tasks, as } = await crew();
  const { tell, text } = record();
  await stage.call(add, { team: team.id, name: 'Vasquez' });
  await stage.call(add, { team: team.id, name: 'Ann', person: 'ann' });
  const opened = await tell('opened', () =>
    stage.call(start, { team: team.id, topic: 'The seal', with: ['Hicks', 'Vasquez'], rounds: 1 }),
  );
  const id = opened?.session.id ?? '';
  const named = { team: team.id, session: id };
  const other = await stage.call(start, { team: team.id, topic: 'The door', with: ['Vasquez', 'Hicks'] });
  const turnTask = async () => (await tasks()).find((one) => one.startsWith('.session')) ?? '';
  const speak = (words: string) => stage.call(turn, { ...named, text: words });
  await tell('a person of the team speaks', () => speak('I am Ann'));
  stage.caller = { kind: 'person', name: 'ben' };
  await tell('a person who is not on it speaks', () => speak('I am Ben'));
  await as(await turnTask(), async () => {
    await tell('a member cancels', () => stage.call(cancel, named));
    await tell('a member concludes', () => stage.call(conclude, { ...named, conclusion: 'Rubber' }));
    await tell('a member opens another', () =>
      stage.call(start, { team: team.id, topic: 'Me', with: ['Hicks', 'Vasquez'] }),
    );
    await tell('a member speaks', () => speak('Rubber'));
  });
  await tell('concluded', () => stage.call(conclude, { ...named, conclusion: 'Rubber', dissent: 'steel' }));
  await tell('shown', () => stage.call(showSession, named));
  await tell('shown, of another id', () => stage.call(showSession, { ...named, session: `${'x'.repeat(200)}` }));
  await tell('cancelled', () => stage.call(cancel, { team: team.id, session: other.session.id }));
  const sessions = await stage.call(list, { team: team.id });
  expect(sessions.sessions.map(({ topic, status }) => `${topic} ${status}`)).toEqual([
    ...['The door cancelled', 'The seal concluded'],
  ]);
  await expect(text()).toMatchFileSnapshot(golden('sessions'));
});

test('a page has at least one row and at most so many', async () => {
  const { stage, team } = await crew();
  for (const text of ['one', 'two']) await stage.call(say, { team: team.id, text });
  const rows = async (limit: number) => [
    (await stage.call(chat, { team: team.id, limit })).messages.length,
    (await stage.call(events, { team: team.id, limit })).events.length,
  ];
  expect([await rows(1), await rows(2), await rows(1_000_000)]).toEqual([
    ...[
      [1, 1],
      [2, 2],
    ],
    ...[[2, 5]],
  ]);
  for (const limit of [-1, 0]) await expect(rows(limit)).rejects.toThrow('too_small');
});
