import { expect, test } from 'vitest';
import { memberOf, teamSpeaker } from '#operations/teams/speaker.js';
import { chat, say } from '#operations/teams/talk.js';
import { teamFacts } from '#operations/teams/team-facts.js';
import { add, events } from '#operations/teams/teams.js';
import { task } from '#operations/teamwork/team-tasks.js';
import { TeamStage } from '../teamwork/team-stage.js';

async function stage() {
  const own = new TeamStage();
  await own.crew();
  own.person();
  await own.call(task, { team: 'crew', title: 'Fix it', to: 'Hicks' });
  const team = async () => {
    const [label] = await own.teams.labels();
    const found = label && (await own.teams.getTeam(label.id));
    if (!found) throw new Error('there is no team');
    return found;
  };
  const facts = async (fields: object = {}) =>
    await teamFacts(own.context(), await own.graph.view(), { ...(await own.task('fix-it')), ...fields });
  return { own, team, facts };
}

test('what an attempt is told of its team: who it is there, who else is, and its mail', async () => {
  const { own, team, facts } = await stage();
  const whole = {
    ...{ id: (await team()).id, name: 'crew', member: 'Hicks', position: 'member' },
    others: ['@bishop: Bishop, member', '@ripley: Ripley, leader'],
    ...{ strategy: undefined, mail: [] },
  };
  const told = async (fields?: object) => {
    const answer = await facts(fields);
    return answer && { ...answer, others: [...answer.others].sort() };
  };
  expect(await told()).toEqual(whole);
  await own.call(say, { team: 'crew', text: '@hicks look at the seal' });
  const at = new Date(own.now).toISOString();
  const mail = [
    { from: 'ann', at, text: '@hicks look at the seal' },
    { from: 'Troupe', at, text: 'Ripley plans first; @hicks will act by that plan.' },
  ];
  expect(await told()).toEqual({ ...whole, mail });
  expect(await told({ member: 'bishop' })).toMatchObject({ member: 'Bishop', mail: [] });
  for (const none of [
    { team: undefined },
    { member: undefined },
    { member: 'newt' },
    { member: 'gone' },
    { team: 'x' },
  ])
    expect(await facts(none), JSON.stringify(none)).toBeUndefined();
});

test('a person speaks as the member they are, a run as the member of its task, and nobody else', async () => {
  const { own, team } = await stage();
  await own.call(add, { team: 'crew', name: 'Boss', person: 'Ann' });
  const speaker = async () => await teamSpeaker(own.context(), await team());
  expect(await speaker()).toEqual({
    ...{ id: 'human/ann', name: 'Boss', position: 'member', member: 'boss', task: undefined, toldAt: undefined },
  });
  own.person('ben');
  expect(await speaker()).toEqual({
    ...{ id: 'human/ben', name: 'ben', position: null, member: undefined, task: undefined, toldAt: undefined },
  });
  await own.begin('fix-it', 'agent-1');
  expect(await speaker()).toMatchObject({ id: 'crew/hicks', name: 'Hicks', position: 'member', task: 'fix-it' });
  const members = await team();
  expect(['Hicks', 'ripley', 'newt', 'gone', undefined].map((name) => memberOf(members, name)?.name)).toEqual([
    ...['Hicks', 'Ripley', undefined, undefined, undefined],
  ]);
  await own.graph.commit(() => ({
    events: [{ op: 'edit', task_id: 'fix-it', patch: [{ id: 'fix-it', set: { team: 'other' } }] }],
    result: undefined,
  }));
  await expect(speaker()).rejects.toMatchObject({ code: 'not_yours', message: expect.stringContaining('fix-it') });
});

test('what is said and done in a team is read page by page', async () => {
  const { own } = await stage();
  for (const text of ['one', 'two', 'three']) await own.call(say, { team: 'crew', text });
  const said = async (more: { after?: number; limit?: number }) =>
    (await own.call(chat, { team: 'crew', ...more })).messages.map(({ text }) => text);
  expect([await said({}), await said({ limit: 1 })]).toEqual([['one', 'two', 'three'], ['three']]);
  const all = (await own.call(events, { team: 'crew' })).events;
  expect(all.length).toBeGreaterThan(3);
  const later = (await own.call(events, { team: 'crew', after: all[1]?.seq })).events;
  expect(later).toEqual(all.slice(2));
});
