import { expect } from 'vitest';
import { mergeEntry } from '#core/squad/memory-changes.js';
import { MEMORY_EVENTS, SQUAD_ATTRIBUTE_LINES, SQUAD_ATTRIBUTES } from '#core/squad/memory-ledger.js';
import { withRecords } from '#core/squad/memory-state.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { withFirstSession } from '#operations/squad/first-session.js';
import { namesForWriting, provenance } from '#operations/squad/memories.js';
import { linesAdded, memoryIn, settleMerged } from '#operations/squad/shared-memory.js';
import { sessionChange, sessionShow, sessionStart } from '#operations/squad/work-sessions.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const [FIRST, SECOND] = SQUAD_ATTRIBUTE_LINES;

/** The files of a team: texts by path, or a file that cannot be read. */
const filesWith = (texts: Record<string, string> = {}, events?: object) =>
  ({
    events: async () => events,
    file: async (path: string) => (texts[path] === undefined ? undefined : { path, text: texts[path] }),
    members: async () => [],
  }) as never;

verifies('one.memory', 'lines are appended, with the attributes that git needs to merge them', async () => {
  const append = { kind: 'append', path: MEMORY_EVENTS, idField: 'eventId', lines: ['{}'] };
  const attributes = (text: string) => ({ kind: 'write', path: SQUAD_ATTRIBUTES, text });
  const added = (text?: string, lines = ['{}']) =>
    linesAdded(filesWith(text === undefined ? {} : { [SQUAD_ATTRIBUTES]: text }), lines);
  expect(await added(undefined, [])).toEqual([]);
  expect(await added()).toEqual([attributes(`${FIRST}\n${SECOND}\n`), append]);
  expect(await added('')).toEqual([attributes(`${FIRST}\n${SECOND}\n`), append]);
  expect(await added('* text')).toEqual([attributes(`* text\n${FIRST}\n${SECOND}\n`), append]);
  expect(await added(`${FIRST}\r\n* text\n`)).toEqual([attributes(`${FIRST}\r\n* text\n${SECOND}\n`), append]);
  expect(await added(`${SECOND}\r\n${FIRST}`)).toEqual([append]);
});

verifies('one.memory', 'a memory whose file cannot be read is refused; without one it is empty', async () => {
  const { context } = world();
  const unreadable = filesWith({}, { path: MEMORY_EVENTS, problem: 'is a link' });
  await expect(memoryIn(context, unreadable, [])).rejects.toMatchObject({
    ...{ code: 'unreadable', message: `${MEMORY_EVENTS} is a link.` },
  });
  const empty = await memoryIn(context, filesWith(), []);
  expect([empty.memories, empty.decisions, empty.sessions]).toEqual([[], [], []]);
});

verifies('one.memory', 'a cast begins a session, or warns where the memory cannot be read', async () => {
  const { context } = world();
  const plan = { changes: ['team'], result: { proposal_id: 'p-1' } } as never;
  const { changes, result } = await withFirstSession(context, plan, filesWith());
  expect(changes.map((change) => (change as { path?: string }).path ?? change)).toEqual([
    ...['team', SQUAD_ATTRIBUTES, MEMORY_EVENTS],
  ]);
  const [line = ''] = (changes.at(-1) as unknown as { lines: string[] }).lines;
  expect(JSON.parse(line)).toMatchObject({ focus: 'The team has just been cast', source: 'cast:p-1' });
  expect(result).toEqual({ proposal_id: 'p-1', warnings: [] });
  const broken = filesWith({}, { path: MEMORY_EVENTS, problem: 'is a link' });
  expect(await withFirstSession(context, plan, broken)).toEqual({
    changes: ['team'],
    result: {
      proposal_id: 'p-1',
      warnings: [
        {
          code: 'session_not_started',
          message: `The team is cast, but no session could be started: ${MEMORY_EVENTS} is a link.`,
        },
      ],
    },
  });
  const odd = new Error('odd');
  const failing = { events: () => Promise.reject(odd) } as never;
  await expect(withFirstSession(context, plan, failing)).rejects.toBe(odd);
});

