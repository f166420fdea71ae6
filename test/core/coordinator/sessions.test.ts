import { describe, expect, test } from 'vitest';
import { spawn } from '#core/coordinator/dispatch.js';
import { decide } from '#core/coordinator/parts.js';
import {
  allSessions,
  changeSession,
  createSession,
  NO_SESSIONS,
  Ownership,
  REST,
  sessionsFrom,
  type TaskSession,
  Turns,
} from '#core/coordinator/sessions.js';
import { NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import { verifies } from '../../verifies.js';
import { apply, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const session = (id: number, fields: Partial<TaskSession> = {}): TaskSession => ({
  ...REST,
  id,
  name: `s${id}`,
  ...fields,
});
const tagged = (id: number, tag: string, fields: Partial<TaskSession> = {}) =>
  session(id, { scope: { tags: [tag], roots: [] }, ...fields });
const task = (id: string, ...tags: string[]) => ({ id, exec: 'true', tags });

describe('who owns what', () => {
  verifies('session.state', '0 owns the rest, and of several that match the lowest id wins', () => {
    const graph = graphOf(
      task('a', 'web'),
      task('b', 'web', 'slow'),
      task('c', 'slow'),
      task('d'),
      { ...task('root'), after: ['before'] },
      { ...task('below'), after: ['root'] },
      { ...task('deep', 'slow'), after: ['below'] },
      task('before'),
    );
    const sessions = [tagged(3, 'slow'), tagged(1, 'web'), session(2, { scope: { tags: [], roots: ['root'] } }), REST];
    const owners = new Ownership(graph, sessions);
    const found = ['a', 'b', 'c', 'd', 'root', 'below', 'deep', 'before'].map((id) => {
      const one = graph.task(id);
      return one && owners.ownerOf(one);
    });
    expect(found).toEqual([1, 1, 3, 0, 2, 2, 2, 0]);
  });

  verifies('session.state', 'roots in a ring and roots that are gone end the search', () => {
    const graph = graphOf({ ...task('a'), after: ['b'] }, { ...task('b'), after: ['a'] });
    const owners = new Ownership(graph, [session(1, { scope: { tags: [], roots: ['a', 'gone'] } })]);
    const b = graph.task('b');
    expect(b && owners.ownerOf(b)).toBe(1);
  });
});

verifies(
  'session.state',
  'sessions take turns by their numbers, in whatever order they are told, from the one after the last',
  () => {
    const graph = graphOf(task('a', 'one'), task('b', 'two'), task('c', 'three'));
    const sessions = [tagged(3, 'three'), tagged(1, 'one'), tagged(2, 'two')];
    const turns = (last: number | undefined) =>
      [
        ...new Turns({ view: graph, sessions, runs: [], last }, (_session, owns) =>
          ['a', 'b', 'c'].flatMap((id) => {
            const one = graph.task(id);
            return one && owns(one) ? [{ task: one, since: 0 } as never] : [];
          }),
        ),
      ].map(({ session: { id } }) => id);
    expect(turns(undefined)).toEqual([1, 2, 3]);
    expect(turns(2)).toEqual([3, 1, 2]);
  },
);

describe('the record', () => {
  verifies('session.state', 'is made, stopped, archived, deleted, and bounded; numbers are not given twice', () => {
    let [file, made] = createSession(NO_SESSIONS, { name: 'web', scope: { tags: ['web'], roots: [] } }, 2);
    expect(made).toEqual({
      id: 1,
      name: 'web',
      scope: { tags: ['web'], roots: [] },
      max_agents: null,
      executor: null,
      model: null,
      paused: false,
      status: 'in-progress',
    });
    [file] = createSession(file, {}, 2);
    expect(() => createSession(file, {}, 2)).toThrow(expect.objectContaining({ code: 'coordinator_limit' }));
    [file, made] = changeSession(file, 1, { status: 'open' });
    expect(made.status).toBe('open');
    expect(() => createSession(file, {}, 2)).toThrow('There are 2 sessions');
    [file] = changeSession(file, 1, { status: 'done' });
    [file, made] = createSession(file, {}, 2);
    expect(made.id).toBe(3);
    [file] = changeSession(file, 3, undefined);
    [file, made] = createSession(file, {}, 2);
    expect(made.id).toBe(4);
    expect(allSessions(file).map(({ id, status }) => `${id} ${status}`)).toEqual([
      '0 in-progress',
      '1 done',
      '2 in-progress',
      '4 in-progress',
    ]);
    expect(sessionsFrom(JSON.parse(JSON.stringify(file)))).toEqual(file);
    expect(() => changeSession(file, 9, { paused: true })).toThrow(expect.objectContaining({ code: 'not_found' }));
    for (const change of [undefined, { status: 'open' as const }, { status: 'done' as const }])
      expect(() => changeSession(file, 0, change)).toThrow(expect.objectContaining({ code: 'bad_input' }));
    expect(changeSession(file, 0, { paused: true })[1]).toMatchObject({ id: 0, paused: true });
  });

  test('a file of another form is refused with what is wrong', () => {
    expect(() => sessionsFrom({ next_id: 1, coordinators: [{ id: 'one' }] })).toThrow(/coordinators\.json.*id/);
    expect(() => sessionsFrom(undefined)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

describe('slots', () => {
  const many = (tag: string, count: number) =>
    Array.from({ length: count }, (_, number) => task(`${tag}${number}`, tag));
  const sessions = [REST, tagged(1, 'web'), tagged(2, 'api')];

  verifies(['session.state', 'dispatch.cap'], 'go round, all under the one cap', () => {
    const graph = graphOf(...many('web', 9), ...many('api', 9), task('x'));
    const decided = said(decide(snapshot(graph, { sessions, maxAgents: 6 }), NOW));
    expect(decided.map((line) => line.split(' ')[1])).toEqual(['x', 'web0', 'api0', 'web1', 'api1', 'web2']);
  });

  verifies('session.state', 'with a single slot each session gets its turn', () => {
    const graph = graphOf(...many('web', 9), ...many('api', 9), ...many('rest', 9));
    const first = (lastSession: number) =>
      said(decide(snapshot(graph, { sessions, maxAgents: 1, lastSession }), NOW))[0]?.split(' ')[1];
    expect([first(2), first(0), first(1)]).toEqual(['rest0', 'web0', 'api0']);
  });

  verifies('session.state', 'a session has no more than it may, counting what runs', () => {
    const graph = graphOf(...many('web', 9), { ...held('w', 'agent-1'), tags: ['web'] }, task('x'));
    const limited = [REST, tagged(1, 'web', { max_agents: 2 })];
    const decided = decide(snapshot(graph, { sessions: limited, maxAgents: 9, runs: [fact('agent-1', 'w')] }), NOW);
    expect(said(decided)).toEqual(['dispatch x agent-10', 'dispatch web0 agent-11']);
  });

  verifies('session.state', 'nothing of a paused, stopped or archived one starts; the others go on', () => {
    const graph = graphOf(...many('web', 2), ...many('api', 2), ...many('old', 2), task('x'));
    const still = [
      REST,
      tagged(1, 'web', { paused: true }),
      tagged(2, 'api', { status: 'open' }),
      tagged(3, 'old', { status: 'done' }),
    ];
    expect(said(decide(snapshot(graph, { sessions: still, maxAgents: 9 }), NOW))).toEqual(['dispatch x agent-10']);
    const rest = [{ ...REST, paused: true }, tagged(1, 'web')];
    const decided = said(decide(snapshot(graph, { sessions: rest, maxAgents: 9 }), NOW));
    expect(decided).toEqual(['dispatch web0 agent-10', 'dispatch web1 agent-11']);
  });

  verifies(
    ['dispatch.executor', 'dispatch.model'],
    "a session's client and model come before those of the service",
    () => {
      const graph = graphOf(
        { id: 'w', tags: ['web'] },
        { id: 'x' },
        { id: 'y', tags: ['bad'] },
        { id: 'z', exec: 'true', tags: ['web'] },
      );
      const named = [
        REST,
        tagged(1, 'web', { executor: 'codex', model: 'm-1' }),
        tagged(2, 'bad', { executor: 'not-here' }),
      ];
      const picture = snapshot(graph, {
        sessions: named,
        maxAgents: 9,
        executor: 'claude',
        executors: new Set(['codex']),
      });
      const found = decide(picture, NOW).map((decision) =>
        decision.do === 'dispatch' ? [decision.task, decision.executor, decision.session, decision.sessionModel] : [],
      );
      expect(found).toEqual([
        ['x', 'claude', 0, undefined],
        ['w', 'codex', 1, 'm-1'],
        ['z', 'shell', 1, 'm-1'],
      ]);
      expect(spawn(picture, { task: 'w' }, NOW)).toMatchObject({ executor: 'codex', session: 1, sessionModel: 'm-1' });
      expect(spawn(picture, { task: 'w', executor: 'claude' }, NOW)).toMatchObject({ executor: 'claude' });
    },
  );

  verifies('session.state', 'what the budget refuses takes no turn from its session', () => {
    const graph = graphOf({ id: 'w1', tags: ['web'] }, { id: 'w2', tags: ['web'] }, { id: 'x' });
    const spent = { ...NOTHING_SPENT, usdByTask: new Map([['w1', 2]]) };
    const budget = {
      caps: { usdPerDay: 5, usdPerTask: 2 },
      reserve: { usd: 1, tokens: 1 },
      spent,
      reserved: new Map(),
    };
    const decided = decide(snapshot(graph, { sessions, maxAgents: 9, executor: 'claude', budget }), NOW);
    expect(said(decided)).toEqual(['dispatch x agent-10', 'dispatch w2 agent-11']);
  });
});

describe('phase 0', () => {
  const talk = (fields: object = {}) => ({
    id: 'chat-1',
    tags: ['chat'],
    status: 'done' as const,
    chat_delivered: 1,
    ...fields,
  });
  const sessions = [REST, session(1)];

  verifies(
    'coord.tick.chat',
    'what a person wrote opens the chat of its session again, and it starts in the same tick',
    () => {
      const graph = graphOf(talk());
      const decided = decide(snapshot(graph, { sessions, inbox: new Map([[1, 3]]), executor: 'claude' }), NOW);
      expect(decided.map((decision) => decision.do)).toEqual(['deliver-chat', 'dispatch']);
      expect(decided[1]).toMatchObject({ task: 'chat-1', session: 1 });
      apply(graph, decided);
      expect(graph.task('chat-1')).toMatchObject({ status: 'in-progress', chat_delivered: 3 });
    },
  );

  verifies('coord.tick.chat', 'without unread messages nothing starts', () => {
    for (const inbox of [
      undefined,
      new Map<number, number>(),
      new Map([[1, 1]]),
      new Map([[0, 9]]),
      new Map([[7, 9]]),
    ]) {
      const picture = snapshot(graphOf(talk()), { sessions, executor: 'claude', ...(inbox ? { inbox } : {}) });
      expect(decide(picture, NOW)).toEqual([]);
    }
  });

  verifies('coord.tick.chat', 'a run at work reads for itself; another task of that name is left alone', () => {
    const inbox = new Map([[1, 9]]);
    const busy = graphOf({ ...held('chat-1', 'agent-1'), tags: ['chat'] });
    expect(decide(snapshot(busy, { sessions, inbox, runs: [fact('agent-1', 'chat-1')] }), NOW)).toEqual([]);
    const other = graphOf(talk({ tags: [] }));
    expect(decide(snapshot(other, { sessions, inbox, executor: 'claude' }), NOW)).toEqual([]);
  });

  verifies('coord.tick.chat', 'with no free slot it is opened all the same', () => {
    const graph = graphOf(talk(), held('a', 'agent-1'));
    const picture = snapshot(graph, { sessions, inbox: new Map([[1, 3]]), maxAgents: 1, runs: [fact('agent-1', 'a')] });
    expect(decide(picture, NOW).map((decision) => decision.do)).toEqual(['deliver-chat']);
  });
});
