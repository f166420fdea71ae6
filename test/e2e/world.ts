import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod/mini';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { NO_SESSIONS } from '#core/coordinator/sessions.js';
import type { NodeFields } from '#core/graph/task.js';
import { priceTable } from '#core/runs/prices.js';
import { TroupeError } from '#kernel/errors.js';
import { callOperation } from '#operations/call.js';
import type { GraphContext } from '#operations/contexts.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { rowOf } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { PersonCaller } from '#ports/callers.js';
import type { RunIdentity } from '#ports/run-folders.js';
import type { RecordFault, ServedProject } from '#ports/served-projects.js';
import type { ProjectMachines } from '#ports/storage.js';
import { worktreesOf } from '../adapters/worktrees/place.js';
import { AgencyInMemory } from '../agency-in-memory.js';
import { AGREED } from '../agreed.js';
import { holdAnswer } from '../answers.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { LedgerInMemory } from '../ledger-in-memory.js';
import { NO_CLIENTS } from '../no-clients.js';
import { NO_RUNS } from '../no-runs.js';
import { NO_SANDBOX } from '../no-sandbox.js';
import { NO_CAST, NO_TREE } from '../no-teams.js';
import { NO_TOKENS } from '../no-tokens.js';
import { RolesInMemory } from '../roles-in-memory.js';
import { room } from '../room.js';
import { inDatabase, inFiles } from '../storages-in-memory.js';
import { storesInMemory } from '../tables-in-memory.js';

/** Renames a task: a write operation for tests of the surface. */
const renameTask = operation({
  name: 'task.rename',
  command: 'rename',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'any',
  summary: 'Gives a task another title.',
  examples: ['troupe rename a b', 'troupe rename b c'],
  input: z.object({ id: z.string(), title: z.string() }),
  output: z.object({ id: z.string() }),
  async run(context: GraphContext, input) {
    const store = await context.graph();
    await store.commit(() => ({ events: [edit(input.id, { title: input.title })], result: undefined }));
    return { id: input.id };
  },
});

const RENAME: OperationSpec = { ...rowOf(renameTask as never), load: async () => renameTask as never };

/** Represents an operation that must run in the calling process. */
const LONG: OperationSpec = { ...RENAME, name: 'work.long', command: 'long', where: 'caller' };

const SPECS: readonly OperationSpec[] = [...OPERATIONS, RENAME, LONG];

const PROMPTS = path.resolve(import.meta.dirname, '../../data/prompts');
const PRICES = path.resolve(import.meta.dirname, '../../data/prices.json');

const edit = (id: string, set: NodeFields) => ({ op: 'edit', task_id: id, patch: [{ id, set }] });

/** The person whose project it is, with all rights. */
export const OWNER: PersonCaller = { kind: 'person', name: 'you' };

