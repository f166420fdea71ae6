import { MemoryMessages } from '#adapters/messages/memory-messages.js';
import { messagesContract } from './messages.js';

messagesContract('memory', () => ({ messages: new MemoryMessages() }));
