import { NO_AGENCY } from '#core/coordinator/agency.js';
import { REST } from '#core/coordinator/sessions.js';
import { type Budget, type ClientHold, NOTHING_SPENT } from '#core/coordinator/snapshot.js';
import type { NodeFields } from '#core/graph/task.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import type { ListedRun } from '#ports/run-host.js';
import { type World, world } from '../../e2e/world.js';
import { NO_ACTS } from '../../no-acts.js';

const at = (time: string): string => `2026-03-01T${time}:00.000Z`;
const asks = (type: string) => ({ mode: 'all', since: at('09:20'), conditions: [{ type }] });
const done = (time: string, fields: NodeFields = {}): NodeFields => ({
  status: 'done',
  started_at: '2026-02-27T08:00:00.000Z',
  completed_at: time,
  ...fields,
});

/** One task per state that the answers distinguish. The clock stands at ten on 1 March 2026. */
const TASKS: Readonly<Record<string, NodeFields>> = {
  fetch: done('2026-02-28T10:00:00.000Z', { estimate: { hours: 4, cost: 2 }, artifacts: ['out.json'], tags: ['core'] }),
  'fetch-late': done('2026-02-20T10:00:00.000Z', { estimate: { hours: 2 }, evidence: { exit: 3 } }),
  dropped: { status: 'abandoned', completed_at: at('08:00'), failure_reason: 'not needed' },
  parse: {
    ...{ after: ['fetch'], status: 'in-progress', assigned: 'ann', started_at: at('09:00') },
    ...{ estimate: { hours: 3 }, member: 'Ann' },
  },
  lexer: {
    ...{ after: ['fetch'], status: 'in-progress', assigned: 'agent-1', started_at: at('09:10'), fence: 1 },
    ...{ exec: 'make', estimate: { hours: 1 }, tags: ['core', 'slow'] },
  },
  gone: { status: 'in-progress', assigned: 'agent-2', started_at: at('09:15'), exec: 'make' },
  nobody: { status: 'in-progress' },
  test: { after: ['parse', 'lexer'], requires: ['budget'], estimate: { cost: 5 } },
  ship: { after: ['test'], after_success: ['test'], estimate: { hours: 2, cost: 1 }, member: 'Bob' },
  write: { after: ['revise'], cycle_config: { max_iterations: 2 }, loop_iteration: 1, estimate: { hours: 1 } },
  revise: { after: ['write'] },
  ring: { after: ['ring-b'] },
  'ring-b': { after: ['ring'] },
  orphan: { after: ['ghost', 'fetch'], requires: ['moon'] },
  review: { status: 'pending-validation', verify: 'It reads well', completed_at: at('09:30'), member: 'Ann' },
  'review-old': { status: 'pending-validation', log: [{ timestamp: at('07:00'), message: 'handed in' }], fence: 2 },
  held: { status: 'blocked', started_at: at('08:40') },
  flop: { status: 'failed', failure_reason: 'exit code 2', completed_at: at('09:40'), retry_count: 1 },
  wanted: { status: 'failed', completed_at: at('09:45') },
  hopes: { after: ['wanted'], after_success: ['wanted'] },
  question: { status: 'waiting', checkpoint: 'Which\ngrammar?', wait_condition: asks('human-input') },
  asked: { status: 'waiting', conversation: 'c-1', wait_condition: asks('human-input') },
  mail: { status: 'waiting', wait_condition: asks('message'), started_at: at('09:05') },
  timed: { status: 'waiting', ready_after: at('12:00') },
  tomorrow: { not_before: '2026-03-02T00:00:00.000Z' },
  draft: { paused: true },
  'line-b': { paused: true, formation_gate: { run: 'crew-2', command: 'start' } },
  'line-a': { paused: true, formation_gate: { run: 'crew-2', command: 'start' } },
  release: { human: true, formation_gate: { run: 'crew-1', command: 'go' } },
  hers: { human: true, member: 'Ann', conversation: 'c-2' },
  edited: { unverified_edit: { set: { exec: 'curl' }, unset: [] } },
  unplaced: { unplaced: true },
  command: { exec: 'make', estimate: { hours: 8, cost: 3 } },
  costly: { estimate: { cost: 20 }, tags: ['night'] },
  night: { tags: ['night'], assigned: undefined },
  capped: { agent: 'a-full' },
  lost: { agent: 'a-gone' },
  '.turn-1': { after: ['fetch'] },
};

