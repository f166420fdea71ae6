import { inert, plural } from '#kernel/text.js';
import type { AnswerOf, Renderer, Renderers, Screen } from '#surfaces/cli/screen.js';

const renderSend: Renderer<'bus.send'> = ({ conversation_id, task_id }, screen) => {
  screen.line(`Queued: ${inert(conversation_id)}`);
  if (task_id !== null) screen.aside(`The answer comes in task ${inert(task_id)}.`);
};

/** Prints the effect of the answer on the task: an active run reads it, a waiting one resumes. */
const renderAnswer: Renderer<'task.answer'> = ({ id, status }, screen) => {
  const goesOn = status === 'in-progress' ? 'its run can read it now' : 'its session continues with it';
  screen.line(`Answered ${inert(id)}: ${goesOn}.`);
};

const renderClosed: Renderer<'bus.reply' | 'bus.close'> = ({ conversation_id, state, withdrawn }, screen) => {
  screen.line(`${inert(conversation_id)} is ${state}.`);
  if (withdrawn.length > 0) screen.aside(`Also closed ${plural(withdrawn.length, 'conversation')} opened from it.`);
};

const renderEscalate: Renderer<'bus.escalate'> = ({ to, conversation_id }, screen) => {
  screen.line(`Asked ${inert(to)}: ${inert(conversation_id)}`);
};

const renderList: Renderer<'bus.list'> = ({ conversations }, screen) => {
  if (conversations.length === 0) screen.line('No conversations yet. Open one with `troupe send ID "…"`.');
  for (const { conversation_id, state, initiator, recipient, task_id } of conversations) {
    screen.line(`${state.padEnd(9)} ${inert(initiator)} → ${inert(recipient)}  ${screen.colour.dim(task_id ?? '')}`);
    screen.line(`   ${inert(conversation_id)}`);
  }
};

const renderInbox: Renderer<'bus.inbox'> = ({ messages }, screen) => {
  if (messages.length === 0) screen.line('No unread messages.');
  for (const message of messages) mail(message, screen);
};

const renderRead: Renderer<'bus.read'> = ({ conversation, messages }, screen) => {
  screen.line(`${conversation.state}: ${inert(conversation.conversation_id)}`);
  for (const message of messages) mail(message, screen);
};

const renderAck: Renderer<'bus.ack'> = ({ conversation_id, number }, screen) => {
  screen.line(`Read up to ${number}: ${inert(conversation_id)}`);
};

const renderUndelivered: Renderer<'bus.undelivered'> = ({ messages }, screen) => {
  if (messages.length === 0) screen.line('Nothing is undelivered.');
  for (const { message_id, member, why } of messages)
    screen.line(`${inert(message_id)}  ${inert(member)}  ${screen.colour.dim(inert(why))}`);
};

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
  'bus.send': renderSend,
  'bus.reply': renderClosed,
  'task.answer': renderAnswer,
  'bus.close': renderClosed,
  'bus.escalate': renderEscalate,
  'bus.list': renderList,
  'bus.inbox': renderInbox,
  'bus.read': renderRead,
  'bus.ack': renderAck,
  'bus.undelivered': renderUndelivered,
} satisfies Partial<Renderers>;
