import { NO_AGENCY } from '#core/coordinator/agency-facts.js';
import type { Clock } from '#kernel/clock.js';
import { Books } from '#operations/models/books.js';
import type { Clients } from '#operations/service/clients.js';
import type { CoordinatorOptions } from '#operations/service/coordinator-loop.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import { AGREED } from './agreed.js';

/** No client is here: only commands run. */
export const NO_CLIENTS: Clients = {
  facts: async () => ({
    ...{ executor: undefined, missing: undefined, compaction: false, autoTriage: false },
    ...{ terms: {}, allowance: { caps: {}, reserve: { usd: 1, tokens: 1_000 } } },
  }),
  usableAmong: async () => new Set(),
  prepare: async () => {
    throw new Error('no client is here');
  },
  enter: async () => undefined,
};

/** Every part of a coordinator as one that does nothing; a test puts those it is about in their place. */
export function quietParts(parts: { store: GraphStore; runs: RunHost; clock: Clock }): CoordinatorOptions {
  const { store } = parts;
  return {
    ...parts,
    maxAgents: 1,
    pollMs: 60_000,
    kept: {
      ...{ backOff: undefined, paused: false, holds: [] },
      ...{ saveBackOff: () => undefined, savePaused: () => undefined, saveHolds: () => undefined },
    },
    files: async () => new Map(),
    sessions: { read: async () => ({ sessions: [], inbox: new Map() }) },
    clients: NO_CLIENTS,
    trust: AGREED,
    commands: { enter: async () => undefined },
    agency: async () => NO_AGENCY,
    finishing: {
      finish: async () => ({ of: 'finish', evidence: {} }),
      after: async () => undefined,
      begin: async () => undefined,
      looksAgain: () => false,
      land: async () => undefined,
    },
    people: { facts: async () => ({ known: new Map(), held: [], lookAgain: false }), carryOut: async () => 0 },
    books: new Books({ store: async () => store, alone: true }),
    recovery: {
      triage: async () => ({ of: 'triage', verdict: 'restart', reason: 'nobody looks' }),
      checkpoint: async () => undefined,
      unread: async () => [],
    },
    placing: async () => ({ of: 'place', after: [], before: [], byRules: 'There is no model.' }),
    triggers: {
      facts: async () => ({ workflows: [], zone: 'UTC' }),
      make: async () => {
        throw new Error('nothing begins by itself');
      },
      refuse: () => undefined,
      refusals: () => new Map(),
    },
    terms: {},
    onDecisions: () => undefined,
    onError: () => undefined,
  };
}
