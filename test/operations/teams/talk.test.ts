import { describe, expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { callOperation } from '#operations/call.js';
import { add as addTask } from '#operations/graph/tasks.js';
import { specOf } from '#operations/named.js';
import { conclude, list as sessions, start, turn } from '#operations/teams/sessions.js';
import { planWork, replan, strata } from '#operations/teams/strata.js';
import { chat, say, use } from '#operations/teams/talk.js';
import { add, show } from '#operations/teams/teams.js';
import { task as give } from '#operations/teamwork/team-tasks.js';
import { verifies } from '../../verifies.js';
import { crew } from './crew-stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const PLAN = {
  ...{ objective: 'The airlock holds', approach: 'Mend it', phases: ['mend'], guardrails: ['No pressure'] },
  ...{ assignments: [{ member: 'hicks', work: 'the seal' }], success_criteria: ['it holds'] },
};
const NAME = JSON.stringify({ name: 'Airlock Watch' });

describe('what a team says', () => {
  verifies('strata.first', 'the planning task is one of the graph, and the leader waits for it', async () => {
    const { stage, team, tasks, task } = await crew();
    const said = await stage.call(say, { team: team.name, text: 'Fix the airlock, @Hicks' });
    expect(said).toMatchObject({ status: 'queued', planning: true, woken: ['ripley'] });
    const [planning = '', turnId = ''] = await tasks();
    expect(await tasks()).toHaveLength(2);
    expect(await task(planning)).toMatchObject({
      ...{ team: team.id, member: 'ripley', status: 'open', environment: { IN_TEAM: team.id, IN_VERSION: '1' } },
      exec: '"$TROUPE_BIN" team plan-work "$IN_TEAM" "$IN_VERSION" "$IN_TRY" --quiet',
    });
    expect(await task(turnId)).toMatchObject({ after: [planning], member: 'ripley', team: team.id });
  });

  verifies('strata.first', 'work that is given while the first plan is made comes after it', async () => {
    const { stage, team, plan, task } = await crew(NAME, JSON.stringify(PLAN));
    await stage.call(say, { team: team.id, text: 'Fix the airlock' });
    const { id } = await stage.call(give, { team: team.id, title: 'The seal', to: 'Hicks' });
    expect((await task(id)).after).toEqual([expect.stringMatching(/^\.strata-.*-1-1$/)]);
    await plan();
    const later = await stage.call(give, { team: team.id, title: 'The test', to: 'Hicks' });
    expect((await task(later.id)).after).toBeUndefined();
  });

  verifies(
    'strata.first',
    'a plan is made, and a name found, by a model without tools; then members are called',
    async () => {
      const { stage, team, plan, turnOf, as, task } = await crew(NAME, JSON.stringify(PLAN));
      await stage.call(say, { team: team.id, text: 'Fix the airlock' });
      expect(await plan()).toMatchObject({ team: 'Airlock Watch', strata: { state: 'minted', plan: PLAN } });
      expect(await stage.call(show, { team: 'airlock watch' })).toMatchObject({ id: team.id, name_auto: false });
      const said = await as(await turnOf('-1-1'), () => stage.call(say, { team: team.id, text: '@Hicks, the seal' }));
      expect(said.woken).toEqual(['hicks']);
      expect(await task(await turnOf('-3-1'))).toMatchObject({ member: 'hicks' });
      const shown = await stage.call(strata, { team: team.id });
      expect(shown.text).toContain('Who does what:\n- hicks: the seal');
      expect(shown.in_force?.sha256).toBe(shown.versions[0]?.sha256);
    },
  );

  verifies('team.name.auto', 'without a model, or with an answer of no use, the placeholder stays', async () => {
    for (const answer of [new TroupeError('no_model'), '{"name":"a/b"}']) {
      const { stage, team, plan } = await crew(answer, new TroupeError('no_model'), new TroupeError('no_model'));
      await stage.call(say, { team: team.id, text: 'Fix it' });
      expect(await plan()).toMatchObject({ team: team.name, strata: { state: 'failed' } });
      expect(await stage.call(show, { team: team.id })).toMatchObject({ name: team.name, name_auto: false });
    }
  });

  verifies('strata.once', 'three tries in all; each failure is told and the leader goes on', async () => {
    const offline = Array(12).fill(new TroupeError('no_model'));
    const { stage, team, plan, tasks } = await crew(...offline);
    for (const tries of [1, 2, 3]) {
      expect(await stage.call(say, { team: team.id, text: `Fix it, ${tries}` })).toMatchObject({ planning: true });
      expect(await plan(1, tries)).toMatchObject({ strata: { state: 'failed', tries }, reason: expect.any(String) });
    }
    expect(await stage.call(say, { team: team.id, text: '@Hicks, go' })).toMatchObject({
      planning: false,
      woken: ['ripley'],
    });
    expect((await tasks()).filter((id) => id.startsWith('.strata'))).toHaveLength(3);
    const { messages } = await stage.call(chat, { team: team.id });
    expect(
      messages.filter(({ who, text }) => who.kind === 'system' && text.startsWith('There is no plan')),
    ).toHaveLength(3);
    await stage.call(replan, { team: team.id });
    await expect(stage.call(replan, { team: team.id })).rejects.toThrow(coded('wrong_status'));
    expect(await tasks()).toContainEqual(expect.stringMatching(/^\.strata-.*-2-1$/));
  });

  verifies('strata.once', 'nobody but the run of the planning task makes the plan', async () => {
    const { stage, team, turnOf, as, plan } = await crew(NAME, JSON.stringify(PLAN));
    await stage.call(say, { team: team.id, text: 'Fix it' });
    const attempt = { team: team.id, version: '1', tries: '1' };
    await expect(stage.call(planWork, attempt)).rejects.toThrow(coded('not_yours'));
    await plan();
    await as(await turnOf('-1-1'), () => expect(stage.call(planWork, attempt)).rejects.toThrow(coded('not_yours')));
  });

  test('every message says who, as what, when, about which task and in which thread', async () => {
    const { stage, team, plan, turnOf, as } = await crew(
      NAME,
      '{"objective":"","approach":"","phases":[],"assignments":[],"guardrails":[],"success_criteria":[]}',
    );
    const first = await stage.call(say, { team: team.id, text: 'Fix it' });
    expect(await plan()).toMatchObject({ strata: { state: 'skipped', plan: null } });
    await expect(stage.call(say, { team: team.id, text: 'Seal it', task: 'seal' })).rejects.toMatchObject({
      code: 'unknown_task',
    });
    await stage.call(addTask, { title: 'Seal', id: 'seal' });
    const answer = { team: team.id, text: 'At once', reply_to: first.message_id, task: 'seal' };
    await as(await turnOf('-1-1'), () => stage.call(say, answer));
    const { messages, team: name } = await stage.call(chat, { team: team.id });
    expect(name).toBe('Airlock Watch');
    expect(messages).toMatchObject([
      { number: 1, who: { name: 'Boss', position: 'observer', kind: 'person' }, task: null, thread: first.message_id },
      { number: 2, who: { name: 'Troupe', position: null, kind: 'system' }, type: 'system_notification' },
      {
        ...{ number: 3, who: { name: 'Ripley', position: 'leader', kind: 'agent', id: 'airlock-watch/lead' } },
        ...{ task: 'seal', thread: first.message_id, reply_to: first.message_id, text: 'At once' },
        at: expect.stringMatching(/^2026-/),
      },
    ]);
    // Whoever writes has read what it was told of.
    expect(messages[0]?.to).toEqual([{ member: 'ripley', role: 'to', read_at: expect.any(String) }]);
    expect((await stage.call(chat, { team: team.id, after: 2 })).messages).toHaveLength(1);
    expect((await stage.call(chat, { team: team.id, limit: 1 })).messages).toMatchObject([{ number: 3 }]);
  });

  test('a run speaks as the member whose task it does, and in no other team', async () => {
    const { stage, team, store, as } = await crew();
    const put = { kind: 'task', id: 'other', title: 'Other', status: 'open' } as never;
    await store.commit(() => ({
      events: [{ op: 'add_task', task_id: 'other', patch: [{ id: 'other', put }] }],
      result: 0,
    }));
    const speak = () => stage.call(say, { team: team.id, text: 'I am Ripley' });
    await as('other', () => expect(speak()).rejects.toThrow(coded('not_yours')));
    await expect(stage.call(say, { team: team.id, text: ' ' })).rejects.toThrow(coded('empty_message'));
    await expect(stage.call(say, { team: team.id, text: 'x'.repeat(70_000) })).rejects.toThrow(
      coded('message_too_large'),
    );
    const forged = { team: team.id, text: 'x', type: 'system_notification' };
    await expect(callOperation(specOf('team.say'), stage.context(), forged)).rejects.toThrow(coded('bad_input'));
    expect((await stage.call(chat, { team: team.id })).messages).toEqual([]);
  });

  test('the team one works with is meant where none is named', async () => {
    const { stage, team } = await crew();
    await expect(stage.call(chat, {})).rejects.toThrow(coded('not_found'));
    await stage.call(use, { team: team.name });
    await stage.call(say, { team: '.', text: 'Fix it' });
    expect((await stage.call(chat, {})).messages[0]).toMatchObject({ text: 'Fix it' });
    expect(await stage.call(show, { team: '.' })).toMatchObject({ id: team.id });
  });

  verifies(
    'team.session',
    'the leader has members meet; each turn is theirs alone, and the leader concludes',
    async () => {
      const { stage, team, tasks, as } = await crew();
      await stage.call(add, { team: team.id, name: 'Vasquez' });
      const { session } = await stage.call(start, {
        team: team.id,
        topic: 'The seal',
        with: ['Hicks', 'Vasquez'],
        rounds: 1,
      });
      const turnTask = async () =>
        (await tasks())
          .filter((id) => id.startsWith('.session'))
          .sort()
          .at(-1) ?? '';
      const speak = (text: string) => stage.call(turn, { team: team.id, session: session.id, text });
      await expect(speak('I am nobody')).rejects.toThrow(coded('not_yours'));
      const end = { team: team.id, session: session.id, conclusion: 'Rubber', agreed: ['Hicks'] };
      const after = await as(await turnTask(), async () => {
        await expect(stage.call(conclude, end)).rejects.toThrow(coded('not_yours'));
        return await speak('Rubber');
      });
      expect(after.session).toMatchObject({ next: 'vasquez', turns: [{ n: 1, member: 'hicks', text: 'Rubber' }] });
      expect(await turnTask()).toMatch(/-2$/);
      expect((await stage.call(conclude, end)).session).toMatchObject({
        status: 'concluded',
        outcome: { agreed: ['hicks'] },
      });
      expect((await stage.call(sessions, { team: team.id })).sessions).toMatchObject([
        { status: 'concluded', next: null },
      ]);
    },
  );
});
