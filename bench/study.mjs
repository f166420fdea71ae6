// Compares the rules of selection and of adoption by replay with the truth of a simulated world, on seeds that nothing
// was tuned on: the numbers in src/kernel/limits were tuned on seeds 101 to 120, and seeds 1 to 20 were seen meanwhile.
import { fromSource } from '../tooling/from-source.mjs';
import { proposalsOf, worldOf } from './study-world.mjs';

const REPORTED = Array.from({ length: 20 }, (_, index) => index + 201);
/** Worlds per seed and kind. */
const WORLDS = 4;
const TASKS = 400;
const PROPOSALS = 40;
const REPLAYED = 10;
/** Standard deviation of one score of the same work. */
const NOISE = { score: 0.12, replay: 0.08 };
const RESAMPLES = 2_000;
/** Skill that all tasks need, so that exploration is limited to pairs that fit. */
const SKILL = 'writing';

/** Returns one figure per contender and seed: the mean over its worlds. */
export async function study(seeds) {
  const parts = await fromSource({
    agency: 'src/core/agency/agency.ts',
    choose: 'src/core/agency/choose.ts',
    credit: 'src/core/agency/credit.ts',
    edits: 'src/core/agency/entity-edits.ts',
    limits: 'src/kernel/limits/team.ts',
    random: 'src/kernel/random.ts',
    replay: 'src/core/agency/replay.ts',
  });
  const { randomFrom } = parts.random;
  const assigners = { ours: (random) => ourAssigner(parts, random), greedy, random: uniform };
  const regret = {};
  for (const [kind, drifting] of [
    ['steady', false],
    ['drifting', true],
  ]) {
    regret[kind] = Object.fromEntries(Object.keys(assigners).map((name) => [name, []]));
    for (const seed of seeds) {
      const random = randomFrom(seed);
      const worlds = Array.from({ length: WORLDS }, () =>
        worldOf(random, { tasks: TASKS, noise: NOISE.score, drifting }),
      );
      for (const [name, begin] of Object.entries(assigners))
        regret[kind][name].push(meanOf(worlds.map((world) => regretOf(world, begin(random)))));
    }
  }
  const names = ['ours', 'greedy', 'random', 'everything'];
  const errors = Object.fromEntries(names.map((name) => [name, { harm: [], loss: [] }]));
  for (const seed of seeds) {
    const random = randomFrom(seed);
    const proposals = proposalsOf(random, { proposals: PROPOSALS, tasks: REPLAYED, noise: NOISE.replay });
    const adopts = {
      ours: ({ pairs }, index) => parts.replay.verdictOf(pairs, `${seed} ${index}`).adopted,
      greedy: ({ pairs }) => meanOf(pairs.map(({ parent, child }) => child - parent)) > 0,
      random: () => random() < 0.5,
      everything: () => true,
    };
    const [worse, better] = [proposals.filter(({ gain }) => gain < 0), proposals.filter(({ gain }) => gain >= 0)];
    for (const name of names) {
      const adopted = new Set(proposals.filter(adopts[name]));
      errors[name].harm.push(worse.filter((one) => adopted.has(one)).length / worse.length);
      errors[name].loss.push(better.filter((one) => !adopted.has(one)).length / better.length);
    }
  }
  return { regret, errors, randomFrom };
}

/** Mean regret of the chosen pairs per task. */
function regretOf(world, assigner) {
  let sum = 0;
  for (let task = 0; task < TASKS; task++) {
    const quality = world.quality(task);
    const pair = assigner.choose(task);
    sum += Math.max(...quality) - quality[pair];
    assigner.learn(task, pair, world.score(task, pair));
  }
  return sum / TASKS;
}

