import { expect, test } from 'vitest';
import { aging } from '#core/insight/aging.js';
import { discover } from '#core/insight/discover.js';
import { forecast } from '#core/insight/forecast.js';
import { velocity, WEEK_MS } from '#core/insight/velocity.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';

const DAY = 24 * 60 * 60_000;
const ago = (milliseconds: number) => new Date(NOW - milliseconds).toISOString();
const done = (id: string, days: number, hours?: number) => ({
  id,
  status: 'done' as const,
  completed_at: ago(days * DAY),
  ...(hours === undefined ? {} : { estimate: { hours } }),
});

verifies('graph.show.velocity', 'weeks of seven days up to now, the oldest first', () => {
  const graph = graphOf(
    done('now', 0, 3),
    done('recent', 6.9, 1),
    done('edge', 7.1, 2),
    done('first', 27.9, 4),
    done('too-old', 28.1, 50),
    { id: 'timeless', status: 'done' },
    { id: 'garbled', status: 'done', completed_at: 'yesterday' },
    { id: 'failed', status: 'failed', completed_at: ago(DAY) },
    { id: 'open', estimate: { hours: 6 } },
    { id: 'held', status: 'blocked' },
  );
  const found = velocity(graph, 4, NOW);
  expect(found.weeks).toEqual([
    { week_number: 1, tasks_completed: 1, hours_completed: 4, task_ids: ['first'] },
    { week_number: 2, tasks_completed: 0, hours_completed: 0, task_ids: [] },
    { week_number: 3, tasks_completed: 1, hours_completed: 2, task_ids: ['edge'] },
    { week_number: 4, tasks_completed: 2, hours_completed: 4, task_ids: ['now', 'recent'] },
  ]);
  expect(found).toMatchObject({
    average_tasks_per_week: 1,
    average_hours_per_week: 2.5,
    trend: 'rising',
    open_tasks: 2,
    open_hours: 6,
    weeks_to_clear: 2,
    tasks_without_timestamp: 2,
  });
});

verifies('graph.show.velocity', 'a trend is a difference of more than a fifth between the halves', () => {
  const trend = (before: number, later: number) =>
    velocity(
      graphOf(
        ...Array.from({ length: before }, (_, number) => done(`b${number}`, 20)),
        ...Array.from({ length: later }, (_, number) => done(`l${number}`, 3)),
      ),
      4,
      NOW,
    ).trend;
  expect(trend(10, 12)).toBe('steady');
  expect(trend(10, 13)).toBe('rising');
  expect(trend(10, 8)).toBe('steady');
  expect(trend(10, 7)).toBe('falling');
  expect(trend(0, 1)).toBe('rising');
  expect(trend(0, 0)).toBe('steady');
  expect(velocity(graphOf({ id: 'a' }), 4, NOW).weeks_to_clear).toBeNull();
  expect(velocity(graphOf(), 1, NOW)).toMatchObject({ weeks_to_clear: 0, trend: 'steady' });
});

verifies('graph.show.forecast', 'the rest at the speed of four weeks, with three buffers', () => {
  const graph = graphOf(
    done('past', 10, 40),
    { id: 'work', status: 'in-progress', estimate: { hours: 6 } },
    { id: 'review', status: 'pending-validation', estimate: { hours: 1 } },
    { id: 'can', estimate: { hours: 8 } },
    { id: 'later', after: ['can', 'work'], estimate: { hours: 5 } },
    { id: 'stopped', status: 'blocked' },
    { id: 'hopes', after: ['lost'], after_success: ['lost'] },
    { id: 'lost', status: 'failed' },
  );
  const found = forecast(graph, NOW);
  expect(found.remaining_work).toEqual({
    open_tasks: 1,
    open_hours: 8,
    blocked_tasks: 3,
    blocked_hours: 5,
    in_progress_tasks: 2,
    in_progress_hours: 7,
    total_hours: 20,
  });
  expect(found.scenarios.map(({ name, ...numbers }) => numbers)).toEqual([
    { buffer_percent: 0, estimated_hours: 20, weeks_to_complete: 2, completion_date: ago(-2 * WEEK_MS) },
    { buffer_percent: 30, estimated_hours: 26, weeks_to_complete: 2.6, completion_date: ago(-2.6 * WEEK_MS) },
    { buffer_percent: 50, estimated_hours: 30, weeks_to_complete: 3, completion_date: ago(-3 * WEEK_MS) },
  ]);
  expect(found.blockers).toEqual([
    { id: 'can', title: 'can', status: 'open', hours_remaining: 8, tasks_blocked: 1 },
    { id: 'work', title: 'work', status: 'in-progress', hours_remaining: 6, tasks_blocked: 1 },
  ]);
  expect(found.critical_path).toEqual([
    { id: 'can', title: 'can', status: 'open', hours: 8 },
    { id: 'later', title: 'later', status: 'open', hours: 5 },
  ]);
  expect(found).toMatchObject({ velocity_hours_per_week: 10, has_velocity_data: true, has_estimates: true });
});

