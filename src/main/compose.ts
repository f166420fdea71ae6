/**
 * Composition: the command, the engine, the background service, the foreground session, the scratch clone.
 * @packageDocumentation
 */
import { homeFolder } from '#adapters/disk/home-folder.js';
import { callerFrom } from '#adapters/processes/caller-from.js';
import type { ForgeName } from '#core/imports/forges.js';
import type { Channel } from '#core/mail/channels.js';
import type { PriceTable } from '#core/runs/prices.js';
import type { Layout } from '#core/settings/layout.js';
import type { ModelChoice } from '#core/settings/model-choice.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { freshId } from '#kernel/hash.js';
import type { RequestMark } from '#kernel/request.js';
import { runAll } from '#kernel/steps.js';
import { openStore } from '#main/open-store.js';
import { configurationFolder, PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { leadingService } from '#main/service-at.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import type { Context } from '#operations/operation.js';
import type { ModelBudget } from '#operations/settings/budget.js';
import type { Caller } from '#ports/callers.js';
import type { Git } from '#ports/git.js';
import type { ExclusiveGraph, GraphStore } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Programs } from '#ports/programs.js';
import type { Project } from '#ports/project.js';
import type { Sandbox } from '#ports/sandbox.js';
import type { ReadOnlyCause } from '#ports/storage.js';
import type { TrustedCommands } from '#ports/trust.js';

/** Memoises `make`: it is called on first use, and its promise is shared. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Services of one project, each created on first use. `close` closes those that were created. */
export interface ComposedProject {
  context(caller: Caller, request?: RequestMark): Context;
  /** For callers on other machines: commands they add to the graph are not recorded as trusted on this one. */
  contextFromAfar(caller: Caller, request: RequestMark): Context;
  /** Reason why the project is read-only; undefined if it is writable or was not accessed. */
  reading(): Promise<ReadOnlyCause | undefined>;
  close(): Promise<void>;
}

/**
 * The composition root: the only place that connects ports to adapters. The engine passes the graph that it holds for
 * its lifetime; a single command opens the graph for one change and stops waiting for the lock when `stopWaiting`
 * returns true. Only the engine has a coordinator and the ledger in memory (`models`).
 */
