import path from 'node:path';
import type { ErrandFailure } from '#core/coordinator/errand.js';
import type { Decision } from '#core/coordinator/parts.js';
import { keptOf, type PeopleFacts, type Replies, type TellDecision } from '#core/coordinator/people.js';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { taskNotice } from '#core/people/notice.js';
import type { Person } from '#core/people/person.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import type { Errands } from './errands.js';

export interface PeopleDeskOptions {
  readonly context: Pick<Context, 'clock' | 'projectFolder' | 'notifier' | 'replies'>;
  /** Those there are, by the id of their agent; asked at every look. */
  readonly known: () => Promise<ReadonlyMap<string, Person>>;
  /** Up to where the room was read in an earlier life, and where that is kept. */
  readonly since?: string;
  readonly saveSince?: (since: string) => void;
}

type Carried = Extract<Decision, { do: 'hand-over' | 'give-back' | 'tell' | 'read-replies' | 'heard' }>;

/** People as the coordinator sees them: who there is, who holds what, and the ways to tell them and to hear of them. */
export class PeopleDesk {
  private readonly options: PeopleDeskOptions;
  private held: Set<string> | undefined;
  private since: string | undefined;
  private readAt = 0;

  constructor(options: PeopleDeskOptions) {
    this.options = options;
    this.since = options.since;
  }

  /** The graph is walked once in a life; after that, what was handed over is remembered. */
  async facts(view: GraphView): Promise<PeopleFacts> {
    this.held ??= new Set(heldIn(view));
    for (const id of this.held) if (!keptOf(view.task(id))) this.held.delete(id);
    const lookAgain = this.options.context.clock.now() - this.readAt >= LIMITS.repliesEveryMs;
    return { known: await this.options.known(), held: [...this.held], lookAgain };
  }

  /** Answers how many facts changed at once; what takes its time is an errand. */
  async carryOut(decision: Carried, errands: Errands, view: GraphView): Promise<number> {
    switch (decision.do) {
      case 'hand-over':
        this.held?.add(decision.task);
        return 0;
      case 'give-back':
        return 1;
      case 'tell':
        errands.start(decision.key, () => answered(() => this.tell(decision, view)));
        return 0;
      case 'read-replies':
        this.readAt = this.options.context.clock.now();
        errands.start(decision.key, () => answered(() => this.read()));
        return 0;
      case 'heard':
        errands.forget(decision.key);
        if (decision.since !== undefined) this.goOnFrom(decision.since);
        return 1;
    }
  }

  private async tell(decision: TellDecision, view: GraphView): Promise<{ of: 'told' } | ErrandFailure> {
    const { clock, projectFolder, notifier } = this.options.context;
    const { person, task: id, number, claimedAt } = decision;
    const task = view.task(id);
    if (!task) return { of: 'error', text: 'the task is gone' };
    if (!person.channel || !person.contact)
      throw new TroupeError('bad_input', { what: `${person.name} has no contact.` });
    const room = person.channel === 'matrix';
    if (room && this.since === undefined)
      this.goOnFrom((await (await this.options.context.replies()).read(undefined)).since);
    const run = `${id.replace(/[^A-Za-z0-9_-]/g, '-')}-${task.fence ?? 0}`;
    const project = path.basename(projectFolder);
    const notice = taskNotice(task, { run, claimedAt, number, now: clock.now(), project, room });
    await (await notifier(person.channel)).send({ ...notice, to: person.contact });
    return { of: 'told' };
  }

  private async read(): Promise<Replies> {
    const { since, replies } = await (await this.options.context.replies()).read(this.since);
    // Whoever never read before has no past to take orders from.
    return { of: 'replies', since, replies: this.since === undefined ? [] : replies };
  }

  private goOnFrom(since: string): void {
    this.since = since;
    this.options.saveSince?.(since);
  }
}

/** With the reason why it could not be done: whoever mends it needs that. */
async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer | ErrandFailure> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { of: 'error', text: [error.message, error.why ?? error.hint].filter(Boolean).join(' ') };
  }
}

function* heldIn(view: GraphView): Iterable<string> {
  if (view.count('in-progress') === 0) return;
  for (const node of view.nodes()) if (isTask(node) && keptOf(node)) yield node.id;
}
