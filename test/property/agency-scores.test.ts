import fc from 'fast-check';
import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { choose } from '#core/agency/choose.js';
import { credit } from '#core/agency/credit.js';
import type { Entity } from '#core/agency/entities.js';
import { agencyFigures } from '#core/agency/stats.js';
import { agent, role, TERMS, tradeoff } from '../core/agency/people.js';
import { graphOf } from '../core/graph/graph.js';
import { verifies } from '../verifies.js';

const ROLES = [role('Writer'), role('Tester')];
const TRADEOFFS = [tradeoff('Careful'), tradeoff('Bold')];
const AGENTS = ROLES.flatMap(({ id: role_id, name }) =>
  TRADEOFFS.map(({ id: tradeoff_id }) => agent(name, { role_id, tradeoff_id })),
);
const ANN = agent('Ann', { role_id: ROLES[0]?.id ?? '', tradeoff_id: TRADEOFFS[0]?.id ?? '', executor: 'email' });
const EVERYBODY: readonly Entity[] = [...ROLES, ...TRADEOFFS, ...AGENTS.slice(1), ANN];
const PEOPLE = new Set([ANN.id]);
const WORKERS = AGENTS.slice(1);
const view = graphOf({ id: 't' });
const task = view.task('t') ?? expect.unreachable();
const idle = { running: new Map<string, number>(), open: new Map<string, number>() };

/** Scores with all the places that doubles have, some of them of the same moment. */
const scored = fc.record({
  who: fc.nat(WORKERS.length - 1),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  minute: fc.nat(8),
});
type Scored = { readonly agent: string; readonly score: number; readonly minute: number; readonly number: number };

function creditedWith(list: readonly Scored[]): Agency {
  return list.reduce((agency, { agent: agent_id, score, minute, number }) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const record = { id: `e${number}`, task_id: `t${number}`, score, timestamp, source: 'llm', agent_id };
    return agency.with(credit(agency, record).entities);
  }, new Agency(EVERYBODY));
}

const averages = (agency: Agency) => EVERYBODY.map(({ kind, id }) => agency.entity(kind, id)?.performance.avg_score);
const chosen = (agency: Agency) => choose(agency, view, task, idle, { ...TERMS, people: PEOPLE });

verifies(
  ['eval.propagate', 'stats.boards', 'assign.explore'],
  'the order in which scores came in changes no average to the last place, no figure and no choice',
  () => {
    const worlds = fc.array(scored, { maxLength: 24 }).chain((list) => {
      const numbered = list.map(
        ({ who, ...one }, number): Scored => ({ ...one, number, agent: WORKERS[who]?.id ?? '' }),
      );
      return fc.tuple(
        fc.constant(numbered),
        fc.shuffledSubarray(numbered, { minLength: numbered.length, maxLength: numbered.length }),
      );
    });
    const facts = { people: PEOPLE, task: () => undefined, sourceOf: () => 'llm' };
    const means = (agency: Agency) => {
      const { roles, tradeoffs, agents, synergy } = agencyFigures(agency, facts, 3);
      return [...roles, ...tradeoffs, ...agents]
        .map(({ id, mean, count }) => [id, mean, count].join(' '))
        .concat(synergy.map(({ role_id, tradeoff_id, mean }) => [role_id, tradeoff_id, mean].join(' ')))
        .sort();
    };
    fc.assert(
      fc.property(worlds, ([list, shuffled]) => {
        const [one, other] = [creditedWith(list), creditedWith(shuffled)];
        expect(averages(other)).toEqual(averages(one));
        expect(means(other)).toEqual(means(one));
        expect(chosen(other).agent.id).toBe(chosen(one).agent.id);
        expect(chosen(other).reason).toBe(chosen(one).reason);
      }),
      { numRuns: 200 },
    );
  },
);

verifies(
  ['agency.human-evals', 'assign.explore'],
  'whatever people scored, what is expected of agents and which of them goes first stays the same',
  () => {
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(scored, { maxLength: 12 }), scores, scores, (list, some, others) => {
        const done = list.map(({ who, ...one }, number): Scored => ({ ...one, number, agent: WORKERS[who]?.id ?? '' }));
        const picks = [some, others].map((own) => {
          const hers = own.map(
            (score, index): Scored => ({ agent: ANN.id, score, minute: index, number: 100 + index }),
          );
          const agency = creditedWith([...done, ...hers]);
          // she herself has no room, and gives way unless she is clearly better: whom she leaves the task to is what is looked at
          const busy = { ...idle, running: new Map([[ANN.id, 9]]) };
          return choose(agency, view, task, busy, { ...TERMS, people: PEOPLE });
        });
        fc.pre(picks.every(({ agent }) => agent.id !== ANN.id));
        expect(picks[1]).toEqual(picks[0]);
      }),
      { numRuns: 150 },
    );
  },
);