/** A small project in memory behind the real operations, with a clock that the test controls. */
export function world(start = Date.parse('2026-03-01T10:00:00Z')) {
  let now = start;
  const clock = { now: () => now };
  const store = new GraphInMemory(clock);
  const outputs = new Map<string, string>();
  const atWork = new Set<string>();
  const ended = new Set<string>();
  const killed: string[] = [];
  const steered: string[] = [];
  const served: ServedProject[] = [];
  const recordFaults: RecordFault[] = [];
  const identities = new Map<string, RunIdentity>();
  const streams = new Map<string, string>();
  const { mail, outbox, teamInbox, teams } = storesInMemory(clock);
  const ledger = new LedgerInMemory();
  const agency = new AgencyInMemory();
  const graphFolder = room('graph-of-the-world');
  const roleFiles = new RolesInMemory();
  const traceFiles = new TraceFolder(graphFolder, graphFolder);
  const absent = (): never => {
    throw new Error('This world has no such port');
  };
  let worktrees = worktreesOf(tmpdir()); // a folder that exists and is no repository
  let storages = inFiles('pid 12 on desk');
  const context: Context & { coordinator?: () => CoordinatorFacts } = {
    clock,
    caller: { kind: 'person', name: 'you' },
    projectFolder: '/project',
    command: '/opt/troupe',
    request: {},
    initialise: absent,
    freshId: () => 'fresh',
    graph: async () => store,
    runs: async () => ({
      ...NO_RUNS,
      state: async (run) => (atWork.has(run) ? 'at-work' : ended.has(run) ? 'ended' : 'gone'),
      identity: async (run) => identities.get(run),
      part: async (run, of, { most }) => {
        const text = (of === 'events' ? streams : outputs).get(run);
        return text === undefined ? undefined : { text: text.slice(-most), next: text.length, size: text.length };
      },
    }),
    catalog: absent,
    squad: async () => NO_CAST,
    workflowFiles: async () => new ProjectEntries('/project'), // a missing folder: no files
    rosterConfig: async () => NO_TREE,
    roleFiles: async () => roleFiles,
    roleStarters: absent,
    scanner: absent,
    squadSync: absent,
    prices: async () => priceTable(JSON.parse(readFileSync(PRICES, 'utf8'))),
    inspector: absent,
    git: absent,
    programs: absent,
    files: absent,
    trust: async () => ({
      read: async () => undefined,
      isOfAnother: async () => false,
      give: absent,
      withdraw: absent,
    }),
    trustedCommands: async () => AGREED,
    executorFiles: async () => ({ list: async () => [], read: async () => undefined }),
    executorTrust: absent,
    agency: async () => agency,
    forge: absent,
    agencyRemotes: absent,
    functions: absent,
    formationFiles: absent,
    handoffFolders: absent,
    doctor: absent,
    traceFiles: async () => traceFiles,
    pictures: absent,
    outputs: absent,
    runSnapshots: absent,
    // Without a client, tasks without a command are for people.
    settings: async () => ({
      name: 'config.toml',
      read: async () => ({ coordinator: { executor: 'shell' } }),
      set: absent,
    }),
    sessions: async () => ({ read: async () => NO_SESSIONS, change: absent }),
    checkpoints: absent,
    storages: async () => storages,
    notifier: absent,
    replies: absent,
    mail: async () => mail,
    outbox: async () => outbox,
    teams: async () => teams,
    teamInbox: async () => teamInbox,
    ledger: async () => ledger,
    skills: absent,
    wording: async () => new WordingFolder(PROMPTS),
    model: absent,
    trees: async () => worktrees,
    integration: async () => worktrees,
    clientPrograms: async () => NO_CLIENTS,
    machine: absent,
    sandbox: async () => NO_SANDBOX,
    servedProjects: async () => ({ all: () => served, faults: () => recordFaults }),
    accessTokens: async () => NO_TOKENS,
  };
  const addAll = async (rows: readonly (NodeFields & { readonly id: string })[]): Promise<void> => {
    const shared = { kind: 'task', status: 'open', created_at: new Date(now).toISOString() };
    const events = rows.map((row) => ({
      op: 'add_task',
      task_id: row.id,
      patch: [{ id: row.id, put: { title: row.id, ...shared, ...row } }],
    }));
    await store.commit(() => ({ events, result: undefined }));
  };
  return {
    clock,
    context,
    store,
    outputs,
    /** From now on there is a coordinator with these facts, which starts nothing. */
    coordinate(
      standing: Pick<CoordinatorFacts, 'executor' | 'missing' | 'holds'> &
        Partial<Pick<CoordinatorFacts, 'spending' | 'standIns' | 'lostStandIns' | 'agents' | 'elsewhere' | 'paused'>>,
    ) {
      const facts = {
        paused: false,
        maxAgents: 4,
        standIns: [],
        lostStandIns: [],
        sessionClients: new Set<string>(),
        spending: absent,
        agents: async () => [],
        ...standing,
      };
      context.coordinator = () => ({
        ...facts,
        inForce: absent,
        kill: async (run) => {
          killed.push(String(run));
          return { run: String(run), task: '' };
        },
        ...{
          spawn: absent,
          roundEnd: absent,
          status: absent,
          pause: absent,
          resume: absent,
          configure: absent,
          shutDown: absent,
        },
      });
    },
    /** From now on the project is in a database, with the machines that `machines` returns at each read. */
    keepInDatabase(machines: () => ProjectMachines) {
      storages = inDatabase(machines);
    },
    /** Identities of runs, and the events of their clients as recorded, one JSON line each. */
    identities,
    streams,
    /** Runs whose processes exist. */
    atWork,
    /** Runs that recorded their end. */
    ended,
    /** Runs that were told to end, in order. */
    killed,
    /** What the service was told, which is not of this world: it is only noted. */
    steered,
    /** Projects of the person that have a service. */
    served,
    recordFaults,
    /** From now on attempts have worktrees of this repository. */
    workIn(folder: string) {
      worktrees = worktreesOf(folder);
      return worktrees;
    },
    specs: SPECS,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Runs one operation, as the engine does. */
    async call(name: string, input: unknown): Promise<unknown> {
      const [, verb] = /^service\.(pause|resume|stop)$/.exec(name) ?? [];
      if (verb !== undefined) {
        steered.push(verb);
        return {};
      }
      const spec = [...SPECS, ...UNLISTED].find((candidate) => candidate.name === name);
      if (!spec) throw new TroupeError('not_found');
      const output = await callOperation(spec, context, input);
      await holdAnswer(spec, output);
      return output;
    },
    add: (id: string, fields: NodeFields = {}): Promise<void> => addAll([{ id, ...fields }]),
    /** Adds tasks in one commit. */
    addAll,
    async set(id: string, fields: NodeFields): Promise<void> {
      await store.commit(() => ({ events: [edit(id, fields)], result: undefined }));
    },
  };
}

export type World = ReturnType<typeof world>;
