import type { OutboxRow } from '#core/mail/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import type { Queried } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import { uuidOf } from '#kernel/uuid.js';
import { activeTeam, EMPTY_TEAM_PLAN, type TeamCall, type TeamPlan, type TeamsView } from './changes.js';
import {
  defaultRecipients,
  type MailType,
  mentionsIn,
  type NewTeamMessage,
  type Recipient,
  recipientsOf,
  SYSTEM,
  type TeamMessage,
  threadOf,
} from './mail.js';
import { reachesSessionHint } from './session.js';
import { admitWakeUps, wakeUpLimitNotice } from './storm.js';
import {
  planningTaskId,
  type Strata,
  shortTeamId,
  startStrata,
  strataAfterAttempt,
  strataInForce,
  strataInProgress,
} from './strata.js';
import type { TalkRows, WakeUp } from './talk.js';
import { leaderOf, type MemberPosition, memberNamed, presentMembers, type Team, type TeamMember } from './team.js';
import { memberTaskRow, planningRow } from './team-tasks.js';

/** Sender of a team message. A run counts as the member of its task. */
export interface TeamSpeaker {
  /** `human/ann`, `crew/lead`, `crew/hicks`. */
  readonly id: string;
  readonly name: string;
  readonly position: MemberPosition | null;
  /** Slug; undefined unless a member. */
  readonly member: string | undefined;
  /** Task of the run; undefined for a person. */
  readonly task: string | undefined;
  /** Time the run received its mail, in milliseconds; a sender has read that mail. */
  readonly toldAt: number | undefined;
}

export interface Saying {
  /** Unique; a message with a known id is returned as stored. */
  readonly id: string;
  readonly speaker: TeamSpeaker;
  readonly body: string;
  readonly type: MailType;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: string | undefined;
  readonly task: string | undefined;
  /** True if the planning task has ended in the graph without a recorded result. */
  readonly planningOver: boolean;
}

export interface SaidResult {
  readonly team: Team;
  readonly message: NewTeamMessage;
  /** Members that get a turn because of the message. */
  readonly woken: readonly string[];
  /** Whether this message makes the leader plan first. */
  readonly planning: boolean;
  readonly notices: readonly string[];
}

/**
 * Something is said to a team: kept, told to whom it is for, and answered by turns, which are ordinary tasks. The first message has the
 * leader plan before anybody acts; until there is a plan only the leader is called. Errors: `not_found`, `team_disbanded`,
 * `team_archived`.
 */
export function* sayToTeam(
  view: TeamsView,
  word: string,
  saying: Saying,
  call: TeamCall,
): Queried<TeamPlan<SaidResult>> {
  const team = yield* activeTeam(view, word);
  const before = yield* view.message(saying.id);
  if (before) {
    const result = { team, message: before, woken: [], planning: false, notices: [] };
    return { ...EMPTY_TEAM_PLAN, result };
  }
  return yield* new Said(view, team, saying, call).plan();
}

class Said {
  private readonly view: TeamsView;
  private readonly team: Team;
  private readonly saying: Saying;
  private readonly call: TeamCall;
  private readonly rows: { -readonly [Part in keyof TalkRows]: TalkRows[Part][number][] } = {
    strata: [],
    messages: [],
    wakeUps: [],
    sessions: [],
    reads: [],
    inUse: [],
  };
  private readonly outbox: OutboxRow[] = [];

  constructor(view: TeamsView, team: Team, saying: Saying, call: TeamCall) {
    this.view = view;
    this.team = team;
    this.saying = saying;
    this.call = call;
  }

