import { countUp } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { axesOf } from './line-up.js';
import type { SeatRecord, Stumble, StumbleReport } from './record.js';
import type { Rung } from './rungs.js';
import { seatOfTalent, type Talent } from './talent.js';

/** The part of a run that the ladder goes by. */
export interface LadderRun {
  readonly seats: readonly SeatRecord[];
  readonly stumbles: Readonly<Record<string, Pick<Stumble, 'rungs' | 'passed'>>>;
}

/** The rest: roles of the repository, models and the budget. */
export interface LadderFacts {
  readonly talent: readonly Talent[];
  /** Names of models from the cheapest to the dearest, as the client in use knows them. */
  readonly tiers: readonly string[];
}

/** A stumble as the code itself sees it. */
export interface StumbleFacts extends LadderFacts {
  readonly phase: string;
  readonly seat: SeatRecord;
  readonly report: StumbleReport;
  /** The rungs that were taken since the phase was last passed. */
  readonly rungs: readonly Rung[];
  /** Criteria that passed, at each attempt. */
  readonly passed: readonly number[];
  /** Names of the roles in the line-up: they have a phase of their own. */
  readonly seated: ReadonlySet<string>;
  /** May the architect plan again? Not where there is none, or it is the architect who is stuck. */
  readonly canReplan: boolean;
}

export type Climb =
  | { readonly rung: 'clarify'; readonly why: string; readonly context: readonly string[] }
  | { readonly rung: 're-tier'; readonly why: string; readonly tier: string }
  | ReRole
  | { readonly rung: 're-plan'; readonly why: string }
  | { readonly rung: 'user'; readonly why: string };

interface ReRole {
  readonly rung: 're-role';
  readonly why: string;
  readonly owner: string;
  /** `new`: there was no such role; `probationary`: it has yet to prove itself; `known`: stable, or a core role. */
  readonly standing: 'new' | 'probationary' | 'known';
  readonly seat: SeatRecord;
}

/** The rung for a phase of a run that handed in BLOCKED: the one question of the coordinator and of the hook of a client. */
export function rungFor(run: LadderRun, phase: string, report: StumbleReport, facts: LadderFacts): Climb {
  const { seats, stumbles } = run;
  const known = seats.find(({ name, phase: own = name }) => own === phase) ?? { name: phase };
  const row = facts.talent.find(({ name }) => name === known.name);
  const { rungs, passed } = stumbles[phase] ?? { rungs: [], passed: [] };
  return nextRung({
    ...{ ...facts, phase, report, rungs, passed },
    // A person may have changed the row since the line-up was made; a tier that a rung gave stays.
    seat: row === undefined ? known : { ...known, ...seatOfTalent(row, known), ...tierOf(known) },
    seated: new Set(seats.map(({ name }) => name)),
    canReplan: phase !== 'architect' && seats.some(({ name, phase: own = name }) => own === 'architect'),
  });
}

const tierOf = ({ tier }: SeatRecord) => (tier === undefined ? {} : { tier });

/** The next rung for a role that is stuck. What the code sees beats what the report says of itself; each rung comes once a stumble. */
export function nextRung(facts: StumbleFacts): Climb {
  const { report, rungs } = facts;
  const { diagnosis } = report;
  if (diagnosis === 'decision') return user('it is a decision for a person');
  const tool = deniedTool(facts);
  if (tool !== undefined) return reRole(facts, `it needs ${tool}, which it may not use`, tool);
  if (asksForContext(facts)) {
    const why = `it asks for what is there: ${report.context.join(', ')}`;
    return { rung: 'clarify', why, context: report.context };
  }
  const approach = approachOf(facts.passed);
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
      if (report.context.length === 0) return user('it asks for context that is not in the project');
      return reTier(facts, 'it was given the context it asked for: a stronger model first');
    case undefined:
      return reTier(facts, 'it gives no diagnosis: a stronger model first');
  }
}

/** The cost gate comes before the ladder: only the coordinator knows what was spent. */
export const OVER_BUDGET = 'the budget is spent: a person decides';

function user(why: string): Climb {
  return { rung: 'user', why };
}

/** Files that it names and that are there are missing context, unless it says that something else is the matter. */
function asksForContext({ report: { context, diagnosis }, rungs }: StumbleFacts): boolean {
  if (context.length === 0 || rungs.includes('clarify')) return false;
  return diagnosis === 'context' || (diagnosis === undefined && rungs.length === 0);
}

/** The next tier up; where there is none, somebody else. */
function reTier(facts: StumbleFacts, why: string): Climb {
  if (facts.tiers.length === 0) return reRole(facts, `${why}, but the models of this client have no known order`);
  const tier = facts.rungs.includes('re-tier') ? undefined : nextTier(facts.seat.tier, facts.tiers);
  if (tier !== undefined) return { rung: 're-tier', why, tier };
  return reRole(facts, `${why}; there is no higher tier left`);
}

