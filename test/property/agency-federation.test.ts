import fc from 'fast-check';
import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { type Entity, KINDS } from '#core/agency/entities.js';
import { newAgent, unretire } from '#core/agency/entity-edits.js';
import { fileText } from '#core/agency/entity-text.js';
import { type PullOptions, type PullPlan, planMerge, planPull, type Source } from '#core/agency/pull.js';
import { performanceFrom } from '#core/agency/read.js';
import type { JsonObject } from '#kernel/json.js';
import { MAKER, role, tradeoff } from '../core/agency/people.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const ALL: PullOptions = { ids: [], kinds: KINDS, force: false };
const ROLES = [role('Writer'), role('Tester'), role('Editor')];
const WEIGHS = [tradeoff('Careful'), tradeoff('Fast')];
const AGENTS = [
  [0, 0],
  [1, 1],
  [2, 0],
].map(([one = 0, other = 0]) => {
  const pair = { role_id: ROLES[one]?.id ?? '', tradeoff_id: WEIGHS[other]?.id ?? '' };
  const draft = { name: 'Agent', capabilities: [], trust_level: 'verified' as const, executor: 'claude', ...pair };
  return newAgent(new Agency([]), draft, false, MAKER);
});
const EVERYBODY: readonly Entity[] = [...ROLES, ...WEIGHS, ...AGENTS];

/** Two projects never score the same work at the same moment differently: a score belongs to its moment. */
const scoreAt = (moment: number) => (moment % 11) / 10;
const timeOf = (moment: number) => new Date(Date.UTC(2026, 0, 1, moment)).toISOString();

/** One entity as one project has it: its name, scores, and what it says it came from. */
const form = fc.record({
  there: fc.boolean(),
  retired: fc.boolean(),
  name: fc.constantFrom('Ann', 'Bob', 'Cay'),
  moments: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 6 }),
  parents: fc.integer({ min: 0, max: 2 }),
  made: fc.integer({ min: 0, max: 3 }),
});
const world = fc.tuple(...EVERYBODY.map(() => form)).map((forms): Source => {
  const entities = forms.flatMap(({ there, retired, name, moments, parents, made }, index): Entity[] => {
    const base = EVERYBODY[index];
    // Whatever agents are made of is always there: what is missing is refused, by a test of its own.
    if (!base || (!there && base.kind === 'agent')) return [];
    const inTime = [...moments].sort((left, right) => left - right); // as a record grows
    const evaluations = inTime.map((moment) => ({
      ...{ score: scoreAt(moment), task_id: `t${moment}`, timestamp: timeOf(moment), context_id: 'c', source: 'llm' },
    }));
    const parent_ids = ROLES.slice(0, parents).map(({ id }) => id);
    const lineage = { ...base.lineage, parent_ids, generation: parents, created_at: timeOf(made) };
    const out = retired && base.kind === 'agent' ? { retired: true as const } : {};
    return [{ ...base, name, lineage, performance: performanceFrom(evaluations), ...out }];
  });
  const scores = forms.flatMap(({ moments }) => moments).map((moment) => evaluation(moment));
  return { agency: new Agency(entities), evaluations: new Map(scores.map((one) => [String(one['id']), one])) };
});

function evaluation(moment: number): JsonObject {
  const [task_id, timestamp] = [`t${moment}`, timeOf(moment)];
  return {
    id: `eval-${moment}`,
    task_id,
    score: scoreAt(moment),
    timestamp,
    notes: '',
    evaluator: 'ann',
    source: 'llm',
  };
}

const EMPTY: Source = { agency: new Agency([]), evaluations: new Map() };

/** One project after it has pulled from another. */
function pulled(local: Source, from: Source, wish = ALL): Source {
  return after(local, planPull(local.agency, local.evaluations, from, wish));
}

function merged(local: Source, ...from: readonly Source[]): Source {
  return after(local, planMerge(local.agency, local.evaluations, from, ALL));
}

function after(local: Source, plan: PullPlan): Source {
  const evaluations = new Map(local.evaluations);
  for (const one of plan.evaluations) evaluations.set(String(one['id']), one);
  return { agency: local.agency.with(plan.entities), evaluations };
}

function allInUse({ agency, evaluations }: Source): Source {
  const entities = KINDS.flatMap((kind) => [...agency.all(kind), ...agency.all(kind, true)]);
  return { agency: new Agency(entities.map(unretire)), evaluations };
}

/** Files as they would lie there; `words`: with what each place says of its own. */
function files({ agency, evaluations }: Source, words = true): string[] {
  const entities = EVERYBODY.flatMap(({ kind, id }) => agency.entity(kind, id) ?? []);
  const texts = entities.map((entity) =>
    words
      ? `${entity.retired === true} ${fileText(entity)}`
      : JSON.stringify([entity.id, entity.performance, entity.lineage]),
  );
  return [...texts, ...[...evaluations.values()].map((one) => JSON.stringify(one['id'])).sort()];
}

verifies(
  ['fed.existing', 'fed.pull'],
  'pulling twice changes nothing, and it does not matter from whom one pulls first, or through whom',
  () => {
    fc.assert(
      fc.property(world, world, world, (a, b, c) => {
        for (const here of [a, EMPTY]) {
          const once = pulled(here, b);
          const again = planPull(once.agency, once.evaluations, b, ALL);
          expect([again.entities, again.evaluations, again.warnings]).toEqual([[], [], []]);
          expect(files(pulled(once, c))).toEqual(files(pulled(pulled(here, c), b)));
          // through b: what b has named or retired is for b to say, and all else is the same
          const own = allInUse(b);
          expect(files(pulled(here, pulled(own, c)), false)).toEqual(files(pulled(pulled(here, own), c), false));
        }
      }),
      { numRuns: mass(40, 2_000) },
    );
  },
);

verifies(
  ['fed.existing', 'fed.atomic'],
  'merging several is pulling from one after another in any order; what goes both ways is the same in both places',
  () => {
    fc.assert(
      fc.property(world, world, world, (a, b, c) => {
        const whole = files(merged(a, b, c));
        expect(files(merged(a, c, b))).toEqual(whole);
        expect(files(pulled(pulled(a, b), c))).toEqual(whole);
        expect(files(merged(merged(a, b, c), b, c))).toEqual(whole);
        const plan = planMerge(a.agency, a.evaluations, [b, c], ALL);
        const rows = plan.rows.map(({ kind, id }) => `${kind} ${id}`);
        expect(new Set(rows).size).toBe(rows.length);
        expect(plan.rows.map(({ id }) => id).sort()).toEqual(plan.entities.map(({ id }) => id).sort());
        expect(plan.unchanged.filter((key) => rows.includes(key))).toEqual([]);
        const own = [allInUse(a), allInUse(b)] as const;
        expect(files(pulled(own[0], own[1]), false)).toEqual(files(pulled(own[1], own[0]), false));
      }),
      { numRuns: mass(40, 2_000) },
    );
  },
);
