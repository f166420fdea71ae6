import { TroupeError } from '#kernel/errors.js';
import { specNamed } from '#operations/named.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { type LandingReport, printLanding } from '#surfaces/cli/worktree-landing.js';

/** Shows what would land, asks for confirmation, and lands exactly the commit that was shown. */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, input, json, folder } = invocation;
  const landing = await host.call(specNamed('worktree.landing'), {}, folder);
  const isWaiting = landing.relation === 'ahead' || landing.relation === 'diverged';
  const sayAs = (landed: boolean) => {
    if (json) screen.line(JSON.stringify({ ...landing, landed }));
    else if (landed)
      screen.line(`Landed: ${screen.colour.cyan(landing.branch ?? 'HEAD')} is at ${landing.to.slice(0, 10)}.`);
  };
  // A preview would stand before the refusal, for a person who has agreed already.
  const isRefused = landing.obstacle !== undefined && input['yes'] === true;
  if (!json && !isRefused) printLanding(landing, screen);
  if (!isWaiting) {
    sayAs(false);
    return 0;
  }
  if (landing.obstacle === undefined && !(await isMeant(invocation, landing))) {
    screen.aside('Nothing was changed.');
    return 1;
  }
  await host.call(specNamed('worktree.land'), { to: landing.to }, folder); // fails if there is an obstacle
  sayAs(true);
  return 0;

  async function isMeant({ json }: Invocation, { branch }: LandingReport): Promise<boolean> {
    if (input['yes'] === true) return true;
    const reply = json ? undefined : await host.ask(`Move ${branch ?? 'HEAD'} and your files there? [y/N] `);
    if (reply !== undefined) return /^y(es)?$/i.test(reply.trim());
    throw new TroupeError('confirmation_needed', {
      what: `This would move ${branch ?? 'HEAD'} and your files, and needs a confirmation.`,
      hint: 'Review the changes, then run `troupe worktree land --yes`.',
    });
  }
}
