import path from 'node:path';
import type { ErrandFailure } from '#core/coordinator/errand.js';
import {
  NOTIFY_ERRAND,
  personClaim,
  REPLIES,
  type RoomReplies,
  type TellDecision,
  type WithPeople,
} from '#core/coordinator/people.js';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { taskNotice } from '#core/mail/notice.js';
import type { Person } from '#core/mail/person.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext } from '#operations/contexts.js';
import { failureText } from '#operations/failure-text.js';
import type { HostTools } from './host.js';
import { commitOnly, type FactsInput, type HostOf } from './host.js';

/** Read cursor of the room from a previous service, and its storage. */
export interface RoomMark {
  readonly since: string | undefined;
  save(since: string): void;
}

interface PeopleNotifierParts {
  readonly context: MachineContext;
  /** People by the id of their agent; read for every round. */
  readonly people: () => Promise<ReadonlyMap<string, Person>>;
  readonly room: RoomMark;
}

/** Host for people: their claims, and the channels for notices and replies. */
export class PeopleNotifier implements HostOf<'people'> {
  private readonly parts: PeopleNotifierParts;
  private readonly tools: Pick<HostTools, 'errands'>;
  private claims: Set<string> | undefined;
  private since: string | undefined;
  private readAt = 0;

  constructor(tools: Pick<HostTools, 'errands'>, parts: PeopleNotifierParts) {
    this.tools = tools;
    this.parts = parts;
    this.since = parts.room.since;
  }

  /** Scans the graph once; after that, hand-overs are remembered. */
  readonly facts = async ({ view }: FactsInput): Promise<WithPeople> => {
    this.claims ??= new Set(heldIn(view));
    for (const id of this.claims) if (!personClaim(view.task(id))) this.claims.delete(id);
    const lookAgain = this.parts.context.clock.now() - this.readAt >= TEAM_LIMITS.repliesEveryMs;
    return { people: { byAgent: await this.parts.people(), claimed: [...this.claims], lookAgain } };
  };

  readonly carryOut: HostOf<'people'>['carryOut'] = {
    'hand-over': ({ task }) => {
      this.claims?.add(task);
      return 0;
    },
    'give-back': commitOnly,
    tell: (decision, view) => {
      this.tools.errands.start(NOTIFY_ERRAND, decision.key, (signal) =>
        withReason(() => this.tell(decision, view, signal)),
      );
      return 0;
    },
    'read-replies': ({ key }) => {
      this.readAt = this.parts.context.clock.now();
      this.tools.errands.start(REPLIES, key, () => withReason(() => this.read()));
      return 0;
    },
    heard: ({ key, since }) => {
      this.tools.errands.forget(key);
      if (since !== undefined) this.resumeFrom(since);
      return 1;
    },
  };

  private async tell(
    decision: TellDecision,
    view: GraphView,
    signal: AbortSignal,
  ): Promise<{ of: 'told' } | ErrandFailure> {
    const { clock, projectFolder, notifier } = this.parts.context;
    const { person, task: id, number, claimedAt } = decision;
    const task = view.task(id);
    if (!task) return { of: 'error', text: 'the task no longer exists' };
    if (!person.channel || !person.contact)
      throw new TroupeError('bad_input', {
        what: `${person.name} has no contact.`,
        hint: 'Run `troupe agency edit agent AGENT --contact ADDRESS`.',
      });
    const room = person.channel === 'matrix';
    if (room && this.since === undefined)
      this.resumeFrom((await (await this.parts.context.replies()).read(undefined)).since);
    const run = `${id.replace(/[^A-Za-z0-9_-]/g, '-')}-${task.fence ?? 0}`;
    const project = path.basename(projectFolder);
    const notice = taskNotice(task, { run, claimedAt, number, now: clock.now(), project, room });
    await (await notifier(person.channel)).send({ ...notice, to: person.contact }, signal);
    return { of: 'told' };
  }

  private async read(): Promise<RoomReplies> {
    const { since, replies } = await (await this.parts.context.replies()).read(this.since);
    // On the very first read, earlier messages are not taken as replies.
    return { of: 'replies', since, replies: this.since === undefined ? [] : replies };
  }

  private resumeFrom(since: string): void {
    this.since = since;
    this.parts.room.save(since);
  }
}

/** Turns an error into a failure that includes its cause, which helps to fix it. */
export async function withReason<Answer>(work: () => Promise<Answer>): Promise<Answer | ErrandFailure> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { of: 'error', text: failureText(error) };
  }
}

function* heldIn(view: GraphView): Iterable<string> {
  if (view.count('in-progress') === 0) return;
  for (const node of view.nodes()) if (isTask(node) && personClaim(node)) yield node.id;
}
