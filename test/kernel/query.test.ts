import { expect } from 'vitest';
import { MAIL_VIEW, type MailAnswers } from '#core/mail/conversation.js';
import { send } from '#core/mail/send.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Queried, type Query, queriesOf, withoutQueries } from '#kernel/query.js';
import { answered } from '../answered.js';
import { DIRECTORY, PERSON } from '../core/mail/stage.js';
import { verifies } from '../verifies.js';

const ANSWERS: Partial<MailAnswers> = {
  message: () => undefined,
  unreadAtLeast: () => undefined,
  teamStatus: () => 'active',
};

/** Ann writes to a member of the kept team. */
function sending(): ReturnType<typeof send> {
  const call = { speaker: PERSON, directory: DIRECTORY, at: 1, messageId: 'm-1', conversation: undefined, most: 3 };
  return send(MAIL_VIEW, { ...call, to: 'airlock/hicks', text: 'go', uuid: '0-0' });
}

verifies(
  'one.reads',
  'a decision says what it reads, as plain data, and is the same however often it begins',
  async () => {
    const queries: Query[] = [];
    const byHand = async (reading: ReturnType<typeof send>) => {
      let step = reading.next();
      while (!step.done) {
        queries.push(step.value);
        await new Promise((resolve) => setImmediate(resolve));
        const { name, of } = step.value;
        step = reading.next((ANSWERS as Record<string, (...of: readonly unknown[]) => unknown>)[name]?.(...of));
      }
      return step.value;
    };
    const plan = await byHand(sending());
    expect(queries).toEqual([
      { name: 'message', of: ['m-1'] },
      { name: 'teamStatus', of: ['t-1'] },
      { name: 'unreadAtLeast', of: ['airlock/hicks', TEAM_LIMITS.messagesUnread] },
    ]);
    expect(plan.conversations).toMatchObject([{ recipient: 'airlock/hicks', round: 0, depth: 1 }]);
    const half = sending();
    half.next();
    expect(await byHand(sending())).toEqual(plan);
    expect(answered(sending(), ANSWERS)).toEqual(plan);
  },
);

verifies(
  'one.reads',
  'an answer that throws is the decision’s to see, and a query that nobody answers is a fault',
  () => {
    const { first } = queriesOf<{ first(word: string): number }>({ first: true });
    const decide = function* (): Queried<number> {
      return (yield* first('a')) + 1;
    };
    expect(answered(decide(), { first: (word: string) => word.length })).toBe(2);
    const broken = () => {
      throw new Error('gone');
    };
    expect(() => answered(decide(), { first: broken })).toThrow('gone');
    expect(() => answered(decide(), {})).toThrow('Nobody answers the query first.');
    expect(answered(withoutQueries(3), {})).toBe(3);
  },
);
