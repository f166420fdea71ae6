import { storesInMemory } from '../tables-in-memory.js';
import { teamStoreContract } from './team-store.js';
import { teamTalkContract } from './team-talk.js';

teamStoreContract('memory', () => ({ store: storesInMemory().teams }));

teamTalkContract('memory', () => {
  const { teams, outbox } = storesInMemory();
  return { store: teams, outbox };
});
