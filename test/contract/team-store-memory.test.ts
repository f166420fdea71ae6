import { MemoryTeamStore } from '#adapters/teams/memory-team-store.js';
import { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import { teamStoreContract } from './team-store.js';

teamStoreContract('memory', () => ({ store: new MemoryTeamStore(new MemoryOutbox()) }));
