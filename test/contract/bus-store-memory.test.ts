import { MemoryBusStore } from '#adapters/bus/memory-bus-store.js';
import { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import type { TeamStatus } from '#core/teams/team.js';
import { busStoreContract } from './bus-store.js';

busStoreContract('memory', () => {
  const outbox = new MemoryOutbox();
  let status: TeamStatus | undefined;
  const team = async (now: TeamStatus) => {
    status = now;
  };
  return { bus: new MemoryBusStore(outbox, () => status), outbox, team };
});
