import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { LocalGit } from '#adapters/git/local-git.js';
import { FolderScanner } from '#adapters/inspectors/folder-scanner.js';
import { RepositoryInspector } from '#adapters/inspectors/repository-inspector.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { claimTask, doneTask, failTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { isTask, type Task } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { callOperation } from '#operations/call.js';
import type { Context } from '#operations/operation.js';
import { OPERATIONS } from '#operations/table.js';
import type { Programs } from '#ports/programs.js';
import { AGREED } from '../agreed.js';
import { holdAnswer } from '../answers.js';
import { bothPorts } from '../both-ports.js';
import { GraphInMemory } from '../graph-in-memory.js';
import { ALONE } from '../lone-squad.js';
import { NO_RUNS } from '../no-runs.js';
import { shippedCatalog } from '../shipped-catalog.js';

/** Shared by all reviews: reading the shipped catalog costs more than most tests. */
const SHIPPED = shippedCatalog(path.resolve(import.meta.dirname, '../..'));
export const TEAM = ['lead-architect', 'qa-engineer', 'security-engineer', 'docs-writer', 'code-reviewer'];

/** The real adapters behind the operations of a review, except the graph, which is in memory. */
export function reviewContext(
  projectFolder: string,
  environment: NodeJS.ProcessEnv = process.env,
  within: (programs: Programs) => Programs = (programs) => programs,
) {
  const clock = systemClock;
  const store = new GraphInMemory(clock);
  const git = new LocalGit(environment);
  const programs = within(new LocalPrograms({ projectFolder, environment: {} }));
  const inspector = new RepositoryInspector({ projectFolder, git, programs, environment });
  const squad = new SquadFolder(projectFolder, new ProcessTable(), ALONE);
  const agency = new AgencyFolder({
    top: path.join(projectFolder, '.workgraph', 'agency'),
    shipped: path.resolve(import.meta.dirname, '../../data/agency'),
    processes: new ProcessTable(),
    clock,
  });
  let fresh = 0;
  const context: Context = {
    clock,
    caller: { kind: 'person', name: 'you' },
    projectFolder,
    command: '/opt/troupe',
    request: {},
    initialise: async () => ({ folder: path.join(projectFolder, '.workgraph'), created: false }),
    freshId: () => `fresh-${++fresh}`,
    graph: async () => store,
    runs: async () => NO_RUNS,
    catalog: async () => SHIPPED,
    squad: async () => squad,
    workflowFiles: async () => new ProjectEntries(projectFolder),
    prices: () => Promise.reject(new Error('a review does not use this')),
    squadSync: () => Promise.reject(new Error('a review does not use this')),
    rosterConfig: () => Promise.reject(new Error('a review does not use this')),
    roleFiles: () => Promise.reject(new Error('a review does not use this')),
    roleStarters: () => Promise.reject(new Error('a review does not use this')),
    scanner: async () => new FolderScanner(),
    inspector: async () => inspector,
    git: async () => git,
    programs: async () => programs,
    files: () => Promise.reject(new Error('a review does not use this')),
    pictures: () => Promise.reject(new Error('a review does not use this')),
    outputs: () => Promise.reject(new Error('a review does not use this')),
    trust: () => Promise.reject(new Error('a review does not use this')),
    trustedCommands: async () => AGREED,
    executorFiles: () => Promise.reject(new Error('a review does not use this')),
    executorTrust: () => Promise.reject(new Error('a review does not use this')),
    agency: async () => agency,
    formationFiles: () => Promise.reject(new Error('a review does not use this')),
    handoffFolders: () => Promise.reject(new Error('a review does not use this')),
    functions: () => Promise.reject(new Error('a review does not use this')),
    doctor: () => Promise.reject(new Error('a review does not use this')),
    traceFiles: () => Promise.reject(new Error('a review does not use this')),
    runSnapshots: () => Promise.reject(new Error('a review does not use this')),
    mail: () => Promise.reject(new Error('a review does not use this')),
    outbox: () => Promise.reject(new Error('a review does not use this')),
    teams: () => Promise.reject(new Error('a review does not use this')),
    teamInbox: () => Promise.reject(new Error('a review does not use this')),
    ledger: () => Promise.reject(new Error('a review does not use this')),
    notifier: () => Promise.reject(new Error('a review does not use this')),
    replies: () => Promise.reject(new Error('a review does not use this')),
    checkpoints: () => Promise.reject(new Error('a review does not use this')),
    storages: () => Promise.reject(new Error('a review does not use this')),
    settings: async () => ({
      name: 'config.toml',
      read: async () => ({}),
      set: () => Promise.reject(new Error('a review does not use this')),
    }),
    sessions: () => Promise.reject(new Error('a review does not use this')),
    skills: () => Promise.reject(new Error('a review does not use this')),
    model: () => Promise.reject(new Error('a review does not use this')),
    wording: () => Promise.reject(new Error('a review does not use this')),
    ...bothPorts(() => Promise.reject(new Error('a review does not use this'))),
    clientPrograms: () => Promise.reject(new Error('a review does not use this')),
    machine: () => Promise.reject(new Error('a review does not use this')),
    sandbox: () => Promise.reject(new Error('a review does not use this')),
    servedProjects: () => Promise.reject(new Error('a review does not use this')),
    accessTokens: () => Promise.reject(new Error('a review does not use this')),
    forge: () => Promise.reject(new Error('a review does not use this')),
    agencyRemotes: () => Promise.reject(new Error('a review does not use this')),
  };
  /** Calls one operation, with input and output checked as on every surface. */
  const call = async <Output>(name: string, input: unknown = {}): Promise<Output> => {
    const spec = OPERATIONS.find((candidate) => candidate.name === name);
    if (!spec) throw new Error(`No operation ${name}`);
    const output = await callOperation(spec, context, input);
    await holdAnswer(spec, output);
    return output as Output;
  };
  const cast = async (archetypes: readonly string[] = TEAM): Promise<void> => {
    await call('casting.manual', { archetypes });
    await call('casting.confirm', {});
  };
  return { context, store, inspector, call, cast };
}

