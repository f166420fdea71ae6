import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { Errands } from '#operations/coordinator/errands.js';
import { formationsHost } from '#operations/coordinator/formations-host.js';
import { PeopleNotifier } from '#operations/coordinator/people-notifier.js';
import { placesHost } from '#operations/coordinator/placing.js';
import { WorkflowsHost } from '#operations/coordinator/workflows-host.js';
import { contextOf } from '../../context-of.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const ANN = { name: 'Ann', channel: 'email', contact: 'ann@example.org' } as const;

/** People whose notices are kept, and a room that says what it is told to say. */
function desk(send: (notice: object) => Promise<void>, since?: string) {
  const own = world();
  const errands = new Errands(() => undefined);
  const saved: string[] = [];
  const asked: unknown[] = [];
  const said = { since: 's2', replies: [{ from: '@ann:example.org', text: 'done' }] };
  const read = async (from: unknown) => {
    asked.push(from);
    return said;
  };
  const host = new PeopleNotifier(
    { errands },
    {
      context: contextOf({
        ...{ clock: own.clock, projectFolder: '/work/parser' },
        notifier: async () => ({ send }) as never,
        replies: async () => ({ read }) as never,
      }),
      people: async () => new Map(),
      room: { since, save: (mark) => void saved.push(mark) },
    },
  );
  const facts = async () => (await host.facts({ view: await own.store.view() } as never)).people;
  const answer = async (name: 'tell' | 'read-replies', decision: object) => {
    host.carryOut[name](
      { key: `${name === 'tell' ? 'tell' : 'replies'} x`, ...decision } as never,
      await own.store.view(),
    );
    const [key = ''] = errands.facts().underWay;
    await errands.firstOf([key]);
    const answered = errands.facts().answers.get(key);
    errands.forget(key);
    return answered;
  };
  return { ...own, host, facts, answer, saved, asked, said };
}

verifies(
  'test.bites',
  'who holds what is known from the graph once and from what was handed over, until it is given back',
  async () => {
    const { facts, host, add, set, pass } = desk(async () => undefined);
    const held = { status: 'in-progress', assigned: 'ann', fence: 1, told: { fence: 1 } };
    await add('a', held);
    await add('free', { status: 'in-progress', assigned: 'ben', fence: 1 });
    await add('b', { ...held, status: 'open' });
    expect((await facts()).claimed).toEqual(['a']);
    await set('b', held);
    expect((await facts()).claimed, 'the graph is walked once').toEqual(['a']);
    expect(host.carryOut['hand-over']({ task: 'b' } as never, {} as never)).toBe(0);
    expect((await facts()).claimed).toEqual(['a', 'b']);
    await set('a', { status: 'done' });
    expect((await facts()).claimed).toEqual(['b']);
    await set('a', { ...held, fence: 1 });
    expect((await facts()).claimed, 'it is another claim').toEqual(['b']);
    expect((await facts()).lookAgain).toBe(true);
    host.carryOut['read-replies']({ key: 'replies x' } as never, {} as never);
    expect((await facts()).lookAgain).toBe(false);
    pass(TEAM_LIMITS.repliesEveryMs - 1);
    expect((await facts()).lookAgain).toBe(false);
    pass(1);
    expect((await facts()).lookAgain).toBe(true);
  },
);

verifies(
  'test.bites',
  'a notice goes to the contact of its person; why it did not is an answer with its reason',
  async () => {
    const sent: object[] = [];
    let fault: Error | undefined;
    const { answer, add } = desk(async (notice) => {
      if (fault) throw fault;
      sent.push(notice);
    });
    await add('a');
    const tell = (more: object = {}) => answer('tell', { task: 'a', person: ANN, number: 0, claimedAt: 0, ...more });
    expect(await tell()).toEqual({ of: 'told' });
    expect(sent).toMatchObject([{ to: 'ann@example.org' }]);
    expect(JSON.stringify(sent)).toContain('a-0');
    const error = (text: string) => ({ of: 'error', text });
    expect(await tell({ task: 'gone' })).toEqual(error('the task no longer exists'));
    expect(await tell({ person: { name: 'Ben' } })).toEqual(
      error('Ben has no contact. Run `troupe agency edit agent AGENT --contact ADDRESS`.'),
    );
    expect(await tell({ person: { ...ANN, contact: '' } })).toMatchObject({ of: 'error' });
    fault = new TroupeError('locked', { what: 'No.', why: 'Refused.', hint: 'Ask.' });
    expect(await tell()).toEqual(error('No: Refused.'));
    fault = new TroupeError('internal', { what: 'No.', hint: 'Ask.' });
    expect(await tell()).toEqual(error('No. Ask.'));
    fault = new Error('odd');
    expect(await tell()).toEqual(error('odd'));
    expect(sent).toHaveLength(1);
  },
);

test('whoever never read the room takes no orders from its past', async () => {
  const first = desk(async () => undefined);
  expect(await first.answer('read-replies', {})).toEqual({ of: 'replies', since: 's2', replies: [] });
  expect(first.host.carryOut.heard({ key: 'replies x' } as never, {} as never)).toBe(1);
  expect(first.saved).toEqual([]);
  first.host.carryOut.heard({ key: 'replies x', since: 's2' } as never, {} as never);
  expect(await first.answer('read-replies', {})).toEqual({ of: 'replies', ...first.said });
  expect([first.saved, first.asked]).toEqual([['s2'], [undefined, 's2']]);
  const told = desk(async () => undefined);
  await told.add('a');
  const inRoom = { person: { ...ANN, channel: 'matrix' }, task: 'a', number: 0, claimedAt: 0 };
  for (let time = 0; time < 2; time++) expect(await told.answer('tell', inRoom)).toEqual({ of: 'told' });
  expect([told.saved, told.asked], 'where the room was before the first notice').toEqual([['s2'], [undefined]]);
});

test('what is asked aside is taken down once what follows from it is committed', async () => {
  const { context } = world();
  const errands = new Errands(() => undefined);
  const view = {} as never;
  const places = placesHost({ errands }, async () => ({ of: 'place', after: [], before: [] }));
  expect([await places.facts({} as never), places.carryOut['ask-place']({ task: 'a' } as never, view)]).toEqual([
    { placing: true },
    0,
  ]);
  await errands.firstOf(['place a']);
  expect([...errands.facts().answers.keys()]).toEqual(['place a']);
  expect([places.carryOut.place({ task: 'a' } as never, view), errands.facts().answers.size]).toEqual([1, 0]);
  const workflows = new WorkflowsHost(context, { errands });
  for (const act of ['run-workflow', 'drop-workflow'] as const) {
    const wish = { key: 'workflow x', workflow: 'x' };
    expect(workflows.carryOut['make-workflow']({ wish } as never, view)).toBe(0);
    await errands.firstOf(['workflow x']);
    expect(errands.facts().answers.size).toBe(1);
    workflows.carryOut[act]({ key: 'workflow x' } as never, view);
    expect(errands.facts().answers.size).toBe(0);
  }
  const formations = formationsHost({ errands, onError: () => undefined }, context);
  const tiers = async (executor?: string) => await formations.facts({ clients: { executor } } as never);
  const { tiers: ofClaude } = await tiers('claude');
  expect([ofClaude.length > 0, await tiers()]).toEqual([true, { tiers: [] }]);
});
