import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { assignTask } from '#core/agency/assign.js';
import { choose } from '#core/agency/choose.js';
import type { Agent, Entity } from '#core/agency/entities.js';
import { type AgentLoad, matchesOf } from '#core/agency/match.js';
import { performanceFrom } from '#core/agency/read.js';
import { SERVICE_ROLES } from '#core/agency/starters.js';
import type { Task } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';
import { agent, role, TERMS, tradeoff } from './people.js';

const coded = (code: string) => expect.objectContaining({ code });
const NO_LOAD: AgentLoad = { running: new Map(), open: new Map() };
const pair = (name: string, more: Parameters<typeof agent>[1] = {}, scores: readonly number[] = []) =>
  agent(name, { role_id: role(name).id, ...more }, scores);
const namesOf = (entities: readonly Entity[], skills: readonly string[], load = NO_LOAD) =>
  matchesOf(new Agency(entities), { title: '', skills }, load).map(({ agent_name, score }) => [agent_name, score]);

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
    const [first] = matchesOf(new Agency([rusty]), { title: '', skills: ['RUST', 'docs'] }, NO_LOAD);
    expect(first).toEqual({
      agent_id: rusty.id,
      agent_name: 'Rusty',
      score: 1,
      matched_skills: ['RUST'],
      missing_skills: ['docs'],
      matched_words: [],
      trust_level: 'provisional',
      available: true,
    });
    // whoever has room goes before whoever has none
    const busy: AgentLoad = { running: new Map([[plain.id, 1]]), open: new Map() };
    expect(namesOf([plain, stranger], ['rust'], busy)[0]).toEqual(['Stranger', 1]);
    const roomy = { ...plain, capacity: 2 } as Agent;
    expect(namesOf([roomy, stranger], ['rust'], busy)[0]).toEqual(['Plain', 1]);
    // without skills everybody is a match; the id decides at last
    expect(namesOf(all, [])).toHaveLength(5);
    const equal = [pair('A'), pair('B'), pair('C')];
    expect(matchesOf(new Agency(equal), { title: '' }, NO_LOAD).map(({ agent_id }) => agent_id)).toEqual(
      equal.map(({ id }) => id).sort(),
    );
    // one whose role is out of use takes nothing
    expect(namesOf([plain, { ...role('Plain'), retired: true }], ['rust'])).toEqual([]);
  },
);

verifies('who.assign', 'a capability that is a noun is what its verb in a title asks for', () => {
  const implementer = pair('Core Implementer', { capabilities: ['implementation', 'documentation'] });
  const found = (title: string) => matchesOf(new Agency([implementer]), { title }, NO_LOAD)[0]?.matched_words;
  expect(found('Implement the parser')).toEqual(['implement']);
  expect(found('Document the grammar')).toEqual(['document']);
  expect(found('Water the plants')).toEqual([]);
});

verifies('assign.auto', 'match order, then the pair on like tasks, then who has least to do; never by chance', () => {
  const view = graphOf({ id: 't', tags: ['x'] }, { id: 'before', status: 'done', tags: ['x'] });
  const task = view.task('t') as Task;
  const careful = tradeoff('Careful');
  const reference = (score: number) =>
    performanceFrom([{ score, task_id: 'before', timestamp: '2026-01-01T00:00:00.000Z', context_id: careful.id }]);
  const roles = ['A', 'B', 'C'].map((name) => role(name));
  const agents = roles.map(({ name }) => pair(name, { role_id: role(name).id }));
  const chosen = (entities: readonly Entity[], load = NO_LOAD) =>
    choose(new Agency(entities), view, task, load, TERMS).agent.name;
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
  expect(() => choose(new Agency(agents), view, { ...task, skills: ['q'] }, NO_LOAD, TERMS)).toThrow(
    coded('no_candidate'),
  );
});

const view = graphOf({ id: 't', title: 'Rust', tags: ['parsing'] });
const task = view.task('t') as Task;
/** Agents for whom the task speaks alike. */
const able = (name: string, more: Parameters<typeof agent>[1] = {}) => pair(name, { capabilities: ['rust'], ...more });
const pick = (agents: readonly Agent[], assignments = 0, exploration = {}) =>
  choose(new Agency(agents, [], assignments), view, task, NO_LOAD, {
    ...TERMS,
    exploration: { ...TERMS.exploration, ...exploration },
  });
