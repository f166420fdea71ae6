import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { freshRequest, type RequestMark } from '#kernel/request.js';
import { knownCaller } from '#main/places.js';
import { projectAt, projectFolderOf } from '#main/project.js';
import { findProject as projectAround, type Whereabouts } from '#main/project-folder.js';
import { leadingService } from '#main/service-at.js';
import { type OperationSpec, onlyLooks } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { ReadOnlyCause } from '#ports/storage.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import type { ToolCall } from '#surfaces/mcp/readings.js';
import { callThrough } from '#surfaces/socket/call-through.js';

declare const TROUPE_VERSION: string;

/** Creates the host of the command line, connected to the real process. */
export function makeHost(): CommandHost {
  const environment = process.env;
  const here = process.cwd();
  const ask = async (question: string) => (await import('./caller.js')).askAtTerminal(question);
  const callerOf = rememberCaller(async (project) => {
    const { callerAt } = await import('#main/caller.js');
    return callerAt(project, environment);
  }, here);
  let reading: ReadOnlyCause | undefined;
  /** Sockets of the services that carried out the last operation of their project. */
  const served = new Set<string>();
  const told: Told = {
    reading: (cause) => {
      reading = cause;
    },
    served: (project, isServed) => {
      if (isServed) served.add(project.layout.socket);
      else served.delete(project.layout.socket);
    },
  };
  return {
    environment,
    folder: here,
    get input() {
      return process.stdin; // opened on access: even reading the property costs time and can keep the process alive
    },
    out: process.stdout,
    err: process.stderr,
    version: () => TROUPE_VERSION,
    offerTools: async (folder, offer) => {
      const { offerPersonTools, offerTools } = await import('#main/mcp.js');
      const around = path.resolve(here, folder ?? '.');
      const callIn =
        (place: string): ToolCall =>
        (spec, input) =>
          callSpec(spec, input, place, callerOf, told);
      if (offer.to === 'person')
        return offerPersonTools(TROUPE_VERSION, offer.tiers, await callerOf(folder), callIn(around));
      const project = requireProject(folder ?? here);
      return offerTools(project, TROUPE_VERSION, callIn(projectFolderOf(project)));
    },
    tasksAtAGlance: async (folder) => (await import('#main/glance.js')).tasksAtAGlance(findProject(folder)),
    findProject: (folder) => findProject(folder ?? here)?.folder,
    caller: callerOf,
    call: (spec, input, folder) => callSpec(spec, input, folder ?? here, callerOf, told),
    reading: () => reading,
    service: async (command, folder) => {
      const reply = await leadingService(requireProject(folder ?? here)).ask(command);
      if (reply.state !== 'answered') throw new TroupeError('service_not_running');
      return reply.result;
    },
    serviceAnswers: async (folder) => {
      const project = findProject(folder ?? here);
      if (project === undefined) return false;
      if (served.has(project.layout.socket)) return true; // asking again would double the time of a command from afar
      try {
        return (await leadingService(project).up()) !== undefined;
      } catch (error) {
        // Any other error means that no service schedules work; a leader that cannot be reached from here does.
        return isRefusal(error, 'database_read_only') && error.details['leader'] !== undefined;
      }
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
      const { tick } = await import('#main/service-control.js');
      return tick(requireProject(folder ?? here), dryRun);
    },
    openWorker: async (options, folder) => {
      const { openWorker } = await import('#main/worker.js');
      return openWorker(requireProject(folder ?? here), options, TROUPE_VERSION);
    },
    openLeaderChoice: async (folder) => {
      const { openLeaderChoice } = await import('#main/worker-agreement.js');
      return openLeaderChoice(requireProject(folder ?? here));
    },
    tryFleet: async (tell, signal) => (await import('#main/try-fleet.js')).fleetHere(tell, signal),
    openSession: async (projectFolder, options) => {
      const { openForeground: openSession } = await import('#main/session.js');
      return openSession(projectAt(projectFolder), options);
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

function findProject(folder: string): Project | undefined {
  return whereabouts(folder).project;
}

function whereabouts(folder: string): Whereabouts {
  return projectAround(folder, process.env['WG_PROJECT_ROOT']);
}

function requireProject(folder: string): Project {
  refuseNoFolder(folder);
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

/** A misspelt `--dir` would else stand for the project around it. */
function refuseNoFolder(folder: string): void {
  if (!isFolder(folder))
    throw new TroupeError('not_found', { what: `There is no folder ${folder}.`, hint: 'Name a folder that exists.' });
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Determines the caller once per project, so that a person is asked at most once to confirm. */
function rememberCaller(find: (project: Project | undefined) => Promise<Caller>, here: string) {
  const callers = new Map<string | undefined, Promise<Caller>>();
  return (folder: string | undefined): Promise<Caller> => {
    const project = findProject(folder ?? here);
    const caller = callers.get(project?.folder) ?? find(project);
    callers.set(project?.folder, caller);
    return caller;
  };
}

/** Clock and delay for waiting until a service answers. */
export const SYSTEM_WAIT_CLOCK = {
  now: () => performance.now(),
  wait: (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Receives facts that a call learns beside its answer. */
interface Told {
  /** The reason why a database is read-only, if it is. */
  reading(cause: ReadOnlyCause | undefined): void;
  /** Whether the service of a project carried out an operation, rather than this process. */
  served(project: Project, isServed: boolean): void;
}

async function callSpec<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
  folder: string,
  callerOf: (folder: string) => Promise<Caller>,
  told: Told,
): Promise<Answer> {
  if (spec.place !== 'here') refuseNoFolder(folder);
  const project = findProject(folder);
  // Operations that also work without a graph concern files of this machine.
  const service = project === undefined ? undefined : leadingService(project, { first: spec.graphless !== true });
  const looks = onlyLooks(spec, input);
  let isHere = false;
  const here = async (request: RequestMark, appeared: (() => boolean) | undefined) => {
    isHere = true;
    // A read does not verify the caller: a run may see all that a person sees.
    const caller = looks ? await knownCaller(callerFrom(process.env), folder) : await callerOf(folder);
    const place = spec.where === 'caller' || spec.graphless ? placeOf(spec, folder, project) : requireProject(folder);
    const { callHere } = await import('#main/call-here.js');
    const answer = await callHere(spec, input, place, { caller, request, appeared, tell: told.reading });
    // A service that has started meanwhile is notified at once; one that does not answer finds the change at its next
    // poll.
    if (spec.kind === 'write') await service?.notify().catch(() => undefined);
    return answer;
  };
  if (project === undefined || service === undefined || spec.where === 'caller')
    return await here(freshRequest(), undefined);
  const byRun = callerFrom(process.env).kind === 'run';
  told.served(project, false);
  const call = { name: spec.name, input, byRun, looks, here, request: freshRequest() };
  const answer = await callThrough(service, call, SYSTEM_WAIT_CLOCK);
  told.served(project, !isHere);
  return answer;
}

/** `init` works in the given folder itself; all other operations use the surrounding project. */
function placeOf(spec: OperationSpec, folder: string, project: Project | undefined): Project {
  if (existsSync(folder) && !isFolder(folder))
    throw new TroupeError('bad_input', { what: `${folder} is not a folder.`, hint: 'Name a folder with `--dir`.' });
  return project === undefined || spec.place === 'here' ? projectAt(path.resolve(folder)) : project;
}
