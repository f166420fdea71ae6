import type { SeatRecord, StumbleReport } from './record.js';
import type { Rung } from './rungs.js';

/** What the code itself can see of a stumble. */
export interface StumbleFacts {
  readonly phase: string;
  readonly seat: SeatRecord;
  readonly report: StumbleReport;
  /** The rungs that were taken since the phase was last passed. */
  readonly rungs: readonly Rung[];
  /** Criteria that passed, at each attempt. */
  readonly passed: readonly number[];
  /** The other seats, and rows that have none: whoever might own it. */
  readonly others: readonly SeatRecord[];
  /** Names of models from the cheapest to the dearest, as the client in use knows them. */
  readonly tiers: readonly string[];
  /** A cost gate: nothing more may be spent without a person. */
  readonly overBudget: boolean;
  /** May the architect plan again? Not where there is none, or it is the architect who is stuck. */
  readonly canReplan: boolean;
}

export type Climb =
  | { readonly rung: 'clarify'; readonly why: string; readonly context: readonly string[] }
  | { readonly rung: 're-tier'; readonly why: string; readonly tier: string }
  | { readonly rung: 're-role'; readonly why: string; readonly owner: string; readonly minted: boolean }
  | { readonly rung: 're-plan'; readonly why: string }
  | { readonly rung: 'user'; readonly why: string };

/** The next rung for a role that is stuck. What the code sees beats what the report says of itself; each rung comes once a stumble. */
export function nextRung(facts: StumbleFacts): Climb {
  const { report, rungs } = facts;
  if (facts.overBudget) return user('the budget is spent: a person decides');
  if (report.diagnosis === 'decision') return user('it is a decision for a person');
  const tool = deniedTool(facts);
  if (tool !== undefined) return reRole(facts, `it needs ${tool}, which it may not use`, tool);
  if (rungs.length === 0 && report.context.length > 0) {
    const why = `it asks for what is there: ${report.context.join(', ')}`;
    return { rung: 'clarify', why, context: report.context };
  }
  const approach = approachOf(facts.passed);
  if (approach === 'sound') return reTier(facts, 'more criteria passed with each attempt: the approach is sound');
  if (approach === 'suspect') return reRole(facts, 'no more criteria passed than before: the approach is suspect');
  const owner = ownerOf(facts);
  if (owner !== undefined) return reRole(facts, `${owner} owns what it is about`);
  if (report.diagnosis === 'contract' && facts.canReplan && !rungs.includes('re-plan'))
    return { rung: 're-plan', why: 'it says that the contract is wrong' };
  if (report.diagnosis === 'ownership') return reRole(facts, 'it says that the work belongs to someone else');
  return reTier(facts, 'it does not say why it is stuck: a stronger model first');
}

function user(why: string): Climb {
  return { rung: 'user', why };
}

/** The next tier up; where there is none, somebody else. */
function reTier(facts: StumbleFacts, why: string): Climb {
  const tier = facts.rungs.includes('re-tier') ? undefined : nextTier(facts.seat.tier, facts.tiers);
  if (tier !== undefined) return { rung: 're-tier', why, tier };
  return reRole(facts, `${why}; there is no higher tier left`);
}

/** Who takes over: the owner there is, else a new one for what is missing; with neither, a person. */
function reRole(facts: StumbleFacts, why: string, tool?: string): Climb {
  if (facts.rungs.includes('re-role')) return user(`${why}; another owner has already tried`);
  const owner = ownerOf(facts, tool);
  if (owner !== undefined) return { rung: 're-role', why, owner, minted: false };
  const missing = tool === undefined ? missingRole(facts) : `${facts.phase}-${tool.toLowerCase()}`;
  if (missing !== undefined) return { rung: 're-role', why, owner: missing, minted: true };
  return user(`${why}; it has no owner, and no new role is suggested`);
}

/** Of a tier that is not known the highest is next; of the highest none. */
export function nextTier(tier: string | undefined, tiers: readonly string[]): string | undefined {
  if (tier === undefined) return tiers.at(-1);
  const at = tiers.indexOf(tier);
  return at === -1 ? undefined : tiers[at + 1];
}

/** The tools that roles are given, by the names that the fields of rows and reports use. */
const TOOLS = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch', 'Glob', 'Grep', 'Agent', 'Task'];