/** So many scores of the same, one a minute from `from` on. */
const scores = (count: number, score: number, from = 0) =>
  performanceFrom(
    Array.from({ length: count }, (_, index) => ({
      ...{ score, task_id: `t${from + index}`, context_id: '' },
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, from + index)).toISOString(),
    })),
  );

verifies('assign.explore', 'every twentieth goes to the pair with the fewest scores among equals', () => {
  const sure = { ...able('Sure'), performance: scores(40, 0.9) };
  const newer = { ...able('Newer'), performance: scores(6, 0.86) };
  const weak = { ...able('Weak'), performance: scores(8, 0.1) };
  const all = [sure, newer, weak];
  for (const count of [0, 1, 18, 20, 38]) expect(pick(all, count)).toMatchObject({ agent: sure, exploration: false });
  for (const count of [19, 39]) {
    const { agent: taken, exploration, reason } = pick(all, count);
    // whoever is known to be no good is no candidate for being tried
    expect([taken.name, exploration]).toEqual(['Newer', true]);
    expect(reason).toContain('exploration');
  }
  expect(pick(all, 4, { every: 5 })).toMatchObject({ agent: newer, exploration: true });
  expect(pick(all, 19, { every: 1_000 })).toMatchObject({ agent: sure, exploration: false });
  // only among equals
  const trusted = { ...sure, trust_level: 'verified' as const };
  expect(pick([trusted, newer], 19)).toMatchObject({ agent: trusted, exploration: false });
});

verifies(
  'assign.explore',
  'what is unknown is worth something, and less with every score; the reason says what',
  () => {
    const sure = { ...able('Sure'), performance: scores(40, 0.7) };
    const fresh = able('Fresh');
    const first = pick([sure, fresh]);
    expect(first).toMatchObject({ agent: fresh, exploration: true });
    expect(first.reason).toBe(
      'fits rust in its title or tags; has room; 0.70 expected after 0 scores, plus 0.25 for uncertainty; exploration: few scores for this pair',
    );
    const tried = { ...fresh, performance: scores(3, 0.66, 40) };
    expect(pick([sure, tried])).toMatchObject({ agent: tried, exploration: true });
    const known = { ...fresh, performance: scores(12, 0.65, 40) };
    expect(pick([sure, known])).toMatchObject({ agent: sure, exploration: false });
    // without a bonus the expectation alone decides
    expect(pick([sure, fresh], 0, { constant: 0, novelty: 0 })).toMatchObject({ exploration: false });
    expect(pick([sure, tried], 0, { constant: 0, novelty: 0 })).toMatchObject({ agent: sure, exploration: false });
  },
);

verifies('assign.explore', 'old scores count less: whoever was best before something changed is overtaken', () => {
  const was = {
    ...able('Was'),
    performance: performanceFrom([...scores(1_000, 0.9).evaluations, ...scores(400, 0.3, 1_000).evaluations]),
  };
  const steady = { ...able('Steady'), performance: scores(700, 0.65, 700) };
  expect(was.performance.avg_score).toBeGreaterThan(0.65);
  expect(pick([was, steady]).agent.name).toBe('Steady');
});

