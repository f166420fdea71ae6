import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { Reach } from '#operations/workers/reach.js';
import type { WorkerEvent } from '#operations/workers/worker-events.js';
import { verifies } from '../../verifies.js';

verifies('fleet.blobs', 'a worker reports by name which service is away, and each change once', async () => {
  const events: WorkerEvent[] = [];
  const reach = new Reach((event) => events.push(event));
  const told = () => events.splice(0).map(({ event, text }) => `${event}: ${text}`);
  const beat = () => reach.tried(['database'], async () => 'beaten');
  const send = (code?: 'blobs_away' | 'database_away') =>
    reach.tried(['database', 'object store'], async () => {
      if (code !== undefined) throw new TroupeError(code);
      return true;
    });

  expect(await send('blobs_away')).toBeUndefined();
  expect(told()).toEqual(['away: The object store does not answer. Runs go on.']);
  expect(await beat()).toBe('beaten');
  await send('blobs_away');
  expect(told(), 'heartbeats prove nothing of the object store').toEqual([]);
  await send('database_away');
  await beat();
  expect(told()).toEqual([
    expect.stringMatching(/^away: .*database.* Runs go on\.$/),
    'back: the database answers again',
  ]);
  await reach.tried(['database', 'object store'], async () => false);
  expect(told(), 'there was nothing to send').toEqual([]);
  await send();
  expect(told()).toEqual(['back: the object store answers again']);
});
