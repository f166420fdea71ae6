import { noticeBookIn } from '#core/coordinator/notice-book.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { inSentence, plural } from '#kernel/text.js';
import type { Problem } from './problem.js';

/** Channels that accept no notices, so that a person is not told what needs them. */
export function channelProblems(view: GraphView): Problem[] {
  return (noticeBookIn(view)?.troubles ?? []).map(({ channel, text, since, lost }): Problem => {
    const undelivered = lost === 0 ? '' : `. ${plural(lost, 'notice')} not delivered`;
    return {
      kind: 'channel',
      task: null,
      title: null,
      text: `Notices by ${channel} fail: ${inSentence(text)}${undelivered}`,
      since: timestamp(since),
      command: 'troupe notify test',
    };
  });
}