verifies(
  'one.memory',
  'while the team cannot be written, records wait; afterwards they are written and released',
  async () => {
    const own = world();
    const [kept, changes]: [string[], unknown[]] = [[], []];
    const released: unknown[] = [];
    let failure: Error | undefined = new TroupeError('migration_required');
    const reader = filesWith();
    own.context.teamInbox = async () =>
      ({
        waiting: async () => [...kept],
        wait: async (lines: string[]) => void kept.push(...lines),
        release: async (lines: string[]) => void released.push(lines),
      }) as never;
    own.context.ledger = async () =>
      ({
        look: async (work: (read: never) => unknown) => await work(reader),
        change: async (work: (read: never) => Promise<{ changes: unknown[]; result: unknown }>) => {
          const made = await work(reader);
          changes.push(made.changes);
          return made.result;
        },
      }) as never;
    const squad = async () => {
      if (failure) throw failure;
      return { texts: new Map(), registry: { records: [] }, survey: {} } as never;
    };
    own.context.squad = async () => ({ read: squad }) as never;
    for (const code of ['migration_required', 'layout_conflict', 'name_clash', 'policy_invalid', 'corrupt'] as const) {
      [kept.length, changes.length, released.length] = [0, 0, 0];
      failure = new TroupeError(code);
      expect(await sessionStart.run(own.context, { focus: 'Next' }), code).toMatchObject({ focus: 'Next', number: 1 });
      expect([kept.length, changes, released]).toEqual([1, [[]], []]);
      expect((await sessionShow.run(own.context, {})).session).toMatchObject({ focus: 'Next' });
    }
    await expect(sessionStart.run(own.context, { focus: 'More' })).rejects.toMatchObject({ code: 'session_open' });
    await sessionChange.run(own.context, { end: true });
    expect([kept.length, released]).toEqual([2, []]);
    failure = new TroupeError('disk_full');
    await expect(sessionStart.run(own.context, { focus: 'More' })).rejects.toBe(failure);
    failure = new Error('odd');
    await expect(sessionStart.run(own.context, { focus: 'More' })).rejects.toBe(failure);
  },
);

verifies(
  'one.memory',
  'files of the team are written where it can be read; a conflict of layouts is refused',
  async () => {
    const { context } = world();
    const failing = async (error: Error) =>
      await namesForWriting({ ...context, squad: async () => ({ read: () => Promise.reject(error) }) as never });
    const coded = (code: ErrorCode) => new TroupeError(code);
    expect(await failing(coded('corrupt'))).toEqual(new Map());
    const conflict = coded('layout_conflict');
    await expect(failing(conflict)).rejects.toBe(conflict);
    const odd = new Error('odd');
    await expect(failing(odd)).rejects.toBe(odd);
  },
);

verifies(
  'one.memory',
  'an entry that another caller has just settled is left; other errors are not hidden',
  async () => {
    const { context } = world();
    const [settled, asked]: [unknown[], unknown[]] = [[], []];
    const entry = {
      ...{ number: 7, agent: 'neo', slug: 'one', stored_slug: 'one', type: 'process', title: 'One', content: '' },
      ...{ rationale: '', status: 'pending', created_by: 'neo', created_at: 1 },
    } as const;
    const inboxWith = (failure?: Error) =>
      ({
        entries: async (filter: unknown) => {
          asked.push(filter);
          return [{ ...entry, number: 6, slug: 'other', title: 'Other' }, entry];
        },
        settle: async (...words: unknown[]) => {
          settled.push(words);
          if (failure) throw failure;
        },
      }) as never;
    const empty = await memoryIn(context, filesWith(), []);
    await settleMerged(inboxWith(), empty);
    expect([settled, asked]).toEqual([[], [{ status: 'pending', limit: TEAM_LIMITS.entriesPending }]]);
    const merged = withRecords(empty, mergeEntry(empty, entry as never, 'ann', 5_000).records);
    await settleMerged(inboxWith(), merged);
    await settleMerged(inboxWith(new TroupeError('memory_settled')), merged);
    expect(settled).toEqual(Array(2).fill([7, { status: 'merged', by: 'ann', at: 5_000 }]));
    const failure = new TroupeError('disk_full');
    await expect(settleMerged(inboxWith(failure), merged)).rejects.toBe(failure);
  },
);

verifies('one.memory', 'a new row has its author, its time, and the request that made it', () => {
  const { context } = world();
  const made = { created_by: 'you', created_at: context.clock.now() };
  expect(provenance(context)).toEqual(made);
  const { source } = provenance({ ...context, request: { requestId: 'r-1' } });
  expect(source).toEqual(expect.any(String));
  const caller = { kind: 'person', name: `\u001b${'x'.repeat(200)}` } as const;
  const { created_by } = provenance({ ...context, caller });
  expect([created_by.length, created_by.includes('\u001b')]).toEqual([100, false]);
});
