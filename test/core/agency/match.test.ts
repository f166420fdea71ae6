import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { assignTask } from '#core/agency/assign.js';
import { choose } from '#core/agency/choose.js';
import type { Agent, Entity } from '#core/agency/entities.js';
import { type Load, matchesOf } from '#core/agency/match.js';
import { performanceFrom } from '#core/agency/read.js';
import type { Task } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';
import { agent, role, tradeoff } from './people.js';

const coded = (code: string) => expect.objectContaining({ code });
const NO_LOAD: Load = { running: new Map(), open: new Map() };
const pair = (name: string, more: Parameters<typeof agent>[1] = {}, scores: readonly number[] = []) =>
  agent(name, { role_id: role(name).id, ...more }, scores);
const namesOf = (entities: readonly Entity[], skills: readonly string[], load = NO_LOAD) =>
  matchesOf(new Agency(entities), { skills }, load).map(({ agent_name, score }) => [agent_name, score]);

verifies(
  ['match.score', 'agency.trust'],
  'skills among the capabilities, one more for the trusted; room, mean and id decide ties',
  () => {
    const rusty = pair('Rusty', { capabilities: ['Rust', 'testing'] });
    const trusted = pair('Trusted', { capabilities: ['rust'], trust_level: 'verified' });
    const stranger = pair('Stranger', { capabilities: ['rust'], trust_level: 'unknown' });
    const plain = pair('Plain', { capabilities: ['rust'] }, [0.4]);
    const other = pair('Other', { capabilities: ['go'] });
    const all = [rusty, trusted, stranger, plain, other];
    const found = namesOf(all, ['RUST', 'testing']);
    expect(found.slice(0, 2).map(([, score]) => score)).toEqual([2, 2]);
    // no penalty for whom nobody knows, but a mean score counts more than none
    expect(found.slice(2)).toEqual([
      ['Plain', 1],
      ['Stranger', 1],
    ]);
    const [first] = matchesOf(new Agency([rusty]), { skills: ['RUST', 'docs'] }, NO_LOAD);
    expect(first).toEqual({
      agent_id: rusty.id,
      agent_name: 'Rusty',
      score: 1,
      matched_skills: ['RUST'],
      missing_skills: ['docs'],
      trust_level: 'provisional',
      available: true,
    });
    // whoever has room goes before whoever has none
    const busy: Load = { running: new Map([[plain.id, 1]]), open: new Map() };
    expect(namesOf([plain, stranger], ['rust'], busy)[0]).toEqual(['Stranger', 1]);
    const roomy = { ...plain, capacity: 2 } as Agent;
    expect(namesOf([roomy, stranger], ['rust'], busy)[0]).toEqual(['Plain', 1]);
    // without skills everybody is a match; the id decides at last
    expect(namesOf(all, [])).toHaveLength(5);
    const equal = [pair('A'), pair('B'), pair('C')];
    expect(matchesOf(new Agency(equal), {}, NO_LOAD).map(({ agent_id }) => agent_id)).toEqual(
      equal.map(({ id }) => id).sort(),
    );
    // one whose role is out of use takes nothing
    expect(namesOf([plain, { ...role('Plain'), retired: true }], ['rust'])).toEqual([]);
  },
);

verifies('assign.auto', 'match order, then the pair on like tasks, then who has least to do; never by chance', () => {
  const view = graphOf({ id: 't', tags: ['x'] }, { id: 'before', status: 'done', tags: ['x'] });
  const task = view.task('t') as Task;
  const careful = tradeoff('Careful');
  const reference = (score: number) =>
    performanceFrom([{ score, task_id: 'before', timestamp: '2026-01-01T00:00:00.000Z', context_id: careful.id }]);
  const roles = ['A', 'B', 'C'].map((name) => role(name));
  const agents = roles.map(({ name }) => pair(name, { role_id: role(name).id }));
  const chosen = (entities: readonly Entity[], load = NO_LOAD) =>
    choose(new Agency(entities), view, task, load).agent.name;
  const least = [...agents].sort((left, right) => (left.id < right.id ? -1 : 1))[0]?.name;
  expect(chosen([...roles, ...agents])).toBe(least);
  expect(chosen([...[...roles, ...agents].reverse()])).toBe(least);
  for (const one of roles) {
    const scored = roles.map((other) => ({ ...other, performance: reference(other === one ? 0.9 : 0.2) }));
    expect(chosen([...scored, ...agents])).toBe(one.name);
    const open = new Map(agents.map(({ id, name }) => [id, name === one.name ? 0 : 2]));
    expect(chosen([...roles, ...agents], { running: new Map(), open })).toBe(one.name);
  }
  expect(() => chosen([])).toThrow(coded('no_candidate'));
  expect(() => choose(new Agency(agents), view, { ...task, skills: ['q'] }, NO_LOAD)).toThrow(coded('no_candidate'));
});

verifies('assign.explore', 'every twentieth goes to the pair with the fewest scores among equals', () => {
  const view = graphOf({ id: 't' });
  const task = view.task('t') as Task;
  const known = pair('Known', {}, [0.9, 0.9]);
  const fresh = pair('Fresh');
  const weak = pair('Weak', {}, [0.1]);
  const pick = (assignments: number, agents: readonly Agent[]) =>
    choose(new Agency(agents, [], assignments), view, task, NO_LOAD);
  for (const count of [0, 1, 18, 20, 38])
    expect(pick(count, [known, fresh, weak])).toMatchObject({ agent: known, exploration: false });
  for (const count of [19, 39]) {
    const { agent: taken, exploration, reason } = pick(count, [known, fresh, weak]);
    expect([taken.name, exploration]).toEqual(['Fresh', true]);
    expect(reason).toContain('exploration');
  }
  // only among equals
  const best = { ...known, trust_level: 'verified' as const };
  expect(pick(19, [best, fresh])).toMatchObject({ agent: best, exploration: false });
});

verifies(['assign.manual', 'claim.not-assignment'], 'assigning says who it is for and nothing else', () => {
  const ann = agent('Ann');
  const view = graphOf({ id: 't', status: 'in-progress', assigned: 'agent-1', fence: 2 }, { id: 'd', status: 'done' });
  const options = { now: Date.parse('2026-03-01T10:00:00Z'), by: { name: 'bo' } };
  const plan = assignTask(view, 't', { agent: ann, reason: 'because' }, options);
  expect(plan.events).toMatchObject([
    {
      op: 'assign',
      task_id: 't',
      patch: [{ id: 't', set: { agent: ann.id }, log: [{ message: expect.stringContaining('because') }] }],
    },
  ]);
  expect(Object.keys((plan.events[0]?.patch[0] as { set?: object } | undefined)?.set ?? {})).toEqual(['agent']);
  expect(() => assignTask(view, 'd', { agent: ann }, options)).toThrow(coded('terminal_task'));
  expect(() => assignTask(view, 'no', { agent: ann }, options)).toThrow(coded('unknown_task'));
  const run = { name: 'agent-1', fence: 2, taskId: 't' };
  expect(() => assignTask(view, 't', { agent: ann }, { ...options, by: run })).toThrow(coded('not_yours'));
  const had = graphOf({ id: 't', agent: ann.id });
  expect(assignTask(had, 't', { agent: ann }, options).events).toEqual([]);
  expect(assignTask(had, 't', undefined, options).events).toMatchObject([
    { op: 'unassign', patch: [{ unset: ['agent'] }] },
  ]);
});
