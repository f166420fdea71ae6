import { storesInMemory } from '../tables-in-memory.js';
import { teamMemoryContract } from './team-memory.js';

teamMemoryContract('memory', () => ({ memory: storesInMemory().teamMemory }));
