import { countUp } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { topicStems } from './line-up.js';
import type { SeatRecord, Stumble, StumbleReport } from './record.js';
import type { Rung } from './rungs.js';
import { seatOfTalent, type Talent } from './talent.js';

/** Data of a run that the ladder needs. */
export interface LadderRun {
  readonly seats: readonly SeatRecord[];
  readonly stumbles: Readonly<Record<string, Pick<Stumble, 'rungs' | 'passed'>>>;
}

/** Other inputs: roles of the repository, and models. */
export interface LadderFacts {
  readonly talent: readonly Talent[];
  /** Model names, cheapest first, for the client in use. */
  readonly tiers: readonly string[];
}

/** Facts about a stumble, as established by code. */
export interface StumbleFacts extends LadderFacts {
  readonly phase: string;
  readonly seat: SeatRecord;
  readonly report: StumbleReport;
  /** Rungs taken since the phase last passed. */
  readonly rungs: readonly Rung[];
  /** Number of passed criteria for each attempt. */
  readonly passed: readonly number[];
  /** Names of the roles in the line-up, which have phases of their own. */
  readonly seated: ReadonlySet<string>;
  /** Whether the architect may plan again: not if there is none, or it is the one that is stuck. */
  readonly canReplan: boolean;
}

export type RungDecision =
  | { readonly rung: 'clarify'; readonly why: string; readonly context: readonly string[] }
  | { readonly rung: 're-tier'; readonly why: string; readonly tier: string }
  | ReRole
  | { readonly rung: 're-plan'; readonly why: string }
  | { readonly rung: 'user'; readonly why: string };

interface ReRole {
  readonly rung: 're-role';
  readonly why: string;
  readonly owner: string;
  /** `new`: the role did not exist; `probationary`: not yet proven; `known`: stable, or a core role. */
  readonly standing: 'new' | 'probationary' | 'known';
  readonly seat: SeatRecord;
}

/** Rung for a phase with a BLOCKED handoff. Used by the coordinator and by the hook of a client. */
export function rungFor(run: LadderRun, phase: string, report: StumbleReport, facts: LadderFacts): RungDecision {
  const { seats, stumbles } = run;
  const known = seats.find(({ name, phase: own = name }) => own === phase) ?? { name: phase };
  const row = facts.talent.find(({ name }) => name === known.name);
  const { rungs, passed } = stumbles[phase] ?? { rungs: [], passed: [] };
  return nextRung({
    ...facts,
    phase,
    report,
    rungs,
    passed,
    // A person may have changed the row since the line-up was made; a tier set by a rung is kept.
    seat: row === undefined ? known : { ...known, ...seatOfTalent(row, known), ...tierOf(known) },
    seated: new Set(seats.map(({ name }) => name)),
    canReplan: phase !== 'architect' && seats.some(({ name, phase: own = name }) => own === 'architect'),
  });
}

const tierOf = ({ tier }: SeatRecord) => (tier === undefined ? {} : { tier });

/**
 * Next rung for a stuck role. Facts established by code override the report; each rung is used at most once in a
 * stumble.
 */
export function nextRung(facts: StumbleFacts): RungDecision {
  const { report, rungs } = facts;
  const { diagnosis } = report;
  if (diagnosis === 'decision') return askUserRung('it is a decision for a person');
  const tool = deniedTool(facts);
  if (tool !== undefined) return reRole(facts, `it needs ${tool}, which it may not use`, tool);
  if (asksForContext(facts)) {
    const why = `it asks for what is there: ${report.context.join(', ')}`;
    return { rung: 'clarify', why, context: report.context };
  }
  const approach = progressTrend(facts.passed);
  if (approach === 'sound') return reTier(facts, 'more criteria passed with each attempt: the approach is sound');
  if (approach === 'suspect') return reRole(facts, 'no more criteria passed than before: the approach is suspect');
  const owner = ownerOf(facts);
  if (owner !== undefined) return reRole(facts, `${owner.name} owns what it is about`);
  switch (diagnosis) {
    case 'contract':
      if (facts.canReplan && !rungs.includes('re-plan'))
        return { rung: 're-plan', why: 'it says that the contract is wrong' };
      return reTier(facts, 'nobody can plan again: a stronger model first');
    case 'ownership':
      return reRole(facts, 'it says that the work belongs to someone else');
    case 'capability':
      return reTier(facts, 'it says that the work exceeds its model');
    case 'context':
      if (report.context.length === 0) return askUserRung('it asks for context that is not in the project');
      return reTier(facts, 'it was given the context it asked for: a stronger model first');
    case undefined:
      return reTier(facts, 'it gives no diagnosis: a stronger model first');
  }
}

/** The cost gate comes before the ladder: only the coordinator knows the spending. */
export const OVER_BUDGET = 'the budget is spent: a person decides';

