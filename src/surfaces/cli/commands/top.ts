import { TroupeError } from '#kernel/errors.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { renderers } from '#surfaces/cli/render/work.js';
import { callNamed } from './call-named.js';

/** Shows the live view; prints one frame with `--once`, and the data with `--json`. Errors: `no_terminal`. */
export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const work = () => callNamed(host, 'status.work', {}, folder);
  if (json) {
    screen.line(JSON.stringify(await work()));
    return 0;
  }
  if (input['once'] === true) {
    renderers['status.work'](await work(), screen);
    return 0;
  }
  if (!host.out.isTTY || !host.input.isTTY || host.environment['TERM'] === 'dumb') {
    throw new TroupeError('no_terminal', {
      what: 'The live view needs a terminal for input and output.',
      hint: '`troupe top --once` prints one frame, `--json` the data.',
    });
  }
  await work(); // reports errors of the project before the view takes the screen
  // Ink draws only its last frame in continuous integration, for which it takes every environment with `CI`.
  host.environment['CI'] = '0';
  const { showTop } = await import('#surfaces/cli/top/view.js');
  const source = {
    work,
    output: async (task: string) => (await callNamed(host, 'task.output', { id: task }, folder)).text,
    kill: async (run: string) => {
      await callNamed(host, 'agent.kill', { run }, folder);
    },
    toggle: async (paused: boolean) => {
      await callNamed(host, paused ? 'service.resume' : 'service.pause', {}, folder);
    },
  };
  await showTop(source, screen, { input: host.input, out: host.out });
  return 0;
}
