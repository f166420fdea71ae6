import { expect, test } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { Team } from '#core/teams/team.js';
import { verifies } from '../../verifies.js';
import { CREW, crewMember } from '../teams/crew.js';
import { apply, fact, graphOf, NOW, said, snapshot } from './stage.js';

const free = (id: string, more: object = {}) => ({ id, team: CREW.id, verify: 'The leader accepts it.', ...more });
const season = (team: Team, ...tasks: Parameters<typeof graphOf>) => {
  const graph = graphOf(...tasks);
  const tick = () => {
    const decisions = decide(
      snapshot(graph, { executor: 'claude', maxAgents: 9, teams: new Map([[team.id, team]]) }),
      NOW,
    );
    apply(graph, decisions);
    return said(decisions).map((line) => line.split(' ').slice(0, 2).join(' '));
  };
  return { graph, tick };
};

verifies('who.free', 'ready work of a team that is nobody’s goes to the member with least in hand, then starts', () => {
  const { graph, tick } = season(
    CREW,
    free('a'),
    free('b'),
    free('later', { after: ['a'] }),
    free('own', { member: 'hicks' }),
  );
  expect(tick()).toEqual(['take-work', 'take-work', 'dispatch a', 'dispatch b', 'dispatch own']);
  expect(graph.task('a')).toMatchObject({ member: 'vasquez' });
  expect(graph.task('a')?.log?.at(-1)).toMatchObject({ actor: 'coordinator', message: 'Vasquez takes it' });
  expect(['a', 'b'].map((id) => graph.task(id)?.member)).toEqual(['vasquez', 'hicks']);
  expect(graph.task('later')?.member).toBeUndefined();
});

verifies(
  'who.free',
  'where only people could take it, it waits for one; a leader takes it where nobody else can',
  () => {
    const people = {
      ...CREW,
      members: [crewMember('Ripley', 'leader', { person: 'ann' }), crewMember('Hicks', 'member', { person: 'bo' })],
    };
    expect(season(people, free('a')).tick()).toEqual([]);
    const alone = { ...CREW, members: [crewMember('Ripley', 'leader'), crewMember('Newt', 'observer')] };
    const { graph, tick } = season(alone, free('a'));
    expect(tick()).toEqual(['take-work', 'dispatch a']);
    expect(graph.task('a')?.member).toBe('ripley');
    expect(season({ ...CREW, status: 'archived' }, free('a')).tick()).toEqual([]);
  },
);

const waiting = (id: string, more: object = {}) =>
  free(id, { status: 'pending-validation', member: 'hicks', fence: 2, ...more });
const decided = (tasks: Parameters<typeof graphOf>, more: object = {}) => {
  const graph = graphOf(...tasks);
  return { graph, decisions: decide(snapshot(graph, { teams: new Map([[CREW.id, CREW]]), ...more }), NOW) };
};

test('what a member handed in goes to the leader, all of it known, in the order of ids', () => {
  const handed = { artifact: 'a-1', title: 'Log', sha256: 'f00', summary: 'Sealed', fence: 2 };
  const { graph, decisions } = decided([waiting('b'), waiting('a', { deliverable: handed })]);
  expect(decisions.map(({ events: _, ...decision }) => decision)).toEqual([
    { do: 'ask-review', task: '.review-a-1', about: 'a', reason: 'Ripley is asked to review a' },
    { do: 'ask-review', task: '.review-b-1', about: 'b', reason: 'Ripley is asked to review b' },
  ]);
  apply(graph, decisions);
  expect(graph.task('.review-a-1')).toMatchObject({
    ...{ kind: 'task', title: 'Review a: a', status: 'open', exec_mode: 'light', tags: ['review'] },
    ...{ created_at: '2026-03-21T10:00:00.000Z', created_by: 'coordinator', team: CREW.id, member: 'ripley' },
    reviews: { task: 'a', fence: 2 },
    description: [
      'Task a, attempt 2, by hicks.',
      'What to look at: The leader accepts it.',
      'Deliverable: Log',
      'Artifact a-1, SHA-256 f00',
      'Summary: Sealed',
    ].join('\n'),
  });
  expect(graph.task('.review-b-1')?.description).toContain('No artifact was submitted');
  expect(graph.task('a')).toMatchObject({ status: 'pending-validation', review_task: '.review-a-1' });
});

test('nobody is asked about what a run is still at, what a person decides, and the leader’s own work', () => {
  const asked = (tasks: Parameters<typeof graphOf>, more?: object) => said(decided(tasks, more).decisions);
  const runs = (more: object) => ({ runs: [fact('agent-1', 'a', { fence: 2, ...more })] });
  expect(asked([waiting('a')])).toEqual(['ask-review']);
  expect(asked([waiting('a')], runs({}))).not.toContain('ask-review');
  expect(asked([waiting('a')], runs({ alive: false }))).toContain('ask-review');
  expect(asked([waiting('a')], { escalation: { review: 'always', plan: 'never' } })).toEqual([]);
  expect(asked([waiting('a')], { escalation: { review: 'never', plan: 'always' } })).toEqual(['ask-review']);
  expect(asked([waiting('a', { member: 'ripley' })])).toEqual([]);
  expect(asked([waiting('a', { team: 'other' })])).toEqual([]);
  expect(asked([waiting('a')], { teams: new Map() })).toEqual([]);
});

test('a review is asked for while none is open, and no more often than an attempt is worth', () => {
  const review = (number: number, more: object = {}) => ({
    ...{ id: `.review-a-${number}`, status: 'failed' as const, team: CREW.id, member: 'ripley', paused: true },
    ...{ reviews: { task: 'a', fence: 2 }, ...more },
  });
  const asked = (...reviews: Parameters<typeof graphOf>) =>
    decided([waiting('a', { review_task: '.review-a-1' }), ...reviews]).decisions.flatMap((one) =>
      one.do === 'ask-review' ? [one.task] : [],
    );
  expect(asked(review(1, { status: 'open' }))).toEqual([]);
  expect(asked(review(1))).toEqual(['.review-a-2']);
  expect(asked(review(1), review(2))).toEqual([]);
  expect(asked(review(1, { reviews: { task: 'a', fence: 1 } }), review(2)), 'of an earlier attempt').toEqual([
    '.review-a-3',
  ]);
});

test('teams are told what became of their work where an entry came since', () => {
  const told = (followed: number | undefined) =>
    said(decided([waiting('a')], { teams: new Map(), followed }).decisions);
  const { teamSeq } = decided([waiting('a')]).graph;
  expect(told(undefined)).toEqual([]);
  expect(told(teamSeq)).toEqual([]);
  expect(told(teamSeq - 1)).toEqual(['follow-work']);
});