function askUserRung(why: string): RungDecision {
  return { rung: 'user', why };
}

/**
 * Whether context is missing: the report names existing files and diagnoses missing context, or it has no diagnosis and
 * no rung was taken yet. Only once per stumble.
 */
function asksForContext({ report: { context, diagnosis }, rungs }: StumbleFacts): boolean {
  if (context.length === 0 || rungs.includes('clarify')) return false;
  return diagnosis === 'context' || (diagnosis === undefined && rungs.length === 0);
}

/** The next tier up; if there is none, another role. */
function reTier(facts: StumbleFacts, why: string): RungDecision {
  if (facts.tiers.length === 0) return reRole(facts, `${why}, but the models of this client have no known order`);
  const tier = facts.rungs.includes('re-tier') ? undefined : nextTier(facts.seat.tier, facts.tiers);
  if (tier !== undefined) return { rung: 're-tier', why, tier };
  return reRole(facts, `${why}; there is no higher tier left`);
}

/** Another role: an existing owner, else a new role for the gap; without either, a person. */
function reRole(facts: StumbleFacts, why: string, tool?: string): RungDecision {
  if (facts.rungs.includes('re-role')) return askUserRung(`${why}; another owner has already tried`);
  const missing = tool === undefined ? missingRole(facts) : `${facts.phase}-${tool.toLowerCase()}`;
  const owner = ownerOf(facts, tool) ?? eligibleRoles(facts).find(({ name }) => name === missing);
  if (owner !== undefined) {
    const standing = owner.status === 'probationary' ? 'probationary' : 'known';
    return { rung: 're-role', why, owner: owner.name, standing, seat: seatOfTalent(owner, facts.seat) };
  }
  if (missing !== undefined && !facts.talent.some(({ name }) => name === missing))
    return { rung: 're-role', why, owner: missing, standing: 'new', seat: newSeat(missing, facts, tool) };
  return askUserRung(`${why}; it has no owner, and no new role is suggested`);
}

/** A new role. Its charter is composed of names only, as the report is untrusted text. */
function newSeat(name: string, { phase, seat }: StumbleFacts, tool: string | undefined): SeatRecord {
  const charter =
    tool === undefined
      ? `what belongs to the ${name.replaceAll('-', ' ')} and not to the ${phase}`
      : `work of the ${phase} that needs ${tool}`;
  const tools = tool === undefined || seat.tools === undefined ? {} : { tools: `${seat.tools}, ${tool}` };
  return { name, charter, owns: charter, minted: true, ...tierOf(seat), ...tools };
}

/** Next higher tier: the highest if the current one is undefined; undefined if it is the highest or not in the list. */
export function nextTier(tier: string | undefined, tiers: readonly string[]): string | undefined {
  if (tier === undefined) return tiers.at(-1);
  const at = tiers.indexOf(tier);
  return at === -1 ? undefined : tiers[at + 1];
}

/** Tools of roles, as named in rows and reports. */
const TOOLS = ['Bash', 'Edit', 'Write', 'NotebookEdit', 'WebFetch', 'WebSearch', 'Glob', 'Grep', 'Agent', 'Task'];

/** A tool that the report asks for and the row does not grant. A row without `tools:` grants all. */
function deniedTool({ seat, report }: StumbleFacts): string | undefined {
  const asked = wordsIn(`${report.needs} ${report.why}`);
  return TOOLS.find((tool) => asked.has(tool.toLowerCase()) && !hasTool(seat.tools, tool));
}

function hasTool(tools: string | undefined, tool: string): boolean {
  const given = wordsIn(tools ?? '');
  return given.size === 0 || given.has('all') || given.has('*') || given.has(tool.toLowerCase());
}

/** Judges the approach by the last two attempts: more passed criteria mean progress; one attempt is not enough. */
function progressTrend(passed: readonly number[]): 'sound' | 'suspect' | 'unclear' {
  const [before, last] = [passed.at(-2), passed.at(-1)];
  if (before === undefined || last === undefined) return 'unclear';
  return last > before ? 'sound' : 'suspect';
}

/** Roles that may take over: neither retired nor in the line-up, as a judging role must not build. */
function eligibleRoles({ talent, seated, seat }: StumbleFacts): Talent[] {
  return talent.filter(({ name, status }) => status !== 'retired' && name !== seat.name && !seated.has(name));
}

/**
 * Role of the repository that owns the problem: the one the report suggests by name, else the one that shares most
 * words with the report, at least two. If a tool is missing, only roles that have it qualify. If the report gives a
 * diagnosis other than ownership, only the `owns` fields of rows count.
 */
