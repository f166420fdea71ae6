import { existsSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { freshRequest, type RequestMark } from '#kernel/request.js';
import { composeProject } from '#main/compose.js';
import { appearsAt, callerFrom, graphFolder, knownCaller, runtimeFolder } from '#main/places.js';
import { findProject as projectAround, type Whereabouts } from '#main/project-folder.js';
import type { Caller } from '#operations/operation.js';
import { asksForFile, type OperationSpec } from '#operations/operation-spec.js';
import type { Host } from '#surfaces/cli/host.js';
import type { Asker } from '#surfaces/socket/client.js';
import { socketPath } from '#surfaces/socket/protocol.js';

declare const TROUPE_VERSION: string;

/** Plugs the command line to the real world. */
export function makeHost(): Host {
  const environment = process.env;
  const here = process.cwd();
  const socketOf = (project: string) => socketPath(project, runtimeFolder(environment));
  const ask = async (question: string) => (await import('./caller.js')).askAtTerminal(question);
  const asker = async () => (await import('#main/asker.js')).thisProcess(callerFrom(environment));
  const callerOf = rememberCaller(async (project) => {
    const { callerAt } = await import('#main/caller.js');
    return callerAt(project, environment);
  }, here);
  const host = { socketOf, callerOf, asker };
  return {
    environment,
    folder: here,
    get input() {
      return process.stdin; // opened when asked for: looking at it costs time, and can keep the process alive
    },
    out: process.stdout,
    err: process.stderr,
    version: () => TROUPE_VERSION,
    offerTools: async (folder, offer) => {
      const { offerPersonTools, offerTools } = await import('#main/mcp.js');
      const around = path.resolve(here, folder ?? '.');
      const callIn = (place: string) => (spec: OperationSpec, input: unknown) => callSpec(spec, input, place, host);
      if (offer.to === 'person')
        return offerPersonTools(TROUPE_VERSION, offer.tiers, await callerOf(folder), callIn(around));
      const project = requireProject(folder ?? here);
      return offerTools(project, TROUPE_VERSION, callIn(project));
    },
    tasksAtAGlance: async (folder) => (await import('#main/glance.js')).tasksAtAGlance(findProject(folder)),
    findProject: (folder) => findProject(folder ?? here),
    caller: callerOf,
    call: (spec, input, folder) => callSpec(spec, input, folder ?? here, host),
    service: async (command, folder) => {
      const project = requireProject(folder ?? here);
      const { askService } = await socketClient();
      const socket = socketOf(project);
      const reply = existsSync(socket) ? await askService(socket, command, await asker()) : undefined;
      if (reply?.state !== 'answered') throw new TroupeError('service_not_running');
      return reply.result;
    },
    serviceAnswers: async (folder) => {
      const project = findProject(folder ?? here);
      const socket = project === undefined ? undefined : socketOf(project);
      if (socket === undefined || !existsSync(socket)) return false;
      const { ANYBODY, askService } = await socketClient();
      return await askService(socket, { cmd: 'status' }, ANYBODY).then(
        ({ state }) => state === 'answered',
        () => false, // whatever it says instead, it does not see to the work
      );
    },
    openLog: async (folder) => {
      const { openLog } = await import('#main/open-log.js');
      return openLog(requireProject(folder ?? here), callerFrom(environment));
    },
    ask,
    judgeCall: async (call) => (await import('#main/judge-call.js')).judgeHere(call),
    startService: async (options, force, folder) => {
      const { startInBackground } = await import('#main/background.js');
      return startInBackground(requireProject(folder ?? here), options, force);
    },
    stopService: async (options, folder) => {
      const { stopService } = await import('#main/service-control.js');
      return stopService(requireProject(folder ?? here), options);
    },
    restartService: async (options, folder) => {
      const { restartService } = await import('#main/background.js');
      return restartService(requireProject(folder ?? here), options);
    },
    tick: async (dryRun, folder) => {
      const project = requireProject(folder ?? here);
      const socket = socketOf(project);
      const { tick } = await import('#main/service-control.js');
      return tick(project, { socket, dryRun, asker: await asker() });
    },
    openSession: async (projectFolder, options) => {
      const { openSession } = await import('#main/session.js');
      return openSession(projectFolder, options);
    },
    repositoryTop: async (folder) => {
      const { repositoryTop } = await import('#main/scratch.js');
      return repositoryTop(folder, { bareToo: false });
    },
    scratchFolder: async () => {
      const { scratchFolder } = await import('#main/scratch.js');
      return scratchFolder();
    },
    scratchClone: async (repository) => {
      const { scratchClone } = await import('#main/scratch.js');
      return scratchClone(path.resolve(here, repository));
    },
  };
}

/** Loaded where a service is asked. */
const socketClient = () => import('#surfaces/socket/client.js');

/** Somebody else holds the graph for life. */
const HELD: ReadonlySet<string> = new Set(['locked', 'service_running']);

/** How often a service that came meanwhile is asked before its trouble is the caller's. */
const ATTEMPTS = 3;

function findProject(folder: string): string | undefined {
  return whereabouts(folder).project;
}

function whereabouts(folder: string): Whereabouts {
  return projectAround(folder, process.env['WG_PROJECT_ROOT']);
}

function requireProject(folder: string): string {
  const { project, beyond } = whereabouts(folder);
  if (project !== undefined) return project;
  throw new TroupeError('not_initialized', {
    what: `There is no task graph in ${folder} or above.`,
    ...(beyond === undefined
      ? {}
      : {
          what: `There is no task graph in this git repository; the one in ${beyond} belongs to a folder above it.`,
          hint: `Run \`troupe init\` here, or name the other with \`--dir ${beyond}\`.`,
        }),
  });
}

/** Who asks is found out once for each project: nobody is asked twice whether they are a person. */
function rememberCaller(find: (project: string | undefined) => Promise<Caller>, here: string) {
  const callers = new Map<string | undefined, Promise<Caller>>();
  return (folder: string | undefined): Promise<Caller> => {
    const project = findProject(folder ?? here);
    const caller = callers.get(project) ?? find(project);
    callers.set(project, caller);
    return caller;
  };
}

async function callSpec<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
  folder: string,
  {
    socketOf,
    callerOf,
    asker,
  }: { socketOf(project: string): string; callerOf(folder: string): Promise<Caller>; asker(): Promise<Asker> },
): Promise<Answer> {
  const project = findProject(folder);
  const socket = spec.where === 'caller' || project === undefined ? undefined : socketOf(project);
  let request: RequestMark = freshRequest(); // one for all attempts: whoever is asked next can tell whether it was done
  for (let attempt = 1; ; attempt++) {
    const appeared = socket === undefined ? undefined : appearsAt(socket);
    if (socket !== undefined && existsSync(socket)) {
      const { askService } = await socketClient();
      const { requestId: request_id } = request;
      const reply = await askService(socket, { cmd: 'operation', name: spec.name, input, request_id }, await asker());
      if (reply.state === 'answered') return reply.result as Answer; // the service has the same table
      if (reply.state === 'broken') request = { ...request, fresh: false };
    }
    try {
      // Who only looks is taken at their word: a run may see what a person sees.
      const caller =
        spec.kind === 'read' && !asksForFile(spec, input)
          ? await knownCaller(callerFrom(process.env), folder)
          : await callerOf(folder);
      const output = await callHere(spec, input, folder, { caller, project, request, appeared });
      if (spec.kind === 'write' && project !== undefined) await notifyService(socketOf(project));
      return output;
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      if (error.code === 'read_only' && socket !== undefined && callerFrom(process.env).kind === 'run')
        await listenerAt(socket, appeared);
      // A service that came while we waited for the lock holds it for life: it is the one to ask.
      const served = appeared?.() === true && (HELD.has(error.code) || error.code === 'read_only');
      if (!served || attempt === ATTEMPTS) throw error;
      request = { ...request, fresh: false };
    }
  }
}

