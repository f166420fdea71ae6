import { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import { outboxContract } from './outbox.js';

outboxContract('memory', () => {
  const outbox = new MemoryOutbox();
  return { outbox, write: async (rows) => outbox.write(rows) };
});
