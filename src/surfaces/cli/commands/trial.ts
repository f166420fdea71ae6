import path from 'node:path';
import { inert } from '#kernel/text.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { runMode } from '#surfaces/cli/option-values.js';
import { watchStarted } from '#surfaces/cli/started-work.js';
import { agreeToChecks } from './agree-to-checks.js';
import { callNamed } from './call-named.js';
import { watchOptions } from './run.js';

/** Runs a review on a clone in a scratch folder: the repository itself is only read. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, input, folder } = invocation;
  const repository = typeof input['repository'] === 'string' ? input['repository'] : folder;
  const watching = watchOptions(input, true); // refuses bad flags before anything is cloned
  const { projectFolder, original } = await host.scratchClone(repository);
  screen.aside(screen.colour.dim(`Trial of a clone of ${inert(original)}, in ${inert(projectFolder)}`));
  try {
    if (!(await agreeToChecks(invocation, projectFolder, original))) return 1;
    await callNamed(host, 'project.init', {}, projectFolder);
    const wish = { cast: true, override: true, run: runMode(input['run']), dependenciesFrom: original };
    return await watchStarted(invocation, projectFolder, watching, wish);
  } finally {
    const room = inert(path.dirname(projectFolder));
    screen.aside(screen.colour.dim(`The trial and its report are in ${room}. Delete that folder when you are done.`));
  }
}