/** A run in a sandbox changes the project only by asking whoever listens at its door: between two services nobody does. */
async function listenerAt(socket: string, appeared: (() => boolean) | undefined): Promise<void> {
  for (let waited = 0; appeared?.() !== true; waited += LIMITS.doorLookMs) {
    if (waited >= LIMITS.doorWaitMs) {
      throw new TroupeError('service_not_running', {
        what: 'Nobody answers this run: nothing was changed.',
        hint: 'Try again when the service is back.',
        details: { socket },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LIMITS.doorLookMs));
  }
}

/** Lets a service look at once at what was changed beside it; without one, or when it does not answer, nothing happens. */
async function notifyService(socket: string): Promise<void> {
  if (!existsSync(socket)) return;
  const { ANYBODY, askService } = await socketClient();
  await askService(socket, { cmd: 'graph_changed' }, ANYBODY).catch(() => undefined);
}

/** Runs an operation in this process, on a graph opened for it alone. */
export async function callHere<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
  folder: string,
  by: {
    caller: Caller;
    project: string | undefined;
    request: RequestMark;
    appeared: (() => boolean) | undefined;
  },
): Promise<Answer> {
  const { callOperation } = await import('#operations/call.js');
  const place = spec.where === 'caller' || spec.graphless ? placeOf(spec, folder, by.project) : requireProject(folder);
  if (spec.kind === 'write' && spec.where !== 'caller' && existsSync(path.join(graphFolder(place), 'agents'))) {
    const { settleBefore } = await import('#main/settle.js');
    await settleBefore(place);
  }
  if (spec.coordinator) {
    const { callInEngine } = await import('#main/service-control.js');
    return await callInEngine(place, spec, input, by);
  }
  const project = composeProject(place, undefined, by.appeared);
  try {
    return await callOperation(spec, project.context(by.caller, by.request), input);
  } finally {
    await project.close();
  }
}

/** `init` works exactly where it is typed; everything else belongs to the project around. */
function placeOf(spec: OperationSpec, folder: string, project: string | undefined): string {
  return spec.place === 'here' ? path.resolve(folder) : (project ?? path.resolve(folder));
}
