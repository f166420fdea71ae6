import type { ToolServer } from '#core/runs/plan.js';
import type { Settings } from '#core/settings/settings.js';
import type { MachineContext } from '#operations/contexts.js';
import { partsOfRun } from '#operations/settings/parts-of-run.js';
import { usableExecutor } from '#operations/settings/usable-executors.js';
import type { ClientCompletion } from '#ports/client-completion.js';
import type { OwnSettingsSource } from '#ports/settings.js';

/** Facilities of a machine for the clients of its runs. */
export interface ClientMachine {
  /** Starts Troupe's MCP server for the client of a run. */
  readonly tools: ToolServer;
  /** The person's own settings for all projects on this machine; the project cannot change them. */
  readonly own: OwnSettingsSource;
  settings(): Promise<Settings>;
}

/** Completes plans of clients with the programs, variables and settings of this machine. */
export function clientCompletion(
  context: MachineContext,
  { tools, own: source, settings }: ClientMachine,
): ClientCompletion {
  return {
    async complete(name, { request }, places) {
      const { executor, program, stream } = await usableExecutor(context, name);
      const own = await source.read();
      const prepared = executor.prepare({
        ...request,
        ...places,
        project: context.projectFolder,
        tools,
        values: { ...request.values, task_context: request.prompt },
        allowUnsafe: own.allowUnsafe,
        own: await partsOfRun(context, stream, await settings()),
      });
      const { args, environment, folder, stdin, files, passes, resume } = prepared;
      const { capsItself } = executor;
      return {
        invocation: { program, args, environment, folder, capsItself, ...(stream === undefined ? {} : { stream }) },
        prompt: stdin,
        files,
        passed: (await context.clientPrograms()).variables([...passes, ...own.passEnv]),
        resumes: resume,
      };
    },
  };
}
