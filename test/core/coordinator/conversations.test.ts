import { expect } from 'vitest';
import { type ConversationFact, type MailFact, nextTurn } from '#core/coordinator/conversations.js';
import { decide } from '#core/coordinator/parts.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { verifies } from '../../verifies.js';
import { commit, type TaskFields } from '../graph/graph.js';
import { type Fields, fact, graphOf, held, NOW, snapshot } from './stage.js';

const seen = (shownTo: number | null, asked = false) => ({ shownTo, asked });
const ended = (fields: Partial<RunFact> = {}): RunFact =>
  fact('agent-1', 'a', { alive: false, exit: { code: 0 }, executor: 'claude', ...fields });

/** Without what is undefined, as a task is kept. */
function unsaid(task: object): TaskFields & { id: string } {
  return JSON.parse(JSON.stringify(task));
}

/** What a round decides of a task `a` whose turn is over, or that waits; and the graph after it. */
function round(mail: MailFact | undefined, more: { task?: TaskFields; run?: RunFact; facts?: Fields } = {}) {
  const graph = graphOf(unsaid({ ...held('a', 'agent-1'), exec: undefined, ...more.task }));
  const runs = more.run === undefined ? [] : [more.run];
  const facts = { runs, mail: new Map(mail ? [['a', mail]] : []), ...more.facts };
  const decisions = decide(snapshot(graph, facts), NOW);
  commit(graph, { events: decisions.flatMap(({ events }) => events), result: undefined }, NOW);
  return { decisions, task: graph.task('a') };
}

verifies(
  'bus.fanin',
  'a turn that ends while others have not answered leaves its task waiting, under no claim and with its session',
  () => {
    const { task, decisions } = round({ open: 2, unread: [] }, { run: ended({ result: RESULT }) });
    expect(task).toMatchObject({ status: 'waiting', session_id: 's-1' });
    expect(task?.assigned).toBeUndefined();
    expect(task?.wait_condition?.conditions).toEqual([{ type: 'message' }]);
    expect(decisions.map((one) => one.do)).toEqual(['settle-exit']);
  },
);

const RESULT = { outcome: 'succeeded' as const, reason: '', sessionId: 's-1', lastWords: 'I have asked them' };

verifies('bus.fanin', 'its parent runs once a round: all have answered, or one asks', () => {
  const waiting = {
    status: 'waiting' as const,
    fence: 3,
    wait_condition: { mode: 'any' as const, since: '2026-01-01T00:00:00Z', conditions: [{ type: 'message' as const }] },
  };
  const status = (mail: MailFact | undefined) => {
    const graph = graphOf(unsaid({ ...held('a', 'agent-1'), ...waiting, exec: undefined, assigned: undefined }));
    const decisions = decide(snapshot(graph, { mail: new Map(mail ? [['a', mail]] : []) }), NOW);
    commit(graph, { events: decisions.flatMap(({ events }) => events), result: undefined }, NOW);
    return graph.task('a')?.status;
  };
  expect(status(undefined)).toBe('waiting');
  expect(status({ open: 1, unread: [seen(null)] })).toBe('waiting');
  expect(status({ open: 0, unread: [seen(3)] })).toBe('waiting');
  expect(status({ open: 0, unread: [seen(3), seen(null)] })).toBe('open');
  expect(status({ open: 1, unread: [seen(null, true)] })).toBe('open');
});

verifies(
  'bus.cursor',
  'an answer that came too late for the turn that ended gets another turn; one that it was shown does not',
  () => {
    expect(round({ open: 0, unread: [seen(1)] }, { run: ended({ result: RESULT }) }).task?.status).toBe('done');
    expect(round({ open: 0, unread: [seen(null)] }, { run: ended({ result: RESULT }) }).task?.status).toBe('open');
    expect(round(undefined, { run: ended({ result: RESULT }) }).task?.status).toBe('done');
    expect(nextTurn({ open: 1, unread: [seen(null, true)] }, 1)).toBe('again');
    expect(nextTurn({ open: 1, unread: [seen(null)] }, 1)).toBe('park');
    expect(nextTurn({ open: 0, unread: [] }, 1)).toBeUndefined();
  },
);

verifies('bus.fanin', 'whose task is over has answered: with its last words, or as one who is lost', () => {
  const ending = (task: TaskFields, openedBy: string | null = null) => {
    const conversation: ConversationFact = { id: 'c', task: 'a', openedBy, expelled: false };
    const { decisions } = round(undefined, {
      task: { assigned: undefined, ...task } as TaskFields,
      facts: { conversations: [conversation] },
    });
    const [one] = decisions;
    return one?.do === 'end-conversation' ? [one.how, one.words] : [];
  };
  const log = [{ timestamp: '2026-01-01T00:00:00Z', actor: 'agent-1', message: 'Last words: It is written.' }];
  expect(ending({ status: 'done', log })).toEqual(['answered', 'It is written.']);
  expect(ending({ status: 'done' })).toEqual(['answered', 'It is done, without a word.']);
  expect(ending({ status: 'failed', failure_reason: 'no disk' })).toEqual([
    ...['agent_lost', 'No one will answer: no disk'],
  ]);
  expect(ending({ status: 'abandoned' })[0]).toBe('agent_lost');
  expect(ending({ status: 'pending-validation' })).toEqual([]);
  expect(ending({ status: 'in-progress' }, 'b')).toEqual([]);
});

verifies(
  'roster.fresh',
  'who may no longer write to whom is told so, and a task that is on its way is waited for',
  () => {
    const conversations = [
      { id: 'c', task: 'a', openedBy: null, expelled: true },
      { id: 'd', task: 'not-added-yet', openedBy: null, expelled: false },
    ];
    const { decisions } = round(undefined, { facts: { conversations } });
    expect(decisions).toEqual([
      expect.objectContaining({ do: 'end-conversation', conversation: 'c', how: 'withdrawn' }),
    ]);
  },
);
