import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProjectCatalog } from '#adapters/catalog/project-catalog.js';
import { ProjectEntries } from '#adapters/catalog/project-entries.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { SquadRepository } from '#adapters/git/squad-repository.js';
import { FolderScanner } from '#adapters/inspectors/folder-scanner.js';
import { RecordedModel } from '#adapters/models/recorded-model.js';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ExecutorFolder } from '#adapters/settings/executor-folder.js';
import { LedgerFolder } from '#adapters/squad/ledger-folder.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context, Operation } from '#operations/operation.js';
import { TeamLog } from '#operations/squad/team-log.js';
import { show } from '#operations/teams/teams.js';
import type { Caller } from '#ports/callers.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Model } from '#ports/model.js';
import type { ProjectFiles } from '#ports/project-files.js';
import type { RosterConfig } from '#ports/roster-config.js';
import type { TeamInbox } from '#ports/team-inbox.js';
import type { TeamStore } from '#ports/team-store.js';
import type { TrustedExecutor } from '#ports/trust.js';
import type { CastTeamAnswer } from '#surfaces/http/contract.js';
import { AGREED } from '../../agreed.js';
import { bothPorts } from '../../both-ports.js';
import { ALONE } from '../../lone-squad.js';
import { NO_TREE } from '../../no-teams.js';
import { room } from '../../room.js';
import { shippedCatalog } from '../../shipped-catalog.js';
import { storesInMemory } from '../../tables-in-memory.js';

const WORDING = new WordingFolder(path.resolve(import.meta.dirname, '../../../data/prompts'));
const NO_SETTINGS = { name: 'config.toml', set: () => Promise.reject(new Error('casting changes no settings')) };
/** Shared by all stages: reading the shipped catalog costs more than most tests. */
const SHIPPED = shippedCatalog(path.resolve(import.meta.dirname, '../../..'));
/** `team show` without a name, which returns the cast team. */
export const team = show as Operation<'team.show', { team?: string }, { team?: string | undefined }, CastTeamAnswer>;
export const START = Date.parse('2026-07-01T10:00:00.000Z');

/** A project folder with the real adapters behind it and a clock that the test controls. */
export class Stage {
  readonly folder: string;
  /** Executors that the person trusted, by name. */
  readonly agreements = new Map<string, TrustedExecutor>();
  readonly catalog: ProjectCatalog;
  /** Folder of the recorded model calls. */
  readonly runs: string;
  /** Models that the operations chose. */
  readonly chosen: (ModelChoice | undefined)[] = [];
  readonly agency: AgencyFolder;
  private readonly stores = storesInMemory({ now: () => this.now });
  readonly outbox = this.stores.outbox;
  readonly teams: TeamStore = this.stores.teams;
  readonly mail = this.stores.mail;
  /** Caller of the operations. */
  caller: Caller = { kind: 'person', name: 'ann' };
  settings: Readonly<Record<string, unknown>> = {};
  projectFiles: ProjectFiles | undefined;
  /** Fingerprint of the settings that the person trusted. */
  agreed: string | undefined;
  /** A script without answers stands for no model. */
  model: Model = new ScriptedModel([]);
  now = START;
  /** Called before each step of a write of the team. */
  step: ((name: string) => void) | undefined;
  /** Graph of the project, if it has one. */
  store: GraphStore | undefined;
  roster: RosterConfig = NO_TREE;
  teamInbox: TeamInbox = this.stores.teamInbox;
  private ids = 0;