type Review = ReturnType<typeof reviewContext>;

/** Runs every ready task as the shell executor would, by parsing its command. Returns statuses by id. */
export async function runTasks(
  review: Review,
  skip: (task: Task) => boolean = () => false,
): Promise<Map<string, string>> {
  const { store, call } = review;
  const by = { name: 'test-run' };
  for (;;) {
    const view = await store.view();
    const task = [...view.nodes()]
      .filter(isTask)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .find((node) => readiness(view, node.id, Date.now()).ready);
    if (!task) break;
    await store.commit((now) => claimTask(now, task.id, { now: Date.now(), by }));
    let failure: string | undefined;
    if (skip(task)) failure = 'Agent exceeded hard timeout';
    else {
      try {
        await runWords(call, task);
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        failure = `Agent exited with code ${error.exitCode}`;
      }
    }
    const how = { now: Date.now(), by, ...(failure === undefined ? {} : { reason: failure }) };
    await store.commit((now) => (failure === undefined ? doneTask(now, task.id, how) : failTask(now, task.id, how)));
  }
  const view = await store.view();
  return new Map([...view.nodes()].filter(isTask).map((node) => [node.id, node.status]));
}

/**
 * Runs `"$TROUPE_BIN" inspect secrets --review "$IN_REVIEW"` as the operation of that name, with the task's
 * environment.
 */
async function runWords(call: Review['call'], task: Task): Promise<void> {
  const environment = (fieldsOf(task)['environment'] ?? {}) as Record<string, string>;
  const words = (task.exec ?? '')
    .split(' ')
    .map((word) => word.replace(/^"?\$?([A-Z_]*)"?$/, (all, name: string) => environment[name] ?? all));
  const option = (name: string) => {
    const at = words.indexOf(`--${name}`);
    return at === -1 ? {} : { [name]: words[at + 1] };
  };
  if (words[1] === 'inspect')
    await call('review.inspect', { name: words[2], ...option('review'), ...option('command') });
  else await call(`review.${words[2]}`, option('review'));
}
