import { specNamed } from '#operations/named.js';
import { renderers } from '#surfaces/cli/render/status.js';
import type { Invocation } from './invocation.js';

/** Implements `troupe` without arguments: prints the status of the project or, outside a project, how to start. */
export async function printBare({ host, screen, folder, json }: Invocation): Promise<number> {
  const { colour } = screen;
  const status = () => host.call(specNamed('status.now'), {}, folder);
  if (json) {
    screen.line(JSON.stringify(await status()));
    return 0;
  }
  if (host.findProject(folder) === undefined) {
    screen.line(`${colour.bold('troupe')} casts a team of agents and runs its work as a graph of tasks.`);
    screen.line();
    screen.line(`  ${colour.cyan('troupe trial')}   have a team review a clone of this repository`);
    screen.line(`  ${colour.cyan('troupe setup')}   connect a client, and start a project here`);
    screen.line(`  ${colour.cyan('troupe init')}    start a project without one`);
    screen.line(`  ${colour.cyan('troupe --help')}  everyday commands and help topics`);
    return 0;
  }
  const around = { serviceAnswers: () => host.serviceAnswers(folder) };
  await renderers['status.now'](await status(), screen, around);
  return 0;
}
