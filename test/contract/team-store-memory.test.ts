import { MemoryTeamStore } from '#adapters/teams/memory-team-store.js';
import { teamStoreContract } from './team-store.js';

teamStoreContract('memory', () => ({ store: new MemoryTeamStore() }));
