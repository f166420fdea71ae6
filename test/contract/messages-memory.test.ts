import { storesInMemory } from '../tables-in-memory.js';
import { messagesContract } from './messages.js';

messagesContract('memory', () => storesInMemory());
