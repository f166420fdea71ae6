// A simulated world with known truth: the quality of each role with each trade-off, its drift, and the scores of a
// judge.

const ROLES = 4;
const TRADEOFFS = 4;
/** Standard deviations of the effect of a role, of a trade-off and of their pair, and of the drift per task. */
const SPREAD = { role: 0.08, tradeoff: 0.06, pair: 0.08, drift: 0.003 };
const MIDDLE = 0.6;
/** Number of times that a third of the pairs changes suddenly, as when a provider replaces a model. */
const JUMPS = 2;

function normalFrom(random) {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const clamp = (value) => Math.min(1, Math.max(0, value));

/** `quality(task)`: best achievable quality of a task over all pairs; `score(task, pair)`: the score a judge gives. */
export function worldOf(random, { tasks, noise, drifting }) {
  const normal = normalFrom(random);
  const [roles, tradeoffs] = [ROLES, TRADEOFFS].map((count) => Array.from({ length: count }, normal));
  const together = Array.from({ length: ROLES * TRADEOFFS }, () => normal() * SPREAD.pair);
  const base = (pair) =>
    MIDDLE + roles[Math.floor(pair / TRADEOFFS)] * SPREAD.role + tradeoffs[pair % TRADEOFFS] * SPREAD.tradeoff;
  const jumps = new Set(Array.from({ length: drifting ? JUMPS : 0 }, () => Math.floor(random() * tasks)));
  const truth = [];
  const scores = [];
  for (let task = 0; task < tasks; task++) {
    for (const pair of together.keys()) {
      if (drifting) together[pair] += normal() * SPREAD.drift;
      if (jumps.has(task) && random() < 1 / 3) together[pair] = normal() * SPREAD.pair;
    }
    truth.push(together.map((extra, pair) => clamp(base(pair) + extra)));
    scores.push(truth[task].map((quality) => clamp(quality + normal() * noise)));
  }
  return {
    roles: ROLES,
    tradeoffs: TRADEOFFS,
    quality: (task) => truth[task],
    score: (task, pair) => scores[task][pair],
  };
}

/**
 * Parameters of proposed changes: the mean gain (negative: most are worse), and the spreads of the gain, of the
 * parents' quality and of the tasks' difficulty.
 */
const CHANGE = { middle: -0.03, gain: 0.1, parent: 0.08, task: 0.1 };

/** Proposed changes with their true value, and the scores of parent and child on the same tasks. */
export function proposalsOf(random, { proposals, tasks, noise }) {
  const normal = normalFrom(random);
  return Array.from({ length: proposals }, () => {
    const gain = CHANGE.middle + normal() * CHANGE.gain;
    const quality = MIDDLE + normal() * CHANGE.parent;
    const pairs = Array.from({ length: tasks }, (_, index) => {
      const work = quality + normal() * CHANGE.task;
      const [parent, child] = [work, work + gain].map((value) => clamp(value + normal() * noise));
      return { task_id: `t${index}`, parent, child };
    });
    return { gain, pairs };
  });
}
