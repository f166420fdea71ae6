import { MemoryTeamStore } from '#adapters/teams/memory-team-store.js';
import { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import { teamStoreContract } from './team-store.js';
import { teamTalkContract } from './team-talk.js';

teamStoreContract('memory', () => ({ store: new MemoryTeamStore(new MemoryOutbox()) }));

teamTalkContract('memory', () => {
  const outbox = new MemoryOutbox();
  return { store: new MemoryTeamStore(outbox), outbox };
});