  constructor(folder = room('project')) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.catalog = new ProjectCatalog(SHIPPED, folder);
    this.runs = path.join(folder, '.workgraph/service/model-runs');
    this.agency = new AgencyFolder({
      top: path.join(folder, '.workgraph', 'agency'),
      shipped: path.resolve(import.meta.dirname, '../../../data/agency'),
      processes: new ProcessTable(),
      clock: { now: () => this.now },
    });
  }

  /** Runs an operation as the command line would: checks its input and its output. */
  async call<Given, Taken, Answer>(
    operation: Operation<string, Given, Taken, Answer>,
    input: unknown = {},
  ): Promise<Answer> {
    const parsed = operation.input.safeParse(input);
    if (!parsed.success) throw new Error(`input refused: ${JSON.stringify(parsed.error.issues)}`);
    const output = await operation.run(this.context(), parsed.data);
    const checked = operation.output.safeParse(output);
    if (!checked.success) throw new Error(`output refused: ${JSON.stringify(checked.error.issues)}`);
    return output;
  }

  /** Every file of the project with its bytes, without the runtime folder. */
  files(below = ''): Record<string, string> {
    const found: Record<string, string> = {};
    for (const entry of readdirSync(path.join(this.folder, below), { withFileTypes: true })) {
      const name = path.posix.join(below, entry.name);
      if (name === '.workgraph') continue;
      if (entry.isDirectory()) Object.assign(found, this.files(name));
      else found[name] = readFileSync(path.join(this.folder, name), 'latin1');
    }
    return found;
  }

  /** The team, followed by the log of the graph if there is one. */
  squad(): SquadFolder {
    const log = new TeamLog(() => this.context().graph(), { now: () => this.now });
    const step = (name: string) => this.step?.(name);
    return new SquadFolder(this.folder, new ProcessTable(), { ...ALONE, step, log: async () => log });
  }

  private trusted() {
    return this.agreed === undefined ? undefined : { at: '', commands: 0, sha256: '', settings: this.agreed };
  }

  context(): Context {
    const absent = () => Promise.reject(new Error('casting does not use this'));
    return {
      clock: { now: () => this.now },
      caller: this.caller,
      projectFolder: this.folder,
      command: '/opt/troupe',
      request: {},
      freshId: () => `test-id-${String(++this.ids).padStart(6, '0')}`,
      catalog: () => Promise.resolve(this.catalog),
      workflowFiles: () => Promise.resolve(new ProjectEntries(this.folder)),
      squad: () => Promise.resolve(this.squad()),
      rosterConfig: async () => this.roster,
      roleFiles: absent,
      roleStarters: absent,
      scanner: () => Promise.resolve(new FolderScanner()),
      initialise: absent,
      graph: () => {
        const { store } = this;
        return store === undefined ? Promise.reject(new TroupeError('not_initialized')) : Promise.resolve(store);
      },
      runs: absent,
      prices: absent,
      inspector: absent,
      git: absent,
      squadSync: () => Promise.resolve(new SquadRepository(this.folder, process.env)),
      programs: absent,
      files: () => (this.projectFiles ? Promise.resolve(this.projectFiles) : absent()),
      trust: () =>
        Promise.resolve({
          read: async () => this.trusted(),
          give: absent,
          withdraw: absent,
          isOfAnother: async () => false,
        }),
      trustedCommands: async () => AGREED,
      executorFiles: async () => new ExecutorFolder(this.folder),
      executorTrust: () =>
        Promise.resolve({
          all: () => Promise.resolve(this.agreements),
          give: (name: string, trusted: TrustedExecutor) => Promise.resolve(void this.agreements.set(name, trusted)),
          withdraw: (name: string) => Promise.resolve(this.agreements.delete(name)),
        }),
      agency: () => Promise.resolve(this.agency),
      functions: absent,
      formationFiles: absent,
      handoffFolders: absent,
      doctor: absent,
      traceFiles: absent,
      pictures: absent,
      outputs: absent,
      runSnapshots: absent,
      sessions: absent,
      settings: () => Promise.resolve({ ...NO_SETTINGS, read: () => Promise.resolve(this.settings) }),
      checkpoints: absent,
      storages: absent,
      notifier: absent,
      replies: absent,
      mail: async () => this.mail,
      outbox: () => Promise.resolve(this.outbox),
      teams: () => Promise.resolve(this.teams),
      teamInbox: () => Promise.resolve(this.teamInbox),
      ledger: () => Promise.resolve(new LedgerFolder(this.folder, new ProcessTable(), ALONE)),
      skills: () => Promise.resolve({ resolve: () => Promise.resolve([]) }),
      wording: () => Promise.resolve(WORDING),
      model: (choice) => {
        this.chosen.push(choice);
        return Promise.resolve(
          new RecordedModel({ model: this.model, folder: this.runs, clock: { now: () => this.now } }),
        );
      },
      ...bothPorts(absent),
      clientPrograms: absent,
      machine: absent,
      sandbox: absent,
      servedProjects: absent,
      accessTokens: absent,
      forge: absent,
      agencyRemotes: absent,
    };
  }
}