/** Who takes over: the owner there is, else a new one for what is missing; with neither, a person. */
function reRole(facts: StumbleFacts, why: string, tool?: string): Climb {
  if (facts.rungs.includes('re-role')) return user(`${why}; another owner has already tried`);
  const missing = tool === undefined ? missingRole(facts) : `${facts.phase}-${tool.toLowerCase()}`;
  const owner = ownerOf(facts, tool) ?? usable(facts).find(({ name }) => name === missing);
  if (owner !== undefined) {
    const standing = owner.status === 'probationary' ? 'probationary' : 'known';
    return { rung: 're-role', why, owner: owner.name, standing, seat: seatOfTalent(owner, facts.seat) };
  }
  if (missing !== undefined && !facts.talent.some(({ name }) => name === missing))
    return { rung: 're-role', why, owner: missing, standing: 'new', seat: newSeat(missing, facts, tool) };
  return user(`${why}; it has no owner, and no new role is suggested`);
}

/** A role that nobody had. Its charter is made of names alone: what a report says of it is foreign text. */
function newSeat(name: string, { phase, seat }: StumbleFacts, tool: string | undefined): SeatRecord {
  const charter =
    tool === undefined
      ? `what belongs to the ${name.replaceAll('-', ' ')} and not to the ${phase}`
      : `work of the ${phase} that needs ${tool}`;
  const tools = tool === undefined || seat.tools === undefined ? {} : { tools: `${seat.tools}, ${tool}` };
  return { name, charter, owns: charter, minted: true, ...tierOf(seat), ...tools };
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
  const asked = wordsIn(`${report.needs} ${report.why}`);
  return TOOLS.find((tool) => asked.has(tool.toLowerCase()) && !hasTool(seat.tools, tool));
}

function hasTool(tools: string | undefined, tool: string): boolean {
  const given = wordsIn(tools ?? '');
  return given.size === 0 || given.has('all') || given.has('*') || given.has(tool.toLowerCase());
}

/** Near misses tell apart who is on the way and who is lost; one attempt tells nothing. */
function approachOf(passed: readonly number[]): 'sound' | 'suspect' | 'unclear' {
  const [before, last] = [passed.at(-2), passed.at(-1)];
  if (before === undefined || last === undefined) return 'unclear';
  return last > before ? 'sound' : 'suspect';
}

/** Roles that may take over: neither retired nor in the line-up, where whoever judges would build. */
function usable({ talent, seated, seat }: StumbleFacts): Talent[] {
  return talent.filter(({ name, status }) => status !== 'retired' && name !== seat.name && !seated.has(name));
}

/**
 * The role of the repository that owns it: the one that the report suggests by name, else the one that shares most words with the
 * report, two at least; where a tool is missing, one that has it. Where the report says that something else than ownership is the
 * matter, only what rows say they own can speak against it.
 */
function ownerOf(facts: StumbleFacts, tool?: string): Talent | undefined {
  const { report, seat } = facts;
  const isOpen = report.diagnosis === undefined || report.diagnosis === 'ownership';
  const candidates = usable(facts).filter(({ tools }) => tool === undefined || hasTool(tools, tool));
  const suggested = wordsIn(report.escalation);
  const named = candidates.filter(({ name }) => isOpen && suggested.has(name));
  if (named.length === 1) return named[0];
  const about = axesOf(`${report.why} ${report.needs} ${report.escalation}`);
  const own = axesOf(seat.owns ?? '');
  const [first] = (named.length > 1 ? named : candidates)
    .map((talent) => {
      const words = [...axesOf(isOpen ? `${talent.owns} ${talent.about}` : talent.owns)];
      return { talent, score: words.filter((word) => about.has(word) && !own.has(word)).length };
    })
    .sort((left, right) => right.score - left.score || compareText(left.talent.name, right.talent.name));
  return first !== undefined && first.score >= OWNER_WORDS ? first.talent : undefined;
}

const OWNER_WORDS = 2;

const NAME = '[a-z][a-z0-9-]{1,63}';
/** A name of roles in quotes, behind `role:`, or as whom to give it to: "Re-role to dba." */
const SUGGESTIONS = [
  new RegExp(`[\`"](${NAME})[\`"]`),
  new RegExp(`\\b(?:role|owner)(?:: *| called | named )(${NAME})\\b`, 'i'),
  new RegExp(
    `^(?:(?:re-role|hand it(?: over)?|hand over|give it|pass it(?: on)?|escalate) +to +)?(?:the +|an? +)?(${NAME})(?: +role)?(?=[.,;:!\\n]|$)`,
    'i',
  ),
];

/** The role that the report asks for, where it suggests one. */
function missingRole({ report, seat, seated }: StumbleFacts): string | undefined {
  const text = report.escalation.trim();
  for (const suggestion of SUGGESTIONS) {
    const name = suggestion.exec(text)?.[1]?.toLowerCase().replace(/-+$/, '');
    if (name !== undefined && name !== seat.name && !NO_NAMES.has(name)) return seated.has(name) ? undefined : name;
  }
  return undefined;
}

/** Rungs, and words that stand where a name could. */
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

/** How a rung stands in the log of the lane; what is counted over runs is read from there. */
export function escalationLine(phase: string, seat: string, climb: Climb): string {
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

const PROPOSED_AT = 3;

/** What many climbs ask for, from the logs of all runs: three re-tiers of a role a tier for good, three hops to a role that no line-up has a seat. */
export function proposalsOf(escalations: readonly string[]): LadderProposal[] {
  const count = (pattern: RegExp) => {
    const counts = new Map<string, number>();
    for (const line of escalations) {
      const [, name] = pattern.exec(line) ?? [];
      if (name !== undefined) countUp(counts, name);
    }
    return [...counts]
      .filter(([, number]) => number >= PROPOSED_AT)
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
