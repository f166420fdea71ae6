import { PARTS } from '#core/coordinator/parts.js';
import type { Clients } from '#operations/coordinator/clients.js';
import type { CoordinatorOptions } from '#operations/coordinator/coordinator-loop.js';
import { DispatchHost } from '#operations/coordinator/dispatch-host.js';
import type { Hosts, HostTools } from '#operations/coordinator/host.js';
import type { RoundHosts } from '#operations/coordinator/hosts.js';
import { completionHost, waitsHost } from '#operations/coordinator/hosts.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import { placesHost } from '#operations/coordinator/placing.js';
import { BreakerHost, ProvidersHost } from '#operations/coordinator/providers-host.js';
import { RunsHost } from '#operations/coordinator/runs-host.js';
import { workerFactsHost } from '#operations/coordinator/worker-facts-host.js';
import type { Context } from '#operations/operation.js';
import { Books } from '#operations/settings/books.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import { AGREED } from './agreed.js';

/** No other machine exists. */
export const NO_ELSEWHERE = workerFactsHost({} as Context, NO_WORKERS);

/** No client is installed: only commands run. */
export const NO_CLIENTS: Clients = {
  facts: async () => ({
    ...{
      executor: undefined,
      standIns: [],
      lostStandIns: [],
      missing: undefined,
      compaction: false,
      autoTriage: false,
      notHere: new Set<string>(),
      worksHere: true,
    },
    ...{ terms: {}, allowance: { caps: {}, reserve: { usd: 1, tokens: 1_000 } } },
  }),
  usableAmong: async () => new Set(),
  prepare: async () => {
    throw new Error('no client is here');
  },
  leave: async () => undefined,
  enter: async () => undefined,
};

/** Hosts of a round in which only commands run; a test replaces those it is about. */
export function quietHosts(tools: HostTools, maxAgents = 1): RoundHosts {
  const finishing = {
    finishWhenReached: async () => ({ of: 'finish', evidence: {} }) as const,
    after: async () => undefined,
    begin: async () => undefined,
    looksAgain: () => false,
    land: async () => undefined,
  };
  const nobody = async () => ({ of: 'triage', verdict: 'restart', reason: 'nobody looks' }) as const;
  return {
    ...(Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, quiet(part)])) as unknown as Hosts),
    providers: new ProvidersHost(tools),
    runs: new RunsHost(tools, { maxAgents, finishing, commitTurn: async () => undefined, triage: nobody }),
    breaker: new BreakerHost(tools),
    waits: waitsHost(async () => new Map()),
    places: placesHost(tools, async () => ({ of: 'place', after: [], before: [], byRules: 'There is no model.' })),
    issues: Object.assign(quiet(PARTS.issues), { times: () => [] }) as never,
    notices: Object.assign(quiet(PARTS.notices), { times: () => [] }) as never,
    workflows: Object.assign(quiet(PARTS.workflows), { refusals: () => new Map() }) as never,
    completion: completionHost(),
    dispatch: new DispatchHost(tools, { enter: async () => undefined, order: async () => undefined }, NO_ELSEWHERE),
  };
}

/** Host of a part without facts, which therefore decides nothing. */
function quiet({ none }: { readonly none: object }) {
  return { facts: async () => none, carryOut: {} };
}

/** A coordinator in which every part is as inactive as possible. */
export function quietParts(parts: { store: GraphStore; runs: RunHost }): CoordinatorOptions {
  const { store } = parts;
  return {
    ...parts,
    pollMs: 60_000,
    persisted: {
      ...{ backOff: undefined, paused: false, holds: [] },
      ...{ saveBackOff: () => undefined, savePaused: () => undefined, saveHolds: () => undefined },
    },
    clients: NO_CLIENTS,
    trust: AGREED,
    books: new Books({ store: async () => store, alone: true }),
    terms: {},
    hosts: quietHosts,
    onDecisions: () => undefined,
    onError: () => undefined,
  };
}