export function composeProject(
  project: Project,
  held?: ExclusiveGraph,
  stopWaiting: () => boolean = () => false,
  coordinator?: () => CoordinatorFacts,
  models?: ModelBudget,
): ComposedProject {
  const { layout } = project;
  const projectFolder = projectFolderOf(project);
  let opened: GraphStore | undefined;
  let teams: { close(): Promise<void> } | undefined;
  let runs: { close(): Promise<void> } | undefined;
  const processes = once(async (): Promise<Processes> => {
    const { ProcessTable } = await import('#adapters/processes/process-table.js');
    return new ProcessTable();
  });
  // Times of a project in a database are those of the database, whichever machine writes them.
  const clock: Clock = { now: () => (held ?? opened ?? { clock: systemClock }).clock.now() };
  const shared = async () => ({ processes: await processes(), clock: systemClock });
  const store = openStore(project, processes);
  const ownGraph = once(async () => {
    opened = await store.open(stopWaiting);
    return opened;
  });
  const graph = async (): Promise<GraphStore> => held ?? (await ownGraph());
  const git = once(async (): Promise<Git> => {
    const { LocalGit } = await import('#adapters/git/local-git.js');
    return new LocalGit(process.env);
  });
  const programs = once(async (): Promise<Programs> => {
    const { LocalPrograms } = await import('#adapters/processes/local-programs.js');
    const { sharedEnvironment } = await import('#adapters/runs/environment.js');
    const environment = sharedEnvironment(process.env, { projectFolder, command: PLACES.command });
    return new LocalPrograms({ projectFolder, environment });
  });
  const teamStores = once(async () => {
    const { teamStores } = await import('#main/team-stores.js');
    const stores = await teamStores({ project, store, held, stopWaiting, processes });
    teams = stores.database;
    return stores;
  });
  const followers = once(async () => {
    const { CastFollower } = await import('#adapters/teams/cast-follower.js');
    return [new CastFollower((await teamStores()).database, clock)];
  });
  const teamLog = once(async () => {
    const { TeamLog } = await import('#operations/squad/team-log.js');
    return new TeamLog(graph, clock);
  });
  const squadParts = { clock, step: () => undefined, log: teamLog, followers };
  const settingsInForce = async () =>
    (await (await import('#operations/load-settings.js')).loadSettings(parts)).settings;
  const modelBudget = once(async (): Promise<ModelBudget> => {
    if (models) return models;
    const [{ budgetBesideService }, { Books }, { allowanceOf, ProjectBudget }] = await Promise.all([
      import('#main/model-budget.js'),
      import('#operations/settings/books.js'),
      import('#operations/settings/budget.js'),
    ]);
    const own = once(async () => {
      const allowance = async () => allowanceOf((await settingsInForce()).budget);
      const actor = callerFrom(process.env).name;
      const books = new Books({ store: parts.graph, alone: false });
      return new ProjectBudget({ books, clock, actor, allowance, freshId });
    });
    return budgetBesideService(leadingService(project), own);
  });
  const shippedPrices = once(async () => (await import('#adapters/settings/price-file.js')).readPrices(PLACES.prices));
  const prices = async (): Promise<PriceTable> => {
    const { withOwnPrices } = await import('#core/runs/prices.js');
    return withOwnPrices(await shippedPrices(), (await settingsInForce()).budget.prices);
  };
  const trustedCommands = once(async (): Promise<TrustedCommands> => {
    const { TrustedCommandsFile } = await import('#adapters/trust/trusted-commands-file.js');
    return new TrustedCommandsFile({ folder: configurationFolder(process.env), projectFolder });
  });
  const recordedGraph = once(async () => {
    const { recordingStore } = await import('#operations/graph/recording-store.js');
    return recordingStore(await graph(), trustedCommands);
  });
  const worktreeOptions = once(async () => {
    const [{ projectExchange }, { loadSettings }, { lastValidSettings: steadySettings }] = await Promise.all([
      import('#main/project-exchange.js'),
      import('#operations/load-settings.js'),
      import('#operations/settings/last-valid-settings.js'),
    ]);
    const settings = steadySettings(parts.settings, () => undefined); // the coordinator reports it
    const inForce = async () => (await loadSettings({ settings, trust: parts.trust })).settings;
    const layout = async (): Promise<Layout> => (await inForce()).worktree;
    const exchange = projectExchange(project, {
      git: await git(),
      programs,
      remote: async () => (await inForce()).database.remote,
    });
    return { projectFolder, git: await git(), processes: await processes(), layout, exchange };
  });
  const parts = {
    git,
    programs,
    files: once(async () => {
      const { LocalFiles } = await import('#adapters/files/local-files.js');
      return new LocalFiles(projectFolder);
    }),
    graph: recordedGraph,
    runs: once(async () => {
      const { FileRunFolders } = await import('#adapters/runs/run-outputs.js');
      const here = new FileRunFolders(layout.agents, processes);
      if (project.store.kind === 'files') return here;
      const { runsOfAllMachines } = await import('#main/runs-of-all-machines.js');
      const parts = { here, processes: await processes(), settings: settingsInForce };
      const all = await runsOfAllMachines(project, project.store.name, parts);
      runs = all;
      return all.folders;
    }),
    catalog: once(async () => {
      const [{ ProjectCatalog }, { YamlCatalog }, { ParsedByBuild }] = await Promise.all([
        import('#adapters/catalog/project-catalog.js'),
        import('#adapters/catalog/yaml-catalog.js'),
        import('#adapters/catalog/parsed-ahead.js'),
      ]);
      const shipped = new YamlCatalog(PLACES.catalog, new ParsedByBuild(PLACES.catalogAhead));
      return new ProjectCatalog(shipped, projectFolder);
    }),
    workflowFiles: once(async () => {
      const { ProjectEntries } = await import('#adapters/catalog/project-entries.js');
      return new ProjectEntries(projectFolder);
    }),
    squad: once(async () => {
      const { SquadFolder } = await import('#adapters/squad/squad-folder.js');
      return new SquadFolder(projectFolder, await processes(), squadParts);
    }),
    squadSync: once(async () => {
      const { SquadRepository } = await import('#adapters/git/squad-repository.js');
      return new SquadRepository(projectFolder, process.env);
    }),
    rosterConfig: once(async () => {
      const [{ ConfigFolder }, { readTextFile }] = await Promise.all([
        import('#adapters/mail/config-folder.js'),
        import('#adapters/files/text-file.js'),
      ]);
      return new ConfigFolder({ clock: systemClock, homeFolder: homeFolder(), readText: readTextFile });
    }),
    scanner: once(async () => {
      const { FolderScanner } = await import('#adapters/inspectors/folder-scanner.js');
      return new FolderScanner();
    }),
    inspector: once(async () => {
      const { RepositoryInspector } = await import('#adapters/inspectors/repository-inspector.js');
      return new RepositoryInspector({
        projectFolder,
        git: await git(),
        programs: await programs(),
        environment: process.env,
      });
    }),
    agency: once(async () => {
      const { AgencyFolder } = await import('#adapters/agency/agency-folder.js');
      const places = { top: layout.agency, shipped: PLACES.agency };
      return new AgencyFolder({ ...places, ...(await shared()) });
    }),
    forge: async (name: ForgeName, repository?: string, signal?: AbortSignal) => {
      const { forgeOf } = await import('#main/forge.js');
      return forgeOf(
        project,
        { name, repository, signal },
        {
          git: await git(),
          programs: await programs(),
          processes: await processes(),
        },
      );
    },
    agencyRemotes: once(async () => {
      const { agencyRemotes } = await import('#main/agency-remotes.js');
      return agencyRemotes({ processes: await processes(), programs, open: composeProject });
    }),
    roleFiles: once(async () => {
      const { roleFilesOf } = await import('#main/role-files.js');
      return roleFilesOf({ project, processes: await processes(), graph: recordedGraph, context: contextOf });
    }),
    roleStarters: once(async () => {
      const { ShippedRoles } = await import('#adapters/roles/shipped-roles.js');
      return new ShippedRoles(PLACES.roles);
    }),
    functions: once(async () => {
      const { FunctionFolder } = await import('#adapters/catalog/function-folder.js');
      return new FunctionFolder(projectFolder);
    }),
    formationFiles: once(async () => {
      const { FormationFolder } = await import('#adapters/roles/formation-folder.js');
      return new FormationFolder(projectFolder);
    }),
    handoffFolders: once(async () => {
      const { LocalHandoffFolders } = await import('#adapters/roles/handoff-folders.js');
      return new LocalHandoffFolders();
    }),
    traceFiles: once(async () => {
      const { TraceFolder } = await import('#adapters/files/trace-folder.js');
      return new TraceFolder(layout.folder, process.cwd());
    }),
    pictures: once(async () => {
      const { Graphviz } = await import('#adapters/processes/graphviz.js');
      return new Graphviz(process.cwd(), process.env);
    }),
    outputs: once(async () => {
      const { OutputFolder } = await import('#adapters/files/output-folder.js');
      return new OutputFolder(process.cwd(), projectFolder);
    }),
    runSnapshots: once(async () => {
      const { RunSnapshotFolders } = await import('#adapters/store/run-snapshot-folders.js');
      return new RunSnapshotFolders(layout.folder);
    }),
    mail: async () => (await teamStores()).mail,
    outbox: async () => (await teamStores()).outbox,
    teams: async () => (await teamStores()).teams,
    teamInbox: async () => (await teamStores()).teamInbox,
    ledger: once(async () => {
      const { LedgerFolder } = await import('#adapters/squad/ledger-folder.js');
      return new LedgerFolder(projectFolder, await processes(), squadParts);
    }),
    checkpoints: once(async () => {
      const { CheckpointFolder } = await import('#adapters/runs/checkpoint-folder.js');
      return new CheckpointFolder(layout.agents);
    }),
    settings: once(async () => {
      const { ConfigFile } = await import('#adapters/settings/config-file.js');
      return new ConfigFile({ folder: layout.folder, ...(await shared()) });
    }),
    sessions: once(async () => {
      const { CoordinatorsFile } = await import('#adapters/processes/coordinators-file.js');
      return new CoordinatorsFile({
        folder: layout.folder,
        ...(await shared()),
      });
    }),
    skills: once(async () => {
      const [{ LocalSkills }, { HttpsWeb }, { readTextFile }] = await Promise.all([
        import('#adapters/catalog/local-skills.js'),
        import('#adapters/files/https-web.js'),
        import('#adapters/files/text-file.js'),
      ]);
      return new LocalSkills({ projectFolder, home: homeFolder(), web: new HttpsWeb(), readText: readTextFile });
    }),
    wording: once(async () => {
      const { WordingFolder } = await import('#adapters/catalog/wording-folder.js');
      return new WordingFolder(PLACES.prompts);
    }),
    prices,
    model: async (choice: ModelChoice) => {
      const { chosenModel } = await import('#adapters/models/chosen-model.js');
      const { sharedEnvironment } = await import('#adapters/runs/environment.js');
      const shared = sharedEnvironment(process.env, { projectFolder, command: PLACES.command });
      const folder = layout.modelRuns;
      const parts = { programs: await programs(), shared, ours: process.env, folder, clock: systemClock };
      const { ReservedModel } = await import('#operations/settings/budget.js');
      return new ReservedModel(await chosenModel(choice, parts), await modelBudget(), prices);
    },
    trees: once(async () => {
      const { GitAttemptTrees } = await import('#adapters/worktrees/git-attempt-trees.js');
      return new GitAttemptTrees(await worktreeOptions());
    }),
    integration: once(async () => {
      const { GitIntegration } = await import('#adapters/worktrees/git-integration.js');
      return new GitIntegration(await worktreeOptions());
    }),
    executorFiles: once(async () => {
      const { ExecutorFolder } = await import('#adapters/settings/executor-folder.js');
      return new ExecutorFolder(projectFolder);
    }),
    executorTrust: once(async () => {
      const { ExecutorTrustFile } = await import('#adapters/trust/executor-trust-file.js');
      const folder = configurationFolder(process.env);
      return new ExecutorTrustFile({ folder, projectFolder, ...(await shared()) });
    }),
    clientPrograms: once(async () => {
      const { LocalClientPrograms } = await import('#adapters/processes/local-client-programs.js');
      return new LocalClientPrograms(projectFolder, process.env);
    }),
    machine: once(async () => {
      const { LocalMachine } = await import('#adapters/processes/local-machine.js');
      return new LocalMachine(process.env);
    }),
    sandbox: once(async (): Promise<Sandbox> => {
      const settings = async () => (await settingsInForce()).clients;
      return (await import('#main/run-sandbox.js')).localSandbox(project, settings);
    }),
    trust: once(async () => {
      const { TrustFile } = await import('#adapters/trust/trust-file.js');
      const folder = configurationFolder(process.env);
      const { GitHistory } = await import('#adapters/git/local-git.js');
      const history = new GitHistory(projectFolder, await git());
      return new TrustFile({ folder, projectFolder, history, ...(await shared()) });
    }),
    trustedCommands,
    servedProjects: async () => (await import('#main/served-projects.js')).servedProjects(),
    accessTokens: once(async () =>
      (await import('#main/persisted-state.js')).accessTokensOf(project, await processes()),
    ),
    storages: once(async () => (await import('#main/storages.js')).storagesOf(project, await processes())),
  };
  const doctor = once(() => store.doctor());
  const channels = async () => {
    const { Channels } = await import('#main/channels.js');
    return new Channels(await settingsInForce(), process.env);
  };
  // A service copies it for every request: replacing fields of a copy takes 0.5 µs, adding any 13 µs.
  const base = {
    ...parts,
    caller: undefined,
    request: {},
    doctor,
    notifier: async (channel: Channel) => (await channels()).notifier(channel),
    replies: async () => (await channels()).room(),
    clock,
    projectFolder,
    command: PLACES.command,
    freshId,
    initialise: () => store.initialise(),
    ...(coordinator ? { coordinator } : {}),
  };
  const contextOf = (caller: Caller, request: RequestMark = {}): Context => ({ ...base, caller, request });
  return {
    context: contextOf,
    contextFromAfar: (caller, request) => ({ ...contextOf(caller, request), graph }),
    reading: async () => {
      if (project.store.kind === 'files' || (opened ?? teams ?? runs) === undefined) return undefined;
      const { databaseReading } = await import('#main/database-reading.js');
      return databaseReading(project, project.store.name, await processes());
    },
    close: () => runAll([() => opened?.close(), () => teams?.close(), () => runs?.close()]),
  };
}