/** The assigner of a project: the rules of `assign --auto`, with scores recorded as in the program. */
function ourAssigner(
  { agency: { Agency }, choose: { choose }, credit: { credit }, edits, limits: { TEAM_LIMITS } },
  random,
) {
  const none = new Agency([]);
  const maker = { now: 0, by: 'human' };
  // ids are hashes of the content: other words give another order of ids
  const word = () => `${random()}`;
  const roles = Array.from({ length: 4 }, () =>
    edits.newRole(none, { name: word(), description: word(), desired_outcome: 'Done.', skills: [] }, maker),
  );
  const lists = { acceptable_tradeoffs: [], unacceptable_tradeoffs: [] };
  const tradeoffs = Array.from({ length: 4 }, () =>
    edits.newTradeoff(none, { name: word(), description: word(), ...lists }, maker),
  );
  const plain = { capabilities: [SKILL], trust_level: 'provisional', executor: 'claude' };
  const agents = roles.flatMap(({ id: role_id }) =>
    tradeoffs.map(({ id: tradeoff_id }) =>
      edits.newAgent(none, { ...plain, name: word(), role_id, tradeoff_id }, true, maker),
    ),
  );
  const pairs = new Map(agents.map(({ id }, pair) => [id, pair]));
  const entities = new Map([...roles, ...tradeoffs, ...agents].map((entity) => [entity.id, entity]));
  const { explorationEvery: every, explorationConstant: constant, noveltyBonus: novelty } = TEAM_LIMITS;
  const terms = { people: new Set(), barred: new Set(), exploration: { every, constant, novelty } };
  const idle = { running: new Map(), open: new Map() };
  let agency = none;
  return {
    choose(task) {
      agency = new Agency(entities.values(), [], task);
      return pairs.get(choose(agency, { task: () => undefined }, { id: 't', skills: [SKILL] }, idle, terms).agent.id);
    },
    learn(task, pair, score) {
      const timestamp = new Date(task * 60_000).toISOString();
      const scored = {
        id: `e${task}`,
        task_id: `t${task}`,
        score,
        timestamp,
        source: 'llm',
        agent_id: agents[pair].id,
      };
      for (const entity of credit(agency, scored).entities) entities.set(entity.id, entity);
    },
  };
}

/** Tries each pair once, then always the one with the best mean. */
function greedy() {
  const scores = Array.from({ length: 16 }, () => []);
  const hope = scores.map(() => Number.POSITIVE_INFINITY);
  return {
    choose: () => hope.indexOf(Math.max(...hope)),
    learn(_task, pair, score) {
      scores[pair].push(score);
      hope[pair] = meanOf(scores[pair]);
    },
  };
}

function uniform(random) {
  return { choose: () => Math.floor(random() * 16), learn: () => undefined };
}

function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Mean over seeds, and its 95 % interval from resamples of the seeds. */
function withInterval(values, random) {
  const means = Array.from({ length: RESAMPLES }, () =>
    meanOf(values.map(() => values[Math.floor(random() * values.length)])),
  ).sort((left, right) => left - right);
  return { mean: meanOf(values), low: means[RESAMPLES * 0.025], high: means[RESAMPLES * 0.975] };
}

export default async () => {
  const { regret, errors, randomFrom } = await study(REPORTED);
  const told = (values, scale, places) => {
    const { mean, low, high } = withInterval(values, randomFrom(1));
    const [m, l, h] = [mean, low, high].map((value) => (value * scale).toFixed(places));
    return `${m} [${l}, ${h}]`;
  };
  /** One row per contender; met if ours is lower, seed by seed, over the whole interval. */
  const rows = (name, figures, scale, places) =>
    Object.entries(figures).map(([who, values]) => {
      const row = { name: `${name}: ${who}`, figure: told(values, scale, places) };
      if (who === 'ours') return row;
      const { high } = withInterval(
        figures.ours.map((ours, seed) => ours - values[seed]),
        randomFrom(1),
      );
      return { ...row, bar: 'above ours', met: high < 0 };
    });
  const kindOf = (kind) => Object.fromEntries(Object.entries(errors).map(([who, lists]) => [who, lists[kind]]));
  return [
    ...rows('assigner, steady, regret a task', regret.steady, 1, 4),
    ...rows('assigner, drifting, regret a task', regret.drifting, 1, 4),
    ...rows('replay, % of worse adopted', kindOf('harm'), 100, 1),
    // without a bar: held changes wait for a person, which is the price of the rows above
    ...Object.entries(kindOf('loss')).map(([who, values]) => ({
      name: `replay, % of better held: ${who}`,
      figure: told(values, 100, 1),
    })),
  ];
};
