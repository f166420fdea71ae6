import type { Task } from '#core/graph/task.js';
import type { Directory } from '#core/mail/directory.js';
import type { Speaker } from '#core/mail/send.js';
import { TroupeError } from '#kernel/errors.js';
import { slugOf } from '#kernel/slug.js';
import type { WorkContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { participantOf } from '#operations/participant.js';

/**
 * Identifies the speaker; callers cannot choose it. A person speaks as themselves, a run as the assignee of its task,
 * and only while it holds that task. Errors: `stale_attempt`, `not_yours`, `routing_refused` for a run that is in no
 * roster.
 */
export async function speakerOf(context: WorkContext, directory: Directory): Promise<Speaker> {
  const { name: by, sender, task } = await participantOf(context, undefined);
  if (task === undefined) return { id: sender, by, task: undefined, fence: undefined };
  const id = await taskIdentity(context, directory, task);
  if (id !== undefined) return { id, by, task: task.id, fence: task.fence };
  throw new TroupeError('routing_refused', {
    what: `${task.id} is not assigned to anyone, so it has no roster.`,
    hint: `Use \`troupe msg send ${task.id} TEXT\`.`,
  });
}

/** Returns the identity in which a task is done: the recipient of its conversation, else the team member it names. */
export async function taskIdentity(
  context: Pick<Context, 'mail'>,
  directory: Directory,
  task: Task,
): Promise<string | undefined> {
  if (task.conversation !== undefined) return (await (await context.mail()).conversation(task.conversation))?.recipient;
  const slug = task.member === undefined ? undefined : slugOf(task.member);
  if (slug === undefined) return undefined;
  const parties = [...directory.values()].filter(({ member }) => member !== undefined && slugOf(member) === slug);
  const own = parties.find(({ team }) => team === task.team) ?? parties.find(({ team }) => team === undefined);
  return own?.id;
}
