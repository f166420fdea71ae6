import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { MailRight } from '#core/mail/conversation.js';
import { participantId, type Roster } from '#core/mail/derive.js';
import { type Directory, type DirectoryParty, rosterOf } from '#core/mail/directory.js';
import { clientForm } from '#core/mail/effective.js';
import { beginTurn } from '#core/mail/turns.js';
import type { ExecutorPlan } from '#core/runs/plan.js';
import type { Identity, PromptFacts } from '#core/runs/prompt-facts.js';
import { gateOf, reviewedBy } from '#core/teams/ask-review.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { projectEscalation } from '#operations/project-escalation.js';
import { loadDirectory } from './load-directory.js';
import { taskIdentity } from './speaker.js';

/** Conversation data in the prompt of a task's turn. */
export interface TurnMail extends Pick<PromptFacts, 'conversation' | 'roster'> {
  readonly messages: NonNullable<PromptFacts['messages']>;
  /** Its roster, in the format of clients. */
  readonly agents: ExecutorPlan['agents'];
  /** Identity in which the task is done. */
  readonly self: Pick<Identity, 'member' | 'agent'>;
  /** Permission to use conversations. */
  readonly right: MailRight;
  /** Ids of the messages shown. */
  readonly shown: readonly string[];
}

/**
 * Returns the conversation data of a task that has a conversation, has asked others, belongs to a member with
 * subordinates, or is a review that may be escalated to a person; undefined for all others. Read-only.
 */
export async function turnMail(context: WorkContext, view: GraphView, task: Task): Promise<TurnMail | undefined> {
  const mailStore = await context.mail();
  const involved =
    task.conversation !== undefined || (await mailStore.taskMail()).some(({ task: of }) => of === task.id);
  const reviewed = view.task(reviewedBy(task)?.task ?? '');
  const mayAsk = reviewed !== undefined && (await projectEscalation(context))[gateOf(reviewed)] !== 'never';
  // Other tasks about team work, and tasks that carry team messages, get their messages elsewhere.
  if (!involved && !mayAsk && (task.member === undefined || task.id.startsWith('.'))) return undefined;
  const directory = await directoryFor(context, involved);
  if (!directory) return undefined;
  const id = await taskIdentity(context, directory, task);
  if (id === undefined || (!involved && !mayAsk && directory.get(id)?.listener !== true)) return undefined;
  const own = await mailStore.ofTask(task.id);
  const mail = await mailStore.inbox(id, { task: task.id, limit: TEAM_LIMITS.promptMessages });
  const [first] = own ? await mailStore.messages(own.id, { after: 0, limit: 1 }) : [];
  const asker = own?.openedBy == null ? undefined : view.task(own.openedBy);
  const party = directory.get(id);
  const roster: Roster = party && !reviewed ? rosterOf(directory, party, own?.initiator) : new Map();
  return {
    ...(own && first
      ? { conversation: { id: own.id, from: own.initiator, text: first.body, checkpoint: asker?.checkpoint } }
      : {}),
    roster: [...roster].map(([name, entry]) => ({ name, id: participantId(name, entry), about: entry.description })),
    agents: clientForm(roster),
    messages: mail
      .filter((message) => message.id !== first?.id)
      .map(({ sender: from, created_at, body, type, conversation }) => ({
        from,
        at: timestamp(created_at),
        text: `${type} in conversation ${conversation}\n${body}`,
        asks: type === 'message' && conversation !== own?.id,
      })),
    self: party === undefined ? {} : selfOf(party),
    right: party?.listener && !reviewed ? 'send' : 'reply',
    shown: mail.map((message) => message.id),
  };
}

/**
 * Loads the directory. A task without conversations can start even if the rosters cannot be read; it cannot ask others
 * then.
 */
async function directoryFor(context: WorkContext, involved: boolean): Promise<Directory | undefined> {
  try {
    return await loadDirectory(context);
  } catch (error) {
    if (involved || !(error instanceof TroupeError)) throw error;
    return undefined;
  }
}

function selfOf({ id, name, prompt, place }: DirectoryParty): TurnMail['self'] {
  if (place !== undefined) return { agent: { name, id, ...place, file: prompt } };
  return prompt === undefined ? {} : { member: { name: id, charter: prompt } };
}

/**
 * Starts the turn under this claim: later writes under an older claim are rejected, and the shown messages are
 * recorded.
 */
export async function beginTurnOf(
  context: Pick<Context, 'mail'>,
  { task, fence, mail }: { readonly task: string; readonly fence: number; readonly mail: TurnMail | undefined },
): Promise<void> {
  if (!mail) return;
  const mailStore = await context.mail();
  await mailStore.change((view) => beginTurn(view, { task, fence }));
  await mailStore.show(task, fence, mail.shown);
}
