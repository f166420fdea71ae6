import { expect, test } from 'vitest';
import {
  awaitedWorkflow,
  dueOccasion,
  endsOf,
  isOver,
  type LastStart,
  lastStart,
  nextOccasion,
  occasionAt,
  occasionBegan,
  runName,
  startNode,
  triggerNode,
  triggerStanding,
  triggerText,
} from '#core/playbooks/triggered.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';

const daily = { type: 'schedule', every: 'daily' } as const;
const weekly = (day: string) => ({ type: 'schedule', every: `weekly:${day}` }) as const;
const at = (time: string) => Date.parse(time);
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

verifies('workflow.trigger', 'a day begins at midnight where one is; its occasion is that day', () => {
  const rows: [string, string, string, string, string][] = [
    ['UTC', '2026-11-22T00:00:00Z', '2026-11-22', '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['UTC', '2026-11-21T23:59:59Z', '2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    ['Europe/Berlin', '2026-11-21T23:30:00Z', '2026-11-22', '2026-11-21T23:00:00.000Z', '2026-11-22T23:00:00.000Z'],
    // The day on which clocks are put forward, and the one on which they are put back.
    ['Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T10:00:00Z', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // A day without a midnight.
    ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    [
      'Pacific/Kiritimati',
      '2026-11-22T12:00:00Z',
      '2026-11-23',
      '2026-11-22T10:00:00.000Z',
      '2026-11-23T10:00:00.000Z',
    ],
    ['Asia/Kathmandu', '2026-11-22T18:20:00Z', '2026-11-23', '2026-11-22T18:15:00.000Z', '2026-11-23T18:15:00.000Z'],
  ];
  for (const [zone, now, key, began, next] of rows) {
    expect(occasionAt(daily, at(now), zone), `${zone} ${now}`).toBe(key);
    expect(iso(occasionBegan(daily, at(now), zone)), `${zone} ${now}`).toBe(began);
    expect(iso(nextOccasion(daily, at(now), zone)), `${zone} ${now}`).toBe(next);
  }
});

verifies(
  'workflow.trigger',
  'a week begins with the day that is said, and what was missed is the latest of them',
  () => {
    // 2026-11-22 is a Sunday.
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const began = days.map((day) => occasionAt(weekly(day), at('2026-11-22T12:00:00Z'), 'UTC'));
    expect(began).toEqual([
      ...['2026-11-22', '2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
    ]);
    const next = days.map((day) => iso(nextOccasion(weekly(day), at('2026-11-22T12:00:00Z'), 'UTC'))?.slice(0, 10));
    expect(next).toEqual([
      ...['2026-11-29', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-28'],
    ]);
  },
);

verifies('workflow.trigger', 'a heartbeat is a span of half an hour, whatever the zone; others have no time', () => {
  const beat = { type: 'heartbeat' } as const;
  expect(occasionAt(beat, at('2026-11-22T14:59:59Z'), 'Europe/Berlin')).toBe('2026-11-22t1430');
  expect(iso(nextOccasion(beat, at('2026-11-22T14:59:59Z'), 'UTC'))).toBe('2026-11-22T15:00:00.000Z');
  for (const type of ['manual', 'event'] as const) {
    expect(occasionAt({ type }, 0, 'UTC')).toBeUndefined();
    expect(nextOccasion({ type }, 0, 'UTC')).toBeUndefined();
    expect(occasionBegan({ type }, 0, 'UTC')).toBeUndefined();
  }
});

test('over a year of hours no occasion is left out, none comes twice, and names come in order', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'UTC']) {
    const found: string[] = [];
    for (let hour = 0; hour < 366 * 24; hour++) {
      const key = occasionAt(daily, at('2026-01-01T12:00:00Z') + hour * 3_600_000, zone) ?? '';
      if (found.at(-1) !== key) found.push(key);
    }
    expect(found).toEqual([...new Set(found)].sort());
    expect(found.length).toBeGreaterThan(365);
  }
});

verifies(['workflow.trigger', 'test.bites'], 'a run is over when its tasks ended or left the graph, not before', () => {
  const view = graphOf({ id: 'ended', status: 'failed' }, { id: 'open' });
  const start = (...tasks: string[]) => ({ occasion: '2026-11-22', at: 0, run: 'nightly', tasks });
  expect(isOver(view, start('ended', 'archived'))).toBe(true);
  expect(isOver(view, start('ended', 'open'))).toBe(false);
});

const NIGHTLY = { id: 'nightly', base: 'night', trigger: daily, since: 0 };
/** Sunday noon. */
const NOON = at('2026-11-22T12:00:00Z');
/** A graph that remembers a start, with these tasks. */
function after(start: LastStart | undefined, ...tasks: Parameters<typeof graphOf>) {
  const graph = graphOf(...tasks);
  if (start)
    graph.apply({
      seq: 2,
      id: 'e',
      timestamp: '',
      op: 'x',
      patch: [{ id: triggerNode('nightly'), put: startNode('nightly', start) as never }],
    });
  return graph;
}

test('a start is remembered as it was, and whatever else stands there is none', () => {
  const start = { occasion: '2026-11-22', at: NOON, run: 'night-2026-11-22', tasks: ['a', 'b'] };
  expect(lastStart(after(start), 'nightly')).toEqual(start);
  expect(lastStart(after(undefined), 'nightly')).toBeUndefined();
  const put = (fields: object) => {
    const graph = graphOf();
    const node = { ...startNode('nightly', start), ...fields };
    graph.apply({ seq: 2, id: 'e', timestamp: '', op: 'x', patch: [{ id: node.id, put: node as never }] });
    return lastStart(graph, 'nightly');
  };
  expect(put({ kind: 'task' })).toBeUndefined();
  expect(put({ occasion: 7 })).toBeUndefined();
  expect(put({ run: 7 })).toBeUndefined();
  expect(put({ tasks: ['a', 7, 'b'], at: 'once' })).toEqual({ ...start, at: 0 });
  expect(put({ tasks: 'a' })?.tasks).toEqual([]);
});

test('due is an occasion that began since the file stands, and is later than the last', () => {
  const began = at('2026-11-22T00:00:00Z');
  const due = (since: number, last?: Partial<LastStart>) =>
    dueOccasion(
      after(last && { occasion: '2026-11-21', at: NOON - 86_400_000, run: 'r', tasks: [], ...last }),
      { ...NIGHTLY, since },
      NOON,
      'UTC',
    );
  expect([due(began), due(began + 1)]).toEqual(['2026-11-22', undefined]);
  expect(due(began + 1, {}), 'once it has begun, only the last start counts').toBe('2026-11-22');
  expect(due(0, { occasion: '2026-11-22' })).toBeUndefined();
  expect(due(0, { occasion: '2026-11-23' })).toBeUndefined();
  const ahead = 2 * 86_400_000;
  expect(due(0, { occasion: '2026-11-24', at: NOON + ahead })).toBeUndefined();
  expect(due(0, { occasion: '2026-11-24', at: NOON + ahead + 1 }), 'by a clock that was put back').toBe('2026-11-22');
  expect(dueOccasion(after(undefined), { ...NIGHTLY, trigger: { type: 'manual' } }, NOON, 'UTC')).toBeUndefined();
});

test('how it stands: due, when next, its last run, and what holds it', () => {
  const standing = (start: LastStart | undefined, more: object = {}, ...tasks: Parameters<typeof graphOf>) =>
    triggerStanding(after(start, ...tasks), { ...NIGHTLY, ...more }, NOON, 'UTC');
  const start = { occasion: '2026-11-21', at: NOON - 86_400_000, run: 'night-1', tasks: ['a'] };
  const tomorrow = at('2026-11-23T00:00:00Z');
  const busy = { cause: 'run', text: 'Its run night-1 has not ended.' };
  const blocked = { cause: 'trust', text: 'No.' };
  expect(standing(undefined)).toEqual({ next: NOON, due: true, last: undefined, held: undefined });
  expect(standing(start, {}, { id: 'a' })).toEqual({ next: NOON, due: true, last: 'night-1', held: busy });
  expect(standing(start, {}, { id: 'a', status: 'done' })).toMatchObject({ due: true, held: undefined });
  expect(standing({ ...start, occasion: '2026-11-22' }, {}, { id: 'a' })).toEqual({
    ...{ next: tomorrow, due: false, last: 'night-1', held: undefined },
  });
  expect(standing(start, { blocked }, { id: 'a' }).held).toEqual(blocked);
  expect(standing(undefined, { trigger: { type: 'event' } })).toEqual({
    ...{ next: undefined, due: false, last: undefined, held: undefined },
  });
});

test('a task waits for the first workflow its tags name, until its run is known', () => {
  const ids = new Set(['b', 'c']);
  const awaited = (fields: object) =>
    awaitedWorkflow({ kind: 'task', id: 't', title: 't', status: 'open', ...fields }, ids);
  expect(awaited({ tags: ['b', 'xworkflow:b', 'workflow:a', 'workflow:c', 'workflow:b'] })).toBe('c');
  expect(awaited({ tags: ['workflow:a'] })).toBeUndefined();
  expect(awaited({})).toBeUndefined();
  expect(awaited({ tags: ['workflow:b'], workflow_run: 'b-1' })).toBeUndefined();
});

test('names, ends and words of a trigger', () => {
  expect(runName(NIGHTLY, '2026-11-22')).toBe('night-2026-11-22');
  expect(runName(NIGHTLY, 'x', 't'.repeat(40))).toBe(`night-${'t'.repeat(40)}`);
  expect(runName(NIGHTLY, 'x', 't'.repeat(41))).toMatch(/^night-[0-9a-f]{12}$/);
  expect(endsOf([{ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'c', after: ['a'] }])).toEqual(['b', 'c']);
  const ring = [
    { id: 'a', after: ['b'] },
    { id: 'b', after: ['a'] },
  ];
  expect(endsOf(ring)).toEqual(['a', 'b']);
  expect(triggerText(weekly('mon'))).toBe('schedule weekly:mon');
  expect(triggerText({ type: 'event', event: 'task-added-to-ready' })).toBe('event task-added-to-ready');
  expect(triggerText({ type: 'manual' })).toBe('manual');
});
