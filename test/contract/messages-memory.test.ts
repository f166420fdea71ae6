import { MemoryMessages } from '#adapters/messages/memory-messages.js';
import { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import { messagesContract } from './messages.js';

messagesContract('memory', () => {
  const outbox = new MemoryOutbox();
  return { messages: new MemoryMessages(outbox), outbox };
});
