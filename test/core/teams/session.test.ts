import { describe, expect } from 'vitest';
import {
  appendTurn,
  cancelled,
  concluded,
  nextSpeaker,
  openedSession,
  reachesSessionHint,
  type Session,
  sessionTaskId,
} from '#core/teams/session.js';
import { verifies } from '../../verifies.js';
import { CREW } from './crew.js';

const open = (rounds?: number): Session =>
  openedSession(
    CREW,
    { id: 'abc-1', topic: 'The seal', with: ['Hicks', 'vasquez', 'hicks'], rounds, trigger: 'explicit' },
    7,
  );
const coded = (code: string) => expect.objectContaining({ code });
const spoken = (session: Session, turns: number) =>
  Array.from({ length: turns }).reduce<Session>(
    (now, _, index) => appendTurn(now, nextSpeaker(now) ?? '', `turn ${index}`),
    session,
  );

describe('sessions of a team', () => {
  verifies(
    'team.session',
    'participants speak in turn, each as often as there are rounds; then it is deadlocked',
    () => {
      const session = open(2);
      expect([session.participants, open().maxRounds]).toEqual([['hicks', 'vasquez'], 10]);
      expect([nextSpeaker(session), sessionTaskId(session)]).toEqual(['hicks', '.session-abc1-1']);
      expect(() => appendTurn(session, 'vasquez', 'x')).toThrow(coded('not_yours'));
      const three = spoken(session, 3);
      expect([nextSpeaker(three), three.status, sessionTaskId(three)]).toEqual([
        'vasquez',
        'active',
        '.session-abc1-4',
      ]);
      const over = spoken(three, 1);
      expect([nextSpeaker(over), over.status, over.turns.map(({ n, member }) => `${n} ${member}`)]).toEqual([
        ...[undefined, 'deadlocked', ['1 hicks', '2 vasquez', '3 hicks', '4 vasquez']],
      ]);
      expect(() => appendTurn(over, 'hicks', 'x')).toThrow(coded('wrong_status'));
    },
  );

  verifies('team.session', 'it ends with what was concluded, who agreed and who did not, or is cancelled', () => {
    const session = spoken(open(), 2);
    const done = concluded(session, { conclusion: 'Rubber', agreed: ['hicks', 'hicks'], dissent: 'Vasquez: steel' });
    expect(done).toMatchObject({
      status: 'concluded',
      outcome: { conclusion: 'Rubber', agreed: ['hicks'], dissent: 'Vasquez: steel' },
    });
    for (const change of [(over: Session) => cancelled(over), (over: Session) => appendTurn(over, 'hicks', 'x')])
      for (const over of [done, cancelled(session)]) expect(() => change(over)).toThrow(coded('wrong_status'));
    expect(() => concluded(session, { conclusion: 'x', agreed: ['ripley'], dissent: undefined })).toThrow(
      coded('bad_input'),
    );
  });

  verifies('team.session', 'the fifth message of a thread is a hint, the sixth is none', () => {
    expect([4, 5, 6].map(reachesSessionHint)).toEqual([false, true, false]);
  });

  verifies('team.session', 'it takes two agents who are on the team and do not only watch', () => {
    const wish = { id: 's', topic: 'x', rounds: undefined, trigger: 'explicit' as const };
    expect(() => openedSession(CREW, { ...wish, with: ['hicks', 'newt'] }, 1)).toThrow(coded('bad_input'));
    expect(() => openedSession(CREW, { ...wish, with: ['hicks', 'gorman'] }, 1)).toThrow(coded('not_found'));
    expect(() => openedSession(CREW, { ...wish, with: ['hicks', 'vasquez'], rounds: 0 }, 1)).toThrow(
      coded('bad_input'),
    );
  });
});
