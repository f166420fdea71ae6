import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { RemoteServices } from '#operations/workers/remote-services.js';
import type { WorkerEvent } from '#operations/workers/worker-events.js';
import { verifies } from '../../verifies.js';

verifies('fleet.blobs', 'a worker reports by name which service is away, and each change once', async () => {
  const events: WorkerEvent[] = [];
  const remote = new RemoteServices((event) => events.push(event));
  const told = () => events.splice(0).map(({ event, text }) => `${event}: ${text}`);
  const beat = () => remote.tried(['database'], async () => 'beaten');
  const send = (code?: 'blobs_away' | 'database_away') =>
    remote.tried(['database', 'object store'], async () => {
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
  await remote.tried(['database', 'object store'], async () => false);
  expect(told(), 'there was nothing to send').toEqual([]);
  await send();
  expect(told()).toEqual(['back: the object store answers again']);
});
