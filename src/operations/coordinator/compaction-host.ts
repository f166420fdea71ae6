import { committed, type HostOf } from './host.js';

export function compactionHost(): HostOf<'compaction'> {
  return {
    facts: async ({ clients }) => ({ compaction: clients.compaction }),
    carryOut: { 'settle-due': committed },
  };
}