verifies(
  'who.assign',
  'nobody gets work for being untried or verified alone: skills, then title and tags decide first',
  () => {
    const writes = role('Documenter', { skills: [{ name: 'technical-writing' }] });
    const writer = agent('Writer', { role_id: writes.id }, [0.6]);
    const rusty = agent('Rusty', { capabilities: ['rust'], trust_level: 'verified' });
    const newcomer = agent('Newcomer', { role_id: role('Chef').id });
    const all = [writes, role('Chef'), role('Rusty'), writer, rusty, newcomer];
    const chosen = (title: string, more: Partial<Task> = {}) => {
      const view = graphOf({ id: 'x', title, ...more });
      return choose(new Agency(all), view, view.task('x') as Task, NO_LOAD, TERMS);
    };
    // verified, or unknown and therefore worth a try: neither fits better than a word of the title or a tag
    expect(chosen('Write the manual').agent).toBe(writer);
    expect(chosen('Write the manual').reason).toMatch(/^fits write in its title or tags; has room; 0\.\d+ expected/);
    expect(chosen('Do it', { tags: ['rust'] }).agent).toBe(rusty);
    // nothing speaks for anybody: what is known decides, and whoever is known for something else is left out
    const anybody = chosen('Do it');
    expect(anybody.agent).toBe(writer);
    expect(anybody.reason).toBe('nothing in the task speaks for anyone; has room; 0.60 expected after 1 score');
    const specialists = new Agency([rusty]);
    const soup = graphOf({ id: 'x', title: 'Cook a soup', skills: ['cooking'] }, { id: 'y', title: 'Cook a soup' });
    for (const id of ['x', 'y']) {
      const at = () => choose(specialists, soup, soup.task(id) as Task, NO_LOAD, TERMS);
      const hint = expect.stringContaining(`troupe assign ${id} --list`);
      expect(at, id).toThrow(expect.objectContaining({ code: 'no_candidate', hint }));
    }
    // a bonus beside what fits
    const plain = agent('Plain', { role_id: role('Plain').id, capabilities: ['rust'] }, [0.9]);
    const view = graphOf({ id: 'x', title: 'Parse it', skills: ['rust'] });
    const both = new Agency([plain, rusty]);
    expect(choose(both, view, view.task('x') as Task, NO_LOAD, TERMS).agent).toBe(rusty);
  },
);

verifies('who.assign', 'roles that serve the agency or a team take no tasks, nor what evolved from them', () => {
  const monitor = role('Work Monitor', { skills: [{ name: 'parser-health' }] });
  const evaluator = role('Evaluator');
  const lineage = { ...evaluator.lineage, parent_ids: [evaluator.id], generation: 1 };
  const strict = { ...role('Strict judge'), lineage };
  const coder = role('Coder');
  const roles = [monitor, evaluator, strict, coder];
  const agents = roles.map(({ name, id }) => agent(name, { role_id: id, capabilities: ['parsing'] }));
  const matches = matchesOf(new Agency([...roles, ...agents]), { title: 'Write the parser', skills: [] }, NO_LOAD);
  expect(matches.map(({ agent_name }) => agent_name)).toEqual(['Coder']);
});

verifies('who.assign', 'the names of built-in roles are those of the shipped data', () => {
  const archetypes = readdirSync('data/catalog/archetypes').map((file) =>
    readFileSync(`data/catalog/archetypes/${file}`, 'utf8'),
  );
  const builtins = archetypes.filter((text) => /^kind: builtin$/m.test(text));
  const meta = readFileSync('data/agency/roles.yaml', 'utf8').matchAll(/- name: (.*)\n {4}meta: true/g);
  const names = [...builtins.map((text) => /^title: (.*)$/m.exec(text)?.[1]), ...[...meta].map((found) => found[1])];
  expect([...SERVICE_ROLES].sort()).toEqual(names.sort());
});

verifies('who.assign', 'work waits for an agent without room only if they are expected to do clearly better', () => {
  const good = able('Good');
  const fair = able('Fair');
  const busy = { running: new Map([[good.id, 1]]), open: new Map() };
  const picked = (goodScore: number, fairScore: number) => {
    const agents = [
      { ...good, performance: scores(8, goodScore) },
      { ...fair, performance: scores(8, fairScore) },
    ];
    return choose(new Agency(agents), view, task, busy, TERMS);
  };
  expect(picked(0.82, 0.42)).toMatchObject({ agent: { name: 'Good' }, reason: expect.stringContaining('is busy') });
  expect(picked(0.82, 0.75).agent.name).toBe('Fair');
});

verifies(['assign.manual', 'claim.not-assignment'], 'assigning says who it is for and nothing else', () => {
  const ann = agent('Ann');
  const view = graphOf({ id: 't', status: 'in-progress', assigned: 'agent-1', fence: 2 }, { id: 'd', status: 'done' });
  const options = { now: Date.parse('2026-03-01T10:00:00Z'), by: { name: 'bo' }, barred: new Set<string>() };
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
