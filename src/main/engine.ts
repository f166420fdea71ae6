import { rmSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import type { Entry } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { systemClock, timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { freshRequest, type RequestMark } from '#kernel/request.js';
import { runAll } from '#kernel/steps.js';
import type { ComposedProject } from '#main/compose.js';
import { Dashboard } from '#main/dashboard.js';
import {
  type EngineAnswers,
  type EngineOptions,
  type EngineParts,
  engineParts,
  openExclusiveGraph,
  problemReporter,
} from '#main/engine-parts.js';
import { LossSignal } from '#main/loss-signal.js';
import { openStore } from '#main/open-store.js';
import { dashboardMemory } from '#main/persisted-state.js';
import { configurationFolder, runtimeFolder } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { reconfigure } from '#main/reconfigure.js';
import { remoteRequestsOf } from '#main/remote-leader.js';
import { leaveKeeper, type ServiceDoors } from '#main/run-doors.js';
import { serviceRecords } from '#main/served-projects.js';
import { ServedRequests } from '#main/served-requests.js';
import { serviceAt, socketPath } from '#main/service-at.js';
import { serviceCallers } from '#main/service-callers.js';
import { removeServiceState, writeServiceState } from '#main/service-state.js';
import { serviceStatusOf } from '#main/service-status.js';
import { settleLast } from '#main/settle.js';
import { type Answering, answerAsRun, answerFromAfar, conversationWith, printed } from '#main/socket-answers.js';
import { UnderWay } from '#main/under-way.js';
import {
  relayKept,
  settleRoleChanges,
  tellTeamsTrouble,
  tellWorktreeGaps,
  throwAwayTrials,
  type UnfinishedParts,
} from '#main/unfinished.js';
import { callOperation } from '#operations/call.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { ModelClients } from '#operations/coordinator/model-clients.js';
import { specOf } from '#operations/named.js';
import type { Context } from '#operations/operation.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { ModelBudget } from '#operations/settings/budget.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { ExclusiveGraph } from '#ports/graph-store.js';
import type { RemoteRequests } from '#ports/remote-requests.js';
import type { HttpServer } from '#surfaces/http/server.js';
import type { DashboardStore } from '#surfaces/http/sessions.js';
import { assertPrivateSocketPath, type SocketServer, startSocket } from '#surfaces/socket/server.js';

/** Answers a request on the socket of a run. */

/** Maximum time, after the lock is lost, to wait for work in progress. */
const LOST_GRAPH_WAIT_MS = 2_000;

/**
 * The host of all running work: the graph held in memory under the lock, the coordinator, the socket for other
 * commands, the dashboard. `troupe run` hosts it in the foreground, `troupe service start` in the background.
 */
export class Engine {
  readonly store: ExclusiveGraph;
  readonly coordinator: CoordinatorLoop;
  private readonly options: EngineOptions;
  private readonly clients: ModelClients;
  private readonly composed: ComposedProject;
  private readonly models: ModelBudget;
  private readonly startedAt = systemClock.now();
  private socketFile = '';
  private httpPort: number | undefined;
  private otherAddresses: readonly string[] = [];
  private readonly records = serviceRecords();
  private readonly sockets: SocketServer[] = [];
  private readonly afar: ServedRequests;
  private readonly doors: ServiceDoors;
  private readonly dashboard: Dashboard;
  private readonly atWork: EngineParts['atWork'];
  private readonly runs: Context['runs'];
  private readonly askers: Callers;
  private stopping: Promise<void> | undefined;
  private readonly underWay = new UnderWay();
  private teamsTrouble: string | undefined;
  private worktreeGaps: readonly string[] = [];

  private constructor(options: EngineOptions, parts: EngineParts, afar: RemoteRequests) {
    this.options = options;
    this.afar = new ServedRequests(afar);
    const memory = dashboardMemory(configurationFolder(process.env), options.project);
    this.dashboard = new Dashboard(memory, () => this.startHttp(memory));
    this.atWork = parts.atWork;
    this.runs = parts.composed.context(callerFrom(process.env)).runs;
    this.store = parts.store;
    this.coordinator = parts.coordinator;
    this.clients = parts.clients;
    this.models = parts.models;
    this.composed = parts.composed;
    this.doors = parts.doors;
    this.askers = serviceCallers(options.project, () => this.runs(), this.atWork);
  }

  /** Opens an engine, adopts earlier runs and makes the first tick. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = await Engine.open(options);
    try {
      await engine.clients.refuseUselessCaps();
      await engine.coordinator.start();
      // What only a person mends is looked for after the first tick: after a takeover others wait for that one.
      engine.teamsTrouble = await tellTeamsTrouble(engine.unfinished());
      engine.worktreeGaps = await tellWorktreeGaps(engine.unfinished());
      throwAwayTrials(engine.unfinished(), () => engine.stopping !== undefined);
      if (options.listen !== undefined) await engine.dashboard.open();
      engine.announce();
      engine.dashboard.resume(systemClock.now(), (text) => options.note?.(text));
      const { missing } = engine.coordinator.facts();
      if (missing !== undefined)
        options.note?.(`tasks without a command wait, no client can run them: ${missing.text}`);
    } catch (error) {
      return await engine.giveUp(error);
    }
    return engine;
  }

  /**
   * Takes the lock and opens the socket; starts no work yet. Errors: `service_running` if the lock is held,
   * `untrusted_graph` if it would run commands that no one on this machine has trusted.
   */
  static async open(options: EngineOptions): Promise<Engine> {
    const { project } = options;
    const processes = new ProcessTable();
    const socket = socketPath(project, runtimeFolder(process.env));
    const note = options.note ?? (() => undefined);
    let wake: () => void = () => undefined;
    const loss = new LossSignal();
    let served: Engine | undefined;
    const answering = () => {
      if (served === undefined) throw new TroupeError('service_not_running');
      return served.answering();
    };
    const kind = openStore(project, async () => processes);
    const store = await openExclusiveGraph(kind, serviceAt(project), {
      note,
      seize: options.seize === true,
      onHandEdit: () => wake(),
      onLost: () => loss.raise(),
    });
    const answers: EngineAnswers = {
      answerRun: async (run, line) => await answerAsRun(answering(), run, line),
      status: async () => await serviceStatusOf(answering()),
    };
    const made = async () =>
      new Engine(options, await engineParts(options, store, processes, note, answers), await remoteRequestsOf(project));
    const engine = await made().catch(async (error) => {
      await store.close();
      throw error;
    });
    loss.listen(() => engine.abandonGraph());
    served = engine;
    try {
      const tellProblems = problemReporter(store, note);
      tellProblems();
      wake = () => {
        tellProblems();
        engine.coordinator.trigger();
      };
      const places = [socket, ...(options.socket === undefined ? [] : [options.socket])];
      for (const place of places) makePersonalFolder(path.dirname(place));
      if (options.socket !== undefined) await assertPrivateSocketPath(options.socket);
      for (const place of places) engine.sockets.push(await engine.listen(place, place === socket));
      engine.socketFile = options.socket ?? socket;
      engine.writeState();
      await engine.afar.serve((request) => answerFromAfar(engine.answeringAfar(), request), store);
      await relayKept(engine.unfinished());
      await settleRoleChanges(engine.unfinished());
    } catch (error) {
      return await engine.giveUp(error);
    }
    return engine;
  }

  /** Runs an operation on the graph in memory. A write triggers the coordinator. */
  async call<In, Parsed, Out>(
    spec: OperationSpec<In, Parsed, Out>,
    input: In,
    caller: Caller,
    request: RequestMark,
  ): Promise<Out> {
    return await this.perform(spec, input, this.composed.context(caller, request));
  }

  private async perform<In, Parsed, Out>(
    spec: OperationSpec<In, Parsed, Out>,
    input: In,
    context: Context,
  ): Promise<Out> {
    const answer = callOperation(spec, context, input);
    // The coordinator ends with the service, so an operation that waits for it must not be waited for.
    const result = await (spec.coordinator ? answer : this.underWay.count(answer));
    if (spec.kind === 'write') this.coordinator.triggerByChange();
    return result;
  }

  follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    return this.store.follow(from, signal);
  }

  /** Creates a link that lets one browser in on behalf of the caller. Starts the dashboard on first use. */
  dashboardLink(caller: Caller): Promise<string> {
    return this.dashboard.link(caller);
  }

  /** Ends all browser sessions. */
  logOut(): Promise<void> {
    return this.dashboard.logOut();
  }

  /**
   * Stops the engine. Idempotent; concurrent calls share one promise. With `killRuns`, runs are ended and their tasks
   * released first.
   */
  stop({ killRuns }: { killRuns: boolean }): Promise<void> {
    const { coordinator, store, composed, layout } = this;
    const { note = () => undefined, project } = this.options;
    const ifHeld = (step: () => unknown) => () => (store.lost ? undefined : step());
    let waiting = 0;
    // Every step runs, also after one failed: an unreleased lock is renewed as long as this process lives.
    this.stopping ??= runAll([
      () => (killRuns ? coordinator.endRuns() : undefined),
      () => coordinator.stop(),
      ifHeld(async () => settleLast(composed, await coordinator.unsettled(), note)),
      // A disconnected client retries: the model would be asked twice, and a check run twice.
      ifHeld(() => this.underWay.ended(TEAM_LIMITS.modelCallMs)),
      ...this.sockets.map((socket) => () => socket.close()),
      () => this.afar.close(),
      async () => {
        waiting = await this.doors.releaseDoors();
      },
      () => this.dashboard.close(),
      // These files describe a running service: after the lock is lost, that of another process.
      ifHeld(() => removeServiceState(layout)),
      () => this.records.remove({ folder: projectFolderOf(project) }),
      ifHeld(() => [layout.token, layout.viewerToken].map((file) => rmSync(file, { force: true }))),
      () => composed.close(),
      () => store.close(),
      ifHeld(() => (waiting > 0 ? leaveKeeper(project) : undefined)),
    ]);
    return this.stopping;
  }

  /** Stops after a failed start: a half-started engine would hold the lock and answer requests. */
  private async giveUp(error: unknown): Promise<never> {
    const { note = () => undefined } = this.options;
    await this.stop({ killRuns: false }).catch((late) => note(`stop failed: ${(late as Error).message}`));
    throw error;
  }

  /** Stops after the lock was lost: starts and writes nothing more, and leaves active runs to the new holder. */
  private abandonGraph(): void {
    const { note = () => undefined, onLost = () => undefined } = this.options;
    note('the write lock is lost: nothing more is started or written; exiting');
    setTimeout(onLost, LOST_GRAPH_WAIT_MS).unref();
    this.stop({ killRuns: false })
      .catch((error) => note(`stop failed: ${(error as Error).message}`))
      .finally(onLost);
  }

  /** Parts for recovering work that an earlier service left unfinished. */
  private unfinished(): UnfinishedParts {
    const { project, note = () => undefined } = this.options;
    return { project, note, store: this.store, context: () => this.composed.context(callerFrom(process.env)) };
  }

  private listen(place: string, ownFolder: boolean): Promise<SocketServer> {
    return startSocket(place, () => conversationWith(this.answering()), { ownFolder });
  }

  private async startHttp(memory: DashboardStore): Promise<HttpServer> {
    const { startHttpOf } = await import('#main/http-service.js');
    const { project, note = () => undefined, listen } = this.options;
    const server = await startHttpOf(project, listen, {
      note,
      memory,
      call: async (name, input, caller, requestId) => {
        const spec = specOf(name);
        if (spec.kind === 'write') note(`request ${name} by ${printed(caller)}`);
        return await this.call(spec, input, caller, markOf(requestId));
      },
      callerAt: (connection, holder, by) => this.askers.connected(connection, holder, by),
      follow: (from, signal) => this.follow(from, signal),
      engine: async () => {
        const { maxAgents, paused } = this.coordinator.facts();
        const live = (await this.coordinator.agents()).filter(({ status }) => isLiveStatus(status));
        const running = live.filter(({ worker }) => worker === undefined).length;
        const state = this.stopping ? 'stopping' : paused ? 'paused' : 'running';
        return { state, running, cap: maxAgents, away: live.length - running };
      },
    });
    this.httpPort = server.port;
    this.otherAddresses = server.addresses.slice(1);
    this.writeState();
    this.announce();
    return server;
  }

  private get layout(): GraphLayout {
    return this.options.project.layout;
  }

  private answeringAfar(): Answering {
    return {
      ...this.answering(),
      call: (name, input, caller, requestId) =>
        this.perform(specOf(name), input, this.composed.contextFromAfar(caller, markOf(requestId))),
    };
  }

  private answering(): Answering {
    const { coordinator, clients } = this;
    return {
      coordinator,
      models: this.models,
      askers: this.askers,
      startedAt: this.startedAt,
      teamsTrouble: this.teamsTrouble,
      worktreeGaps: this.worktreeGaps,
      leaders: () => this.afar.leaders(),
      listens: () => this.dashboard.addresses(),
      note: this.options.note ?? (() => undefined),
      call: (name, input, caller, requestId) => this.call(specOf(name), input, caller, markOf(requestId)),
      runs: () => this.runs(),
      dashboardLink: (caller) => this.dashboardLink(caller),
      logOut: () => this.logOut(),
      settingsMayHaveChanged: async () => {
        if (await clients.areOutdated()) await reconfigure({ coordinator, clients }, {});
        else clients.lookAgain();
      },
      inForce: () => clients.inForce(),
      tasksReady: async () => readyAt(this.store.clock.now(), await this.store.view()),
    };
  }

  /** Tells the other services of this person about this one. It works all the same if that is impossible. */
  private announce(): void {
    const { project, note = () => undefined } = this.options;
    const record = { folder: projectFolderOf(project), socket: this.socketFile, since: this.startedAt };
    try {
      this.records.write({ ...record, port: this.httpPort, listens: this.otherAddresses });
    } catch (error) {
      note(`your other projects do not list this one: ${(error as Error).message}`);
    }
  }

  private writeState(): void {
    const { httpPort } = this;
    writeServiceState(this.layout, {
      socket_path: this.socketFile,
      started_at: timestamp(this.startedAt),
      ...(this.options.startOptions ? { said: this.options.startOptions } : {}),
      ...(httpPort === undefined ? {} : { http_port: httpPort }),
    });
  }
}

function readyAt(now: number, view: GraphView): number {
  return [...view.candidates()].filter((id) => (view.readyAt(id) ?? 0) <= now).length;
}

function markOf(requestId: string | undefined): RequestMark {
  return requestId === undefined ? freshRequest() : { requestId };
}
