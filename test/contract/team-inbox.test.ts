import { storesInMemory } from '../tables-in-memory.js';
import { teamInboxContract } from './team-inbox.js';

teamInboxContract('memory', () => ({ inbox: storesInMemory().teamInbox }));