/** A project in memory with waiting, running and finished tasks. */
export async function busyProject(): Promise<World> {
  const own = world();
  own.pass(-3_600_000);
  await own.call('resource.add', { id: 'budget', available: 4, unit: 'usd' });
  for (const [id, fields] of Object.entries(TASKS)) {
    await own.add(id, fields);
    own.pass(60_000);
  }
  own.pass(Date.parse(at('10:00')) - own.clock.now());
  own.atWork.add('agent-1');
  own.outputs.set('agent-1', 'compiling\nlinking\n\n');
  return own;
}

const RUN: ListedRun = {
  ...{ id: 'agent-1', task_id: 'lexer', executor: 'claude', status: 'working', started_at: at('09:10') },
  ...{ last_heartbeat: at('09:59'), model: 'opus' },
  usage: { input_tokens: 1_000, output_tokens: 200, cost_usd: 0.5, estimated_usd: 0.2 },
};
const HOLD: ClientHold = {
  ...{ client: 'claude', trouble: 'weekly-limit', pauseMs: 1_200_000, run: 'agent-1' },
  ...{ since: Date.parse(at('09:50')), until: Date.parse(at('10:10')) },
};
export const BUDGET: Budget = {
  caps: { usdPerDay: 10, usdTotal: 30, usdByOption: 25, tokensPerDay: 5_000 },
  reserve: { usd: 1, tokens: 100 },
  spent: {
    ...{ ...NOTHING_SPENT, usdToday: 9.5, usdTotal: 21, tokensToday: 1_200, tokensTotal: 4_000 },
    ...{ usdEstimatedToday: 0.2, usdEstimatedTotal: 0.4, tokensUnpricedToday: 7 },
  },
  reserved: new Map([
    ['agent-1', { taskId: 'lexer', usd: 1, tokens: 100 }],
    ['agent-3', { taskId: 'costly', usd: 0.25, tokens: 50 }],
  ]),
};
const SESSION = { ...REST, max_agents: 1 };
const agent = (capacity: number) => ({ human: false, capacity, executor: 'claude', provider: undefined });
const PLAIN: CoordinatorFacts = {
  ...{ paused: false, maxAgents: 4, executor: 'claude', holds: [], standIns: [], lostStandIns: [] },
  ...{ sessionClients: new Set(['claude']) },
  ...NO_ACTS,
  agents: async () => [RUN, { ...RUN, id: 'agent-9', task_id: 'fetch', status: 'dead' }],
  spending: async () => BUDGET,
};

/** Running coordinators, each with other reasons not to start a task. */
export const COORDINATORS: Readonly<Record<string, CoordinatorFacts>> = {
  plain: PLAIN,
  'paused, without a client': {
    ...PLAIN,
    executor: undefined,
    missing: { text: 'claude is not installed', command: 'troupe executor list' },
    paused: true,
  } as never,
  full: { ...PLAIN, maxAgents: 1, backOffUntil: Date.parse(at('10:30')) },
  'held client': { ...PLAIN, holds: [HOLD], lostStandIns: ['codx cannot take over'] },
  'held client, another takes over': { ...PLAIN, holds: [HOLD], standIns: ['claude', 'codex'] },
  'little money': { ...PLAIN, budget: BUDGET },
  'sessions and agents': {
    ...PLAIN,
    sessions: [
      { ...SESSION, id: 1, scope: { tags: ['night'], roots: [] }, executor: 'codex' },
      { ...SESSION, id: 2, scope: { tags: ['core'], roots: [] }, paused: true },
    ],
    agency: {
      ...NO_AGENCY,
      unjudged: 'There is no model.',
      agents: new Map([['a-full', { ...agent(0) }]]),
    },
    unprepared: new Map([['command', 'There is no space left.']]),
    triaged: new Set(['agent-2']),
  },
};
