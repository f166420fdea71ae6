import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import type { Team } from '#core/teams/team.js';
import { verifies } from '../../verifies.js';
import { CREW, crewMember } from '../teams/crew.js';
import { apply, graphOf, NOW, said, snapshot } from './stage.js';

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
