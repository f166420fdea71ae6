import { MemoryTeamMemory } from '#adapters/team-memory/memory-team-memory.js';
import { teamMemoryContract } from './team-memory.js';

teamMemoryContract('memory', () => ({ memory: new MemoryTeamMemory() }));
