import { storesInMemory } from '../tables-in-memory.js';
import { airlock, mailStoreContract } from './mail-store.js';
import { taskTalkContract } from './task-talk.js';

mailStoreContract('memory', () => {
  const { mail, outbox, teams } = storesInMemory();
  return { mail, outbox, team: (status) => airlock(teams, status) };
});

taskTalkContract('memory', () => storesInMemory());
