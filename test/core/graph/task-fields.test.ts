import { expect, test } from 'vitest';
import * as attempts from '#core/graph/attempts.js';
import { automaticSummary, checkpointMark, checkpointTask } from '#core/graph/checkpoint.js';
import { deliverableOf } from '#core/graph/deliverable.js';
import { departedNodes, retiredFrom } from '#core/graph/departed.js';
import { isAsWritten, toEntries, toEntryLines } from '#core/graph/entries.js';
import { type EventDraft, withFieldPatch, withFields } from '#core/graph/event.js';
import { checkOf, evidenceOf, withEvidence } from '#core/graph/evidence.js';
import { feedbackOf } from '#core/graph/feedback.js';
import { concernsCurrentAttempt, flipCheckOf } from '#core/graph/flip-check.js';
import { lastWordsOf, withLastWords } from '#core/graph/last-words.js';
import { STATUSES, type Status } from '#core/graph/task.js';
import { isTrialId, trialId, trialOf, trialsIn } from '#core/graph/trial.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { AT, ann, codeOf, graphOf, NOW, RUN, task } from './graph.js';

test('the last run of a task: read as it was written, and who goes on from it', () => {
  const last = (value: unknown) => attempts.lastRunOf(task({ last_run: value }));
  expect(last({ run: 'r', iteration: 2, goes_on: 3, session_over: true })).toEqual({
    ...{ run: 'r', iteration: 2, goesOn: 3, sessionOver: true },
  });
  expect(last({ run: 'r', iteration: 0, goes_on: '3', session_over: 1 })).toEqual({ run: 'r', iteration: 0 });
  for (const value of [undefined, 'r', [], {}, { run: 7 }]) expect(last(value)).toBeUndefined();
  for (const status of STATUSES) {
    const goesOn = status === 'open' || status === 'waiting';
    const wanted = { run: 'r', iteration: 0, ...(goesOn ? { goes_on: 0 } : {}) };
    expect(attempts.lastRunField(task(), 'r', status), status).toEqual({ last_run: wanted });
  }
  expect(attempts.lastRunField(task({ loop_iteration: 2, fence: 4 }), 'r', 'open')).toEqual({
    last_run: { run: 'r', iteration: 2, goes_on: 4 },
  });
  const stays = (value: object, fence?: number) =>
    attempts.keptLastRunField(
      task({ last_run: { run: 'r', iteration: 1, ...value }, ...(fence === undefined ? {} : { fence }) }),
    );
  expect(stays({ goes_on: 3 }, 4)).toEqual({ last_run: { run: 'r', iteration: 1, goes_on: 4 } });
  expect(stays({ goes_on: 3, session_over: true }, 4)).toEqual({
    last_run: { run: 'r', iteration: 1, goes_on: 4, session_over: true },
  });
  expect([stays({ goes_on: 3 }, 3), stays({ goes_on: 3 }, 5), stays({}, 4)]).toEqual([{}, {}, {}]);
  expect(stays({ goes_on: -1 })).toEqual({ last_run: { run: 'r', iteration: 1, goes_on: 0 } });
  expect(attempts.keptLastRunField(task({ fence: 1 }))).toEqual({});
  expect(attempts.newSessionField(task())).toEqual({});
  expect(attempts.newSessionField(task({ last_run: { run: 'r', iteration: 1, goes_on: 3 } }))).toEqual({
    last_run: { run: 'r', iteration: 1, goes_on: 3, session_over: true },
  });
  expect(attempts.newSessionField(task({ last_run: { run: 'r', iteration: 1 } }))).toEqual({
    last_run: { run: 'r', iteration: 1, session_over: true },
  });
  const from = (fields: object) =>
    attempts.continuedRun(task({ last_run: { run: 'r', iteration: 0, goes_on: 3 }, fence: 3, ...fields }));
  for (const status of STATUSES)
    expect(from({ status }), status).toBe(status === 'open' || status === 'waiting' ? 'r' : undefined);
  expect([from({ fence: 4 }), from({ loop_iteration: 1 }), from({ last_run: 7 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what attempts leave: how many more there may be, failed starts, what was put aside, merged and used', () => {
  const allows = (fields: object) => attempts.allowsAnother(task(fields));
  expect([allows({}), allows({ retry_count: 99 })]).toEqual([true, true]);
  expect([0, 1, 2, 3].map((retry_count) => allows({ max_retries: 2, retry_count }))).toEqual([true, true, true, false]);
  expect([allows({ max_retries: 0 }), attempts.allowsAnother(task({ max_retries: 0 }), 1)]).toEqual([true, false]);
  expect([0, 1, 2].map((max_retries) => attempts.allowance(task({ max_retries })))).toEqual([
    'no further attempt was allowed',
    'only 1 further attempt was allowed',
    'only 2 further attempts were allowed',
  ]);
  const starts = (value: unknown) => attempts.failedStartsOf(task({ failed_starts: value }));
  expect(starts({ count: 2, reason: 'x', more: 1 })).toEqual({ count: 2, reason: 'x' });
  for (const value of [undefined, 7, { count: '2', reason: 'x' }, { count: 2, reason: 7 }])
    expect(starts(value)).toBeUndefined();
  const left = (fields: object) => [
    attempts.isUnmerged(task(fields)),
    attempts.isConflict(task(fields)),
    attempts.setAsideBranch(task(fields)),
  ];
  expect(left({})).toEqual([false, false, undefined]);
  expect(left({ unmerged: true })).toEqual([true, false, undefined]);
  expect(left({ unmerged: true, conflict_branch: 'b' })).toEqual([true, true, undefined]);
  expect(left({ conflict_branch: 'b' })).toEqual([false, false, 'b']);
  expect(left({ conflict_branch: 7 })).toEqual([false, false, undefined]);
  const afresh = (fresh_from: unknown) => attempts.firstUsableFence(task({ fresh_from }));
  expect([afresh(3), afresh('3'), afresh(1.5), afresh(undefined)]).toEqual([3, undefined, undefined, undefined]);
  expect([attempts.setAsideAllWork(task()), attempts.setAsideAllWork(task({ fence: 4 }))]).toEqual([
    { fresh_from: 1 },
    { fresh_from: 5 },
  ]);
  expect([attempts.mergedOf(task({ merged: 'c' })), attempts.mergedOf(task({ merged: true }))]).toEqual([
    'c',
    undefined,
  ]);
  const used = (usage: unknown) => attempts.usageOf(task({ token_usage: usage }), 'n');
  expect([{ n: 5 }, { n: '5' }, { n: Number.NaN }, {}, null, 7, undefined].map(used)).toEqual([5, 0, 0, 0, 0, 0, 0]);
});

test('a checkpoint: whose it is, when, after how many turns, and what is made up where nobody wrote one', () => {
  const open = graphOf(
    { id: 'a', status: 'in-progress', fence: 1, assigned: 'agent-1' },
    { id: 'over', status: 'done' },
  );
  const give = (id: string, summary: string, turn_count: number | null = null) =>
    checkpointTask(open, id, { summary, type: 'auto', turn_count }, { now: NOW, by: id === 'a' ? RUN : ann });
  expect(give('a', ' half ', 3).events[0]).toMatchObject({
    op: 'checkpoint',
    detail: { agent: 'agent-1', type: 'auto' },
    patch: [{ id: 'a', set: { checkpoint_mark: { run: 'agent-1', at: '2026-03-21T10:00:00.000Z', turns: 3 } } }],
  });
  expect(JSON.stringify(give('a', 'half'))).not.toContain('turns');
  expect(codeOf(() => give('over', 'x'))).toBe('wrong_status');
  expect(codeOf(() => give('a', ' \n '))).toBe('bad_input');
  const mark = (value: unknown) => checkpointMark(task({ checkpoint_mark: value }), 'r');
  expect(mark({ run: 'r', at: AT, turns: 3 })).toEqual({ at: Date.parse(AT), turns: 3 });
  expect(mark({ run: 'r', at: AT, turns: '3' })).toEqual({ at: Date.parse(AT) });
  for (const value of [undefined, 'r', { run: 'other', at: AT }, { run: 'r', at: 7 }])
    expect(mark(value)).toBeUndefined();
  const log = Array.from({ length: 7 }, (_, index) => ({
    timestamp: AT,
    actor: index === 6 ? 'ann' : 'r',
    message: `m${index}`,
  }));
  expect(automaticSummary(task({ log, artifacts: ['x', 'y'] }), 'r', '\n last words \n')).toBe(
    'Logged:\n- m1\n- m2\n- m3\n- m4\n- m5\nArtifacts: x, y\nPrinted last:\nlast words',
  );
  expect(automaticSummary(task({ log: log.slice(6), artifacts: [] }), 'r', ' \n')).toBe('r has no output yet.');
  expect(automaticSummary(task(), 'r', `x${'y'.repeat(2_000)}`)).toBe(`Printed last:\n${'y'.repeat(2_000)}`);
});

test('evidence: how a check ended, and where it is kept', () => {
  const check = (evidence: unknown, status: Status = 'done') => checkOf(task({ status, evidence })).check;
  expect(['cut-off', 'not-run', 'skipped', 'toString'].map((unchecked) => check({ unchecked, exit: 0 }))).toEqual([
    ...['cut off', 'not run', 'unchecked', undefined],
  ]);
  expect([check({ exit: 3 }), check({ exit: 0 }), check({ exit: '3' }), check({}), check('x')]).toEqual([
    'exit 3',
    ...Array(4).fill(undefined),
  ]);
  expect(check({ exit: 3 }, 'failed')).toBeUndefined();
  expect(evidenceOf(task({ evidence: [] }))).toEqual({});
  const plan = {
    events: [
      {
        op: 'done',
        detail: { own: 1 },
        patch: [
          { id: 'a', set: { status: 'done' } },
          { id: 'b', set: {} },
        ],
      },
      { op: 'next', patch: [] },
    ],
    result: 7,
  };
  expect(withEvidence(plan, 'a', {})).toEqual(plan);
  expect(withEvidence(plan, 'a', { exit: 0 }, { merged: 'c', unset: ['x', 'merged'] })).toEqual({
    events: [
      {
        op: 'done',
        detail: { own: 1, merged: 'c', evidence: { exit: 0 } },
        patch: [
          { id: 'a', set: { status: 'done', merged: 'c', evidence: { exit: 0 } }, unset: ['x'] },
          { id: 'b', set: {} },
        ],
      },
      { op: 'next', patch: [] },
    ],
    result: 7,
  });
  expect(withEvidence(plan, 'a', {}, { merged: 'c' }).events[0]?.detail).toEqual({ own: 1, merged: 'c' });
  expect(withEvidence({ events: [], result: 7 }, 'a', { exit: 0 })).toEqual({ events: [], result: 7 });
});

test('fields are added to the change of their task, in the first event, and nowhere else', () => {
  const put = { id: 'a', put: { kind: 'task' } };
  const del = { id: 'a', del: true as const };
  const other = { id: 'b', set: { x: 1 } };
  const change = (patch: object) => ({ ...patch, changed: true }) as never;
  const drafts = (patch: object[]): EventDraft[] => [{ op: 'x', patch: patch as never }];
  const plan = { events: drafts([put, del, other, { id: 'a', unset: ['y'] }]), result: 1 };
  expect(withFieldPatch(plan, 'a', change).events).toEqual(
    drafts([put, del, other, { id: 'a', unset: ['y'], changed: true }]),
  );
  expect(withFields(plan, 'a', { z: 1 }, ['y', 'w', 'z']).events[0]?.patch[3]).toEqual({
    id: 'a',
    set: { z: 1 },
    unset: ['y', 'w'],
  });
  expect(withFields(plan, 'b', {}).events[0]?.patch[2]).toEqual(other);
  expect(withFieldPatch({ events: [], result: 1 }, 'a', change)).toEqual({ events: [], result: 1 });
});

test('entries: numbered, chained, grouped and sealed; a line that is too long is none', () => {
  let number = 0;
  const entries = (count: number, id?: string) =>
    toEntries(
      Array.from({ length: count }, () => ({ op: 'x', patch: [] })),
      { seq: 4, id },
      AT,
      () => `e${number++}`,
    );
  const [first, second] = entries(2, 'before');
  expect([first?.seq, first?.prev, first?.tx, second?.seq, second?.prev, second?.tx]).toEqual([
    ...[5, 'before', [1, 2], 6, first?.id, [2, 2]],
  ]);
  const [alone] = entries(1);
  expect(Object.keys(alone ?? {})).toEqual(['seq', 'id', 'timestamp', 'op', 'patch']);
  const line = JSON.stringify(alone);
  expect(isAsWritten(line, alone?.id ?? '')).toBe(true);
  expect(isAsWritten(line.replace('"x"', '"y"'), alone?.id ?? '')).toBe(false);
  expect(isAsWritten('{"id":"old"}', 'old'), 'a version that did not seal').toBe(true);
  const lines = (op: string) => toEntryLines([{ op, patch: [] }], { seq: 0, id: undefined }, AT, () => 'e"');
  const [{ entry, line: own } = expect.unreachable()] = lines('ä');
  expect(own).toBe(`${JSON.stringify(entry)}\n`);
  const long = (length: number, sign: string) => () => lines(sign.repeat(length));
  const spare = WORK_LIMITS.lineBytes - (lines('')[0]?.line.length ?? 0);
  expect([codeOf(long(spare, 'x')), codeOf(long(spare + 1, 'x')), codeOf(long(spare / 2 + 1, 'ä'))]).toEqual([
    ...['none', 'too_large', 'too_large'],
  ]);
  expect(() =>
    toEntries([{ op: 'x', patch: [{ id: '', del: true }] }], { seq: 0, id: undefined }, AT, () => 'e'),
  ).toThrow();
});

test('notes of other modules are read in their own form alone', () => {
  const flip = { evaluation: 'e', score: 0.2, attempt: 1, state: 'low' };
  expect(flipCheckOf({ flip_check: { ...flip, more: 1 } })).toEqual(flip);
  for (const wrong of [{ evaluation: 7 }, { score: '1' }, { attempt: null }, { state: 'high' }])
    expect(flipCheckOf({ flip_check: { ...flip, ...wrong } }), JSON.stringify(wrong)).toBeUndefined();
  for (const value of [undefined, 7, []]) expect(flipCheckOf({ flip_check: value })).toBeUndefined();
  const ofNow = (fields: object, attempt = 0) =>
    concernsCurrentAttempt(task(fields), { ...flip, attempt, state: 'low' });
  for (const status of STATUSES)
    expect(ofNow({ status }), status).toBe(status === 'done' || status === 'pending-validation');
  expect([ofNow({ status: 'done', fence: 1 }), ofNow({ status: 'done', fence: 1 }, 1)]).toEqual([false, true]);
  const feedback = { text: '', by: 'tess', number: 1 };
  expect(feedbackOf(task({ review_feedback: { ...feedback, x: 1 } }))).toEqual(feedback);
  for (const wrong of [{ text: 7 }, { by: 7 }, { number: '1' }])
    expect(feedbackOf(task({ review_feedback: { ...feedback, ...wrong } }))).toBeUndefined();
  const deliverable = { artifact: 'x', title: 't', sha256: 's', summary: 'w', fence: 1 };
  expect(deliverableOf(task({ deliverable: { ...deliverable, more: 1 } }))).toEqual(deliverable);
  expect(deliverableOf(task({ deliverable: { ...deliverable, summary: 7 } }))?.summary).toBe('');
  for (const wrong of [{ artifact: 7 }, { title: 7 }, { sha256: 7 }, { fence: '1' }])
    expect(deliverableOf(task({ deliverable: { ...deliverable, ...wrong } })), JSON.stringify(wrong)).toBeUndefined();
  const base = 'a'.repeat(40);
  const trial = (value: unknown, id = '.trial-x') => trialOf(task({ id, trial: value }));
  expect(trial({ base, role: { a: 1 }, tradeoff: 'x' })).toEqual({ base, role: { a: 1 }, tradeoff: undefined });
  expect(trial({ base, role: 7, tradeoff: { b: 1 } })).toEqual({ base, role: undefined, tradeoff: { b: 1 } });
  for (const value of [undefined, 7, {}, { base: 'a'.repeat(39) }, { base: 'A'.repeat(40) }, { base: 7 }])
    expect(trial(value), JSON.stringify(value)).toBeUndefined();
  expect([trial({ base }, 'x'), trialOf(undefined)]).toEqual([undefined, undefined]);
  expect([isTrialId(trialId('x')), isTrialId('trial-x')]).toEqual([true, false]);
  expect(trialsIn(graphOf({ id: '.trial-b' }, { id: 'x' }, { id: '.trial-a' }))).toEqual(['.trial-b', '.trial-a']);
});

test('ids that are no longer in use, as files keep them', () => {
  const gone = { id: 'x', to: 'gc', last: 'done', seq: 1, batch: 1 };
  expect(retiredFrom(['a', gone, 7, null, {}, { id: 7 }])).toEqual(['a', gone]);
  expect(retiredFrom({ a: gone })).toEqual([]);
  const entry = { seq: 9, id: 'e', timestamp: AT, op: 'x' };
  const kept = { kind: 'task', id: 'k' };
  const patch = [
    { id: 'k', del: true, kept },
    { id: 'l', del: true },
    { id: 'm', put: kept },
    { id: 'n', set: { kept: 1 } },
    { id: 'o', set: {}, kept },
  ];
  expect(departedNodes({ ...entry, patch: patch as never })).toEqual([{ ...kept, rev: 9 }]);
});

test('what a run said last stands in the log before what its end says', () => {
  const plan = {
    events: [{ op: 'done', patch: [{ id: 'a', set: {}, log_at: 2, log: [{ timestamp: AT, message: 'Done' }] }] }],
    result: 1,
  };
  const words = (text: string | undefined, of = plan) => withLastWords(of, task({ log: [{}] }), 'r', text, NOW);
  for (const text of [undefined, ' \n']) expect(words(text)).toEqual(plan);
  const entry = { timestamp: '2026-03-21T10:00:00.000Z', actor: 'r', message: 'Last words: Bye' };
  expect(words(' Bye ').events[0]?.patch[0]).toEqual({
    id: 'a',
    set: {},
    log_at: 2,
    log: [entry, { timestamp: AT, message: 'Done' }],
  });
  const bare = { events: [{ op: 'done', patch: [{ id: 'a', set: {} }] }], result: 1 } as never;
  expect(words('Bye', bare).events[0]?.patch[0]).toEqual({ id: 'a', set: {}, log_at: 1, log: [entry] });
  expect(withLastWords(bare, task(), 'r', 'Bye', NOW).events[0]?.patch[0]).toMatchObject({ log_at: 0 });
  const log = ['Last words: one', 'Last words: two', 'other'].map((message) => ({ timestamp: AT, message }));
  expect([lastWordsOf({ log }), lastWordsOf({ log: log.slice(2) }), lastWordsOf({})]).toEqual([
    'two',
    undefined,
    undefined,
  ]);
});
