import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';

/** Prints messages that came with the answer to a report. */
export function printNews(messages: AnswerOf<'task.log'>['messages'], screen: Screen): void {
  for (const { from, at, text } of messages ?? []) {
    screen.line(`Message from ${inert(from)}, ${ago(at)}:`);
    for (const line of inert(text, true).split(/\r?\n/)) screen.line(`   ${line}`);
  }
}

export const renderers = {
  /** Confirms that the message is stored, and prints what will read it: a run, the next attempt or a waiting task. */
  'msg.send': ({ number, task, events }, screen) => {
    if (!task) return;
    const id = inert(task.id);
    const woken = events.some((event) => event.op === 'wake' && event.task_id === task.id);
    const { assigned, status } = task;
    const isRead = typeof assigned === 'string' && status === 'in-progress';
    const isOver = status === 'done' || status === 'abandoned';
    const next = `the next attempt will read it${isOver ? ', if there is one' : ''}`;
    const who = isRead ? `${inert(assigned)} can read it now` : next;
    screen.line(`Message ${number} about ${id} is sent; ${woken ? 'the waiting task resumes' : who}.`);
  },
  /** Prints the answer of `msg list` or `msg read`: the full text of each message below its sender and time. */
  ...sharedBy(['msg.list', 'msg.read'], (output, screen) => {
    const { task_id, messages, unread, asks } = output;
    const { colour } = screen;
    const id = inert(task_id);
    if (messages.length === 0)
      return screen.line(
        unread === undefined
          ? `No new messages about ${id}. Show all with \`troupe msg list ${id}\`.`
          : `No messages about ${id} yet. Send one with \`troupe msg send ${id} "…"\`.`,
      );
    for (const message of messages) {
      const urgent = message.priority === 'normal' ? '' : `  ${paint(message.priority)}`;
      const fresh = message.unread && unread !== undefined ? `  ${colour.cyan('new')}` : '';
      const when = colour.dim(ago(message.at));
      const unseen = 'seen' in message && !message.seen ? colour.dim('  no run has read it yet') : '';
      screen.line(
        `${colour.dim(`#${message.number}`)} ${colour.bold(inert(message.from))}  ${when}${urgent}${fresh}${unseen}`,
      );
      for (const line of inert(message.text, true).split(/\r?\n/)) screen.line(`   ${line}`);
    }
    if (typeof asks === 'string') screen.aside(`Its run asks you: answer with \`troupe answer ${id} "…"\`.`);
    if (unread !== undefined && unread > 0)
      screen.aside(
        `${plural(unread, 'message')} new to you: \`troupe msg read ${id}\` shows them and marks them read.`,
      );

    function paint(priority: string): string {
      return priority === 'urgent' || priority === 'high' ? colour.yellow(priority) : colour.dim(priority);
    }
  }),
  'msg.poll': ({ task_id, unread }, screen) => {
    const id = inert(task_id);
    if (unread === 0) screen.line(`No new messages about ${id}.`);
    else screen.line(`${plural(unread, 'new message')} about ${id}. Read with \`troupe msg read ${id}\`.`);
  },
} satisfies Partial<Renderers>;