  *plan(): Queried<TeamPlan<SaidResult>> {
    const { team } = this;
    const answered = yield* this.answered();
    const rows = yield* this.strataRows();
    const leader = this.planner();
    const claim = leader && startStrata(rows, team, this.call.at);
    const leads = leader !== undefined && strataInForce(rows) === undefined;
    const recipients = this.recipients(answered, leads ? leader : undefined);
    const message = yield* this.message(recipients, answered);
    this.rows.messages.push(message);
    const { member, toldAt } = this.saying.speaker;
    if (member !== undefined && toldAt !== undefined)
      this.rows.reads.push({ teamId: team.id, member, until: toldAt, at: this.call.at });
    if (claim) yield* this.begin(claim, recipients);
    const first = leads && (claim !== undefined || this.saying.speaker.task === undefined);
    const callable = first ? [leader.slug] : recipients.flatMap(({ member, role }) => (role === 'to' ? [member] : []));
    // While the plan is made the leader's turn waits for it already, and will be told of this message too.
    const waits = leads && !claim && strataInProgress(rows) !== undefined;
    const woken = waits ? [] : yield* this.wake(callable, message, claim);
    yield* this.hint(message);
    const after = claim && team.nameAuto ? { ...team, nameAuto: false } : undefined;
    const notices = this.rows.messages.slice(1).map(({ body }) => body);
    const event = { teamId: team.id, at: this.call.at, by: this.call.by };
    return {
      ...EMPTY_TEAM_PLAN,
      team: after,
      events: claim
        ? [{ ...event, kind: 'strata-planning', payload: { version: claim.version, tries: claim.tries } }]
        : [],
      outbox: this.outbox,
      talk: this.rows,
      result: { team: after ?? team, message, woken, planning: claim !== undefined, notices },
    };
  }

  private *answered(): Queried<TeamMessage | undefined> {
    const { replyTo } = this.saying;
    if (replyTo === undefined) return undefined;
    const answered = yield* this.view.message(replyTo);
    if (answered?.teamId === this.team.id) return answered;
    throw new TroupeError('not_found', {
      what: `${inert(this.team.name)} has no message ${inert(replyTo)}.`,
      hint: 'Run `troupe team chat TEAM --json` to see their ids.',
      details: { team: this.team.name },
    });
  }

  /** As they are; a try that ended without a word has failed. */
  private *strataRows(): Queried<readonly Strata[]> {
    const strata = yield* this.view.strata(this.team.id);
    const lost = this.saying.planningOver ? strataInProgress(strata) : undefined;
    if (!lost) return strata;
    const failed = strataAfterAttempt(strata, lost, { state: 'failed' }, null);
    this.rows.strata.push(failed);
    return [...strata.slice(0, -1), failed];
  }

  /** The leader, if it can be given a task. */
  private planner(): TeamMember | undefined {
    const leader = leaderOf(this.team);
    return leader && canAct(leader) ? leader : undefined;
  }

  private recipients(answered: TeamMessage | undefined, leader: TeamMember | undefined): readonly Recipient[] {
    const { team, saying } = this;
    const { member } = saying.speaker;
    const author = presentMembers(team).find(({ slug }) => slug === answered?.member)?.slug;
    const implied = [...mentionsIn(saying.body, team), ...(author === undefined ? [] : [author])];
    // A message of an agent without recipients is visible to all, and gives no member a turn.
    const usual = implied.length === 0 && saying.speaker.task === undefined ? defaultRecipients(team, member) : implied;
    const unnamed = saying.cc.length > 0 ? implied : usual;
    const to = saying.to.length > 0 ? saying.to : unnamed;
    const whole = leader && leader.slug !== member ? [...to, leader.slug] : to;
    return recipientsOf(team, { to: whole, cc: saying.cc }).filter((recipient) => recipient.member !== member);
  }

  private *message(recipients: readonly Recipient[], answered: TeamMessage | undefined): Queried<NewTeamMessage> {
    const { saying, team, call } = this;
    const { speaker, id, body, type } = saying;
    const turn = speaker.task === undefined ? undefined : yield* this.view.wakeUp(speaker.task);
    return {
      id,
      teamId: team.id,
      sender: speaker.id,
      senderName: speaker.name,
      position: speaker.position,
      type,
      body,
      member: speaker.member ?? null,
      thread: threadOf(id, answered),
      replyTo: saying.replyTo ?? null,
      task: saying.task ?? null,
      origin: turn?.origin ?? (speaker.task === undefined ? id : `task:${speaker.task}`),
      depth: turn?.depth ?? 0,
      recipients,
      createdAt: call.at,
    };
  }

  /** Starts the planning, and notifies the other recipients that they wait. */
  private *begin(claim: Strata, recipients: readonly Recipient[]): Queried<void> {
    const { team } = this;
    const leader = leaderOf(team);
    this.rows.strata.push(claim);
    this.outbox.push(planningRow(team, claim, this.call));
    const others = recipients.filter(({ member }) => member !== leader?.slug).map(({ member }) => `@${member}`);
    if (others.length > 0) {
      const names = others.join(', ');
      yield* this.notice(
        `planning ${claim.version} ${claim.tries}`,
        `${leader?.name} plans first; ${names} will act by that plan.`,
        others.map((one) => one.slice(1)),
      );
    }
  }

