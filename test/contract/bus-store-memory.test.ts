import { storesInMemory } from '../tables-in-memory.js';
import { airlock, busStoreContract } from './bus-store.js';

busStoreContract('memory', () => {
  const { bus, outbox, teams } = storesInMemory();
  return { bus, outbox, team: (status) => airlock(teams, status) };
});