function ownerOf(facts: StumbleFacts, tool?: string): Talent | undefined {
  const { report, seat } = facts;
  const isOpen = report.diagnosis === undefined || report.diagnosis === 'ownership';
  const candidates = eligibleRoles(facts).filter(({ tools }) => tool === undefined || hasTool(tools, tool));
  const suggested = wordsIn(report.escalation);
  const named = candidates.filter(({ name }) => isOpen && suggested.has(name));
  if (named.length === 1) return named[0];
  const about = topicStems(`${report.why} ${report.needs} ${report.escalation}`);
  const own = topicStems(seat.owns ?? '');
  const [first] = (named.length > 1 ? named : candidates)
    .map((talent) => {
      const words = [...topicStems(isOpen ? `${talent.owns} ${talent.about}` : talent.owns)];
      return { talent, score: words.filter((word) => about.has(word) && !own.has(word)).length };
    })
    .sort((left, right) => right.score - left.score || compareText(left.talent.name, right.talent.name));
  return first !== undefined && first.score >= MIN_OWNER_OVERLAP ? first.talent : undefined;
}

const MIN_OWNER_OVERLAP = 2;

const NAME = '[a-z][a-z0-9-]{1,63}';
/** Role names in quotes, after `role:`, or as a recipient: "Re-role to dba." */
const SUGGESTIONS = [
  new RegExp(`[\`"](${NAME})[\`"]`),
  new RegExp(`\\b(?:role|owner)(?:: *| called | named )(${NAME})\\b`, 'i'),
  new RegExp(
    `^(?:(?:re-role|hand it(?: over)?|hand over|give it|pass it(?: on)?|escalate) +to +)?(?:the +|an? +)?(${NAME})(?: +role)?(?=[.,;:!\\n]|$)`,
    'i',
  ),
];

/** Role that the report asks for, if it suggests one. */
function missingRole({ report, seat, seated }: StumbleFacts): string | undefined {
  const text = report.escalation.trim();
  for (const suggestion of SUGGESTIONS) {
    const name = suggestion.exec(text)?.[1]?.toLowerCase().replace(/-+$/, '');
    if (name !== undefined && name !== seat.name && !NO_NAMES.has(name)) return seated.has(name) ? undefined : name;
  }
  return undefined;
}

/** Rungs, and words that can stand in place of a name. */
const NO_NAMES: ReadonlySet<string> = new Set([
  ...['user', 'clarify', 're-tier', 're-role', 're-plan', 'person', 'human', 'none', 'nobody', 'unknown', 'other'],
  ...[
    'another',
    'somebody',
    'someone',
    'anyone',
    'anybody',
    'help',
    'unsure',
    'nothing',
    'yes',
    'no',
    'me',
    'us',
    'it',
  ],
  ...['role', 'owner'],
]);

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}*][\p{L}\p{N}-]*/gu) ?? []);
}

const MARKS = { new: ' (new)', probationary: ' (on probation)', known: '' } as const;

/** Line for a rung in the log of the lane; repeated escalations are counted from there. */
export function escalationLine(phase: string, seat: string, climb: RungDecision): string {
  const to =
    climb.rung === 're-tier'
      ? ` → ${climb.tier}`
      : climb.rung === 're-role'
        ? ` → ${climb.owner}${MARKS[climb.standing]}`
        : '';
  return `escalation: ${climb.rung} ${seat} in ${phase}${to}: ${climb.why}`;
}

export interface LadderProposal {
  readonly key: 'model-fit' | 'missing-role';
  readonly text: string;
}

const PROPOSAL_THRESHOLD = 3;

/**
 * Proposals from repeated rungs in the logs of all runs: three re-tiers of a role suggest a permanent tier, three
 * hand-overs to a role that is in no line-up suggest a seat.
 */
export function proposalsOf(escalations: readonly string[]): LadderProposal[] {
  const count = (pattern: RegExp) => {
    const counts = new Map<string, number>();
    for (const line of escalations) {
      const [, name] = pattern.exec(line) ?? [];
      if (name !== undefined) countUp(counts, name);
    }
    return [...counts]
      .filter(([, number]) => number >= PROPOSAL_THRESHOLD)
      .sort(([left], [right]) => compareText(left, right));
  };
  return [
    ...count(/\bre-tier ([a-z][a-z0-9-]{0,63}) in /).map(([name, number]) => ({
      key: 'model-fit' as const,
      text: `${name} was given a higher tier ${number} times: give its row a stronger model`,
    })),
    ...count(
      /\bre-role [a-z][a-z0-9-]{0,63} in [a-z][a-z0-9-]{0,63} → ([a-z][a-z0-9-]{0,63}) \((?:new|on probation)\)/,
    ).map(([name, number]) => ({
      key: 'missing-role' as const,
      text: `${name} was missing ${number} times: give it a seat in the line-up`,
    })),
  ];
}
