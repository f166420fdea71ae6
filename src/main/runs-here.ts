import type { RunEnds } from '#adapters/runs/run-ends.js';
import { type Pulse, ShellRuns } from '#adapters/runs/shell-runs.js';
import { OwnConfigFile } from '#adapters/settings/own-config-file.js';
import type { Settings } from '#core/settings/settings.js';
import type { Clock } from '#kernel/clock.js';
import { PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { OwnFolders } from '#main/run-sandbox.js';
import type { MachineContext } from '#operations/contexts.js';
import { clientCompletion } from '#operations/runs/client-completion.js';
import type { AttemptTrees } from '#ports/attempt-trees.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { RunDoors } from '#ports/run-doors.js';
import type { Sandbox } from '#ports/sandbox.js';

interface RunsHereParts {
  readonly project: Project;
  readonly context: MachineContext;
  /** Parent of the run folders. */
  readonly agents: string;
  readonly ends: RunEnds;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly doors: RunDoors;
  readonly person: OwnFolders;
  /** The settings in force. */
  settings(): Promise<Settings>;
  trees(): Promise<Pick<AttemptTrees, 'placeOf'>>;
  readonly pulse?: Pulse;
}

/** Run host for this machine, with the person's programs, environment and settings. */
export function runsHere({ project, context, agents, person, settings, ...parts }: RunsHereParts): ShellRuns {
  const projectFolder = projectFolderOf(project);
  return new ShellRuns({
    ...parts,
    agentsFolder: agents,
    projectFolder,
    command: PLACES.command,
    runProgram: PLACES.run,
    completion: clientCompletion(context, {
      tools: { command: process.execPath, args: [PLACES.command, 'mcp', '--dir', projectFolder] },
      own: new OwnConfigFile({ folder: person.configurationFolder, projectFolder }),
      settings,
    }),
  });
}