verifies('graph.show.forecast', 'says no date where there is nothing to work it out from', () => {
  const date = (...tasks: Parameters<typeof graphOf>) => forecast(graphOf(...tasks), NOW);
  const open = { id: 'a', estimate: { hours: 5 } };
  const slow = date(open);
  expect(slow).toMatchObject({ has_velocity_data: false, has_estimates: true });
  expect(slow.scenarios.every((row) => row.completion_date === null && row.weeks_to_complete === null)).toBe(true);
  expect(date({ id: 'a' }, done('d', 1, 8))).toMatchObject({ has_velocity_data: true, has_estimates: false });
  expect(date({ id: 'a' }, done('d', 1, 8)).scenarios[0]?.completion_date).toBeNull();
  expect(date(done('d', 1, 8)).scenarios[0]).toMatchObject({ weeks_to_complete: 0, completion_date: ago(0) });
  // Dates that no calendar holds.
  expect(date({ id: 'a', estimate: { hours: 1e12 } }, done('d', 1, 0.1)).scenarios[0]?.completion_date).toBeNull();
});

test('the longest chain takes its hours on the clock, however many work', () => {
  const chain = graphOf(
    done('fast', 1, 40_000),
    { id: 'a', estimate: { hours: 168 } },
    { id: 'b', after: ['a'], estimate: { hours: 168 } },
  );
  expect(forecast(chain, NOW).scenarios[0]?.weeks_to_complete).toBe(2);
});

verifies('graph.show.more', 'aging: how old the unfinished is, and what is held too long', () => {
  const made = (id: string, days: number, more = {}) => ({ id, created_at: ago(days * DAY), ...more });
  const found = aging(
    graphOf(
      made('fresh', 0.5),
      made('week', 3),
      made('month', 8),
      made('old', 89, { status: 'in-progress', started_at: ago(2 * DAY), assigned: 'ann' }),
      made('ancient', 91),
      made('finished', 400, { status: 'done' }),
      { id: 'unknown' },
    ),
    NOW,
  );
  expect(found.buckets.map((bucket) => bucket.tasks)).toEqual([1, 1, 1, 1, 1]);
  expect(found.oldest.map((row) => row.id)).toEqual(['ancient', 'old', 'month', 'week', 'fresh']);
  expect(found.stale).toEqual([
    { id: 'old', title: 'old', status: 'in-progress', assigned: 'ann', since: ago(2 * DAY), age_seconds: 2 * 86_400 },
  ]);
  expect(found.tasks_without_timestamp).toBe(1);
});

verifies('graph.show.more', 'discover: what ended since then, the latest first, with what it left', () => {
  const graph = graphOf(
    { ...done('earlier', 0.5), artifacts: ['a.txt'], log: [{ timestamp: ago(DAY), message: 'wrote a' }] },
    { id: 'lost', status: 'failed', completed_at: ago(DAY / 4), failure_reason: 'no net' },
    done('long-ago', 3),
    { id: 'open' },
  );
  expect(discover(graph, NOW - DAY)).toEqual({
    since: ago(DAY),
    tasks: [
      { id: 'lost', title: 'lost', status: 'failed', completed_at: ago(DAY / 4), artifacts: [], note: 'no net' },
      {
        id: 'earlier',
        title: 'earlier',
        status: 'done',
        completed_at: ago(DAY / 2),
        artifacts: ['a.txt'],
        note: 'wrote a',
      },
    ],
    total: 2,
  });
});
