import { inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';

type MailRow = AnswerOf<'bus.inbox'>['messages'][number];

/** Prints the full text of a message below its sender and time. */
function mail({ message_id, from, text, at, type }: MailRow, { line, colour }: Screen): void {
  const kind = type === 'message' ? '' : `  ${colour.yellow(type)}`;
  line(
    `${colour.bold(inert(from))}  ${colour.dim(`${at.slice(0, 16).replace('T', ' ')}  ${inert(message_id)}`)}${kind}`,
  );
  for (const each of inert(text, true).split(/\r?\n/)) line(`   ${each}`);
}

export const renderers = {
  'bus.send': ({ conversation_id, task_id }, screen) => {
    screen.line(`Queued: ${inert(conversation_id)}`);
    if (task_id !== null) screen.aside(`The answer comes in task ${inert(task_id)}.`);
  },
  ...sharedBy(['bus.reply', 'bus.close'], ({ conversation_id, state, withdrawn }, screen) => {
    screen.line(`${inert(conversation_id)} is ${state}.`);
    if (withdrawn.length > 0) screen.aside(`Also closed ${plural(withdrawn.length, 'conversation')} opened from it.`);
  }),
  /** Prints the effect of the answer on the task: an active run reads it, a waiting one resumes. */
  'task.answer': ({ id, status }, screen) => {
    const goesOn = status === 'in-progress' ? 'its run can read it now' : 'its session continues with it';
    screen.line(`Answered ${inert(id)}: ${goesOn}.`);
  },
  'bus.escalate': ({ to, conversation_id }, screen) => screen.line(`Asked ${inert(to)}: ${inert(conversation_id)}`),
  'bus.list': ({ conversations }, screen) => {
    if (conversations.length === 0) screen.line('No conversations yet. Open one with `troupe send ID "…"`.');
    for (const { conversation_id, state, initiator, recipient, task_id } of conversations) {
      screen.line(`${state.padEnd(9)} ${inert(initiator)} → ${inert(recipient)}  ${screen.colour.dim(task_id ?? '')}`);
      screen.line(`   ${inert(conversation_id)}`);
    }
  },
  'bus.inbox': ({ messages }, screen) => {
    if (messages.length === 0) screen.line('No unread messages.');
    for (const message of messages) mail(message, screen);
  },
  'bus.read': ({ conversation, messages }, screen) => {
    screen.line(`${conversation.state}: ${inert(conversation.conversation_id)}`);
    for (const message of messages) mail(message, screen);
  },
  'bus.ack': ({ conversation_id, number }, screen) => screen.line(`Read up to ${number}: ${inert(conversation_id)}`),
  'bus.undelivered': ({ messages }, screen) => {
    if (messages.length === 0) screen.line('Nothing is undelivered.');
    for (const { message_id, member, why } of messages)
      screen.line(`${inert(message_id)}  ${inert(member)}  ${screen.colour.dim(inert(why))}`);
  },
} satisfies Partial<Renderers>;