/** A tool that it says it needs and that its row does not give it. A row without `tools:` gives all. */
function deniedTool({ seat, report }: StumbleFacts): string | undefined {
  if (seat.tools === undefined || seat.tools.trim() === '') return undefined;
  const given = wordsIn(seat.tools);
  if (given.has('all') || given.has('*')) return undefined;
  const asked = wordsIn(`${report.needs} ${report.why}`);
  return TOOLS.find((tool) => asked.has(tool.toLowerCase()) && !given.has(tool.toLowerCase()));
}

/** Near misses tell apart who is on the way and who is lost; one attempt tells nothing. */
function approachOf(passed: readonly number[]): 'sound' | 'suspect' | 'unclear' {
  const [before, last] = [passed.at(-2), passed.at(-1)];
  if (before === undefined || last === undefined) return 'unclear';
  return last > before ? 'sound' : 'suspect';
}

/** The other seat whose `owns:` shares most words with what it is about, two at least; where a tool is missing, one that has it. */
function ownerOf({ report, others, seat }: StumbleFacts, tool?: string): string | undefined {
  const about = wordsIn(`${report.why} ${report.needs} ${report.escalation}`);
  const own = wordsIn(seat.owns ?? '');
  const scored = others
    .filter((other) => other.name !== seat.name && (tool === undefined || hasTool(other, tool)))
    .map((other) => ({
      name: other.name,
      score: [...wordsIn(other.owns ?? '')].filter((word) => word.length > 3 && about.has(word) && !own.has(word))
        .length,
    }))
    .sort((left, right) => right.score - left.score || (left.name < right.name ? -1 : 1));
  const [first] = scored;
  return first !== undefined && first.score >= OWNER_WORDS ? first.name : undefined;
}

const OWNER_WORDS = 2;

function hasTool({ tools }: SeatRecord, tool: string): boolean {
  return tools === undefined || wordsIn(tools).has(tool.toLowerCase());
}

/** The role that the report asks for, where it names one by a name of roles: `dba`, `release-engineer`. */
function missingRole({ report, seat, others }: StumbleFacts): string | undefined {
  const [, named] = /(?:^|\s)(?:role|to|a|an|the)?\s*[`"]([a-z][a-z0-9-]{2,63})[`"]/.exec(report.escalation) ?? [];
  if (named === undefined || named === seat.name || RUNG_WORDS.has(named)) return undefined;
  return others.some((other) => other.name === named) ? undefined : named;
}

const RUNG_WORDS: ReadonlySet<string> = new Set([
  'user',
  'clarify',
  're-tier',
  're-role',
  're-plan',
  'person',
  'human',
]);

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}*][\p{L}\p{N}-]*/gu) ?? []);
}

/** How a rung stands in the log of the lane; what is counted over runs is read from there. */
export function escalationLine(phase: string, seat: string, climb: Climb): string {
  const to =
    climb.rung === 're-tier'
      ? ` → ${climb.tier}`
      : climb.rung === 're-role'
        ? ` → ${climb.owner}${climb.minted ? ' (new)' : ''}`
        : '';
  return `escalation: ${climb.rung} ${seat} in ${phase}${to}: ${climb.why}`;
}

export interface LadderProposal {
  readonly key: 'model-fit' | 'missing-role';
  readonly text: string;
}

const PROPOSED_AT = 3;

/** What many climbs ask for, from the logs of all runs: three re-tiers of a role a tier for good, three hops to one missing owner a role. */
export function proposalsOf(escalations: readonly string[]): LadderProposal[] {
  const count = (pattern: RegExp) => {
    const counts = new Map<string, number>();
    for (const line of escalations) {
      const [, name] = pattern.exec(line) ?? [];
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].filter(([, number]) => number >= PROPOSED_AT).sort(([left], [right]) => (left < right ? -1 : 1));
  };
  return [
    ...count(/\bre-tier ([a-z][a-z0-9-]{0,63}) in /).map(([name, number]) => ({
      key: 'model-fit' as const,
      text: `${name} was given a higher tier ${number} times: give its row a stronger model`,
    })),
    ...count(/\bre-role [a-z][a-z0-9-]{0,63} in [a-z][a-z0-9-]{0,63} → ([a-z][a-z0-9-]{0,63}) \(new\)/).map(
      ([name, number]) => ({
        key: 'missing-role' as const,
        text: `${name} was missing ${number} times: make it a row of the crew`,
      }),
    ),
  ];
}
