import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TroupeError } from '#kernel/errors.js';
import { freshRequest } from '#kernel/request.js';
import { composeProject } from '#main/compose.js';
import { Engine } from '#main/engine.js';
import { openStore } from '#main/open-store.js';
import { projectFolderOf } from '#main/project.js';
import { leadingService } from '#main/service-at.js';
import { callOperation } from '#operations/call.js';
import type { Input, OperationName, Output } from '#operations/map.js';
import { specNamed } from '#operations/named.js';
import type { Project } from '#ports/project.js';
import type { Service } from '#ports/service.js';
import type { CommandHost, ForegroundSession } from '#surfaces/cli/host.js';

type SessionOptions = Parameters<CommandHost['openSession']>[1];

/** Opens a foreground session: in the project's service if one is up, else in an engine that ends with this process. */
export async function openForeground(project: Project, options: SessionOptions): Promise<ForegroundSession> {
  const service = leadingService(project);
  return (await service.up()) ? sessionOfService(project, service) : ownSession(project, options);
}

async function ownSession(project: Project, options: SessionOptions): Promise<ForegroundSession> {
  const caller = callerFrom(process.env);
  const engine = await Engine.start({ project, ...options });
  return {
    projectFolder: projectFolderOf(project),
    inService: false,
    call: (name, input) => engine.call(specNamed(name), input, caller, freshRequest()),
    follow: (from, signal) => engine.follow(from, signal),
    dashboardLink: () => engine.dashboardLink(caller),
    stop: () => engine.stop({ killRuns: true }),
  };
}

async function sessionOfService(project: Project, service: Service): Promise<ForegroundSession> {
  const caller = callerFrom(process.env);
  const composed = composeProject(project);
  const store = await openStore(project, async () => new ProcessTable()).open(() => false);
  const ask = async (request: Parameters<Service['ask']>[0]) => {
    const reply = await service.ask(request);
    if (reply.state === 'answered') return reply.result;
    throw new TroupeError('service_not_running', { what: 'The service has stopped.' });
  };
  return {
    projectFolder: projectFolderOf(project),
    inService: true,
    call: async <Name extends OperationName>(name: Name, input: Input<Name>) => {
      const spec = specNamed(name);
      if (spec.where === 'caller') return callOperation(spec, composed.context(caller, freshRequest()), input);
      const { requestId: request_id } = freshRequest();
      return (await ask({ cmd: 'operation', name, input, request_id })) as Output<Name>;
    },
    follow: (from, signal) => store.follow(from, signal),
    dashboardLink: async () => ((await ask({ cmd: 'dashboard' })) as { address: string }).address,
    stop: async () => {
      await store.close();
      await composed.close();
    },
  };
}