  /** A turn for each, as far as the bounds allow; a member's turns come one after the other. */
  private *wake(
    members: readonly string[],
    message: NewTeamMessage,
    claim: Strata | undefined,
  ): Queried<readonly string[]> {
    const { team, view, saying, call } = this;
    const { speaker } = saying;
    const wanted = presentMembers(team).filter(
      (member) => members.includes(member.slug) && canAct(member) && member.slug !== speaker.member,
    );
    const { members: admitted, limit } = admitWakeUps(
      wanted.map(({ slug }) => slug),
      {
        depth: message.depth,
        wakeUps: speaker.task === undefined ? 0 : yield* view.wakeUpsBy(speaker.task),
        activations: yield* view.wakeUpsOf(message.origin),
      },
    );
    const number = (yield* view.lastNumber(team.id)) + 1;
    for (const [index, slug] of admitted.entries()) {
      const member = memberNamed(team, slug);
      const previous = yield* view.latestTurn(team.id, slug);
      const wakeUp: WakeUp = {
        task: turnTask(team.id, number, index + 1),
        teamId: team.id,
        member: slug,
        origin: message.origin,
        depth: message.depth + 1,
        cause: speaker.task ?? null,
        createdAt: call.at,
      };
      this.rows.wakeUps.push(wakeUp);
      const wish = {
        id: wakeUp.task,
        title: `${team.name}: answer ${speaker.name}`,
        description: TURN,
        member,
        after: [...(previous === undefined ? [] : [previous]), ...(claim ? [planningTaskId(team.id, claim)] : [])],
      };
      this.outbox.push(memberTaskRow(team, wish, call));
    }
    if (limit) yield* this.notice(`storm ${message.origin}`, wakeUpLimitNotice(limit), []);
    return admitted;
  }

  /** A thread that has become long: its leader is told once that they might meet. */
  private *hint({ thread }: NewTeamMessage): Queried<void> {
    const leader = leaderOf(this.team);
    if (!leader || !reachesSessionHint((yield* this.view.threadLength(thread)) + 1)) return;
    yield* this.notice(
      `thread ${thread}`,
      `This thread has ${TALK_LIMITS.threadHintMessages} messages. \`troupe team session-start ${this.team.id} TOPIC\` lets those who write in it settle it.`,
      [leader.slug],
      thread,
    );
  }

  /** Said once: its id follows from what it is about. */
  private *notice(about: string, body: string, to: readonly string[], thread?: string): Queried<void> {
    const id = uuidOf(`notice ${this.team.id} ${about}`);
    if (yield* this.view.message(id)) return;
    this.rows.messages.push(systemMessage(this.team, { id, body, to, at: this.call.at, thread }));
  }
}

/** A message of the system to a team. It wakes no member. */
export function systemMessage(
  team: Team,
  {
    id,
    body,
    to,
    at,
    thread,
    task,
  }: {
    readonly id: string;
    readonly body: string;
    readonly to: readonly string[];
    readonly at: number;
    readonly thread?: string | undefined;
    readonly task?: string;
  },
): NewTeamMessage {
  return {
    id,
    teamId: team.id,
    ...SYSTEM,
    type: 'system_notification',
    body,
    thread: thread ?? id,
    replyTo: null,
    task: task ?? null,
    origin: id,
    depth: 0,
    createdAt: at,
    recipients: to.map((member) => ({ member, role: 'to', readAt: null })),
  };
}

/** Description of a turn; the mail itself is part of the prompt of its run. */
const TURN =
  'You were written to in your team. Read the mail, do what it asks of you as far as it is yours, and answer the team.';

/** Whether a member can be assigned a task. People read for themselves; observers do nothing. */
export function canAct({ position, status, person }: TeamMember): boolean {
  return position !== 'observer' && status === 'active' && person === null;
}

function turnTask(teamId: string, message: number, index: number): string {
  return `.turn-${shortTeamId(teamId)}-${message}-${index}`;
}
