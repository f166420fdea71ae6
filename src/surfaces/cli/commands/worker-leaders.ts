import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { LeaderCard, PublishedLeader } from '#ports/leader-seal.js';
import type { LeaderChoice } from '#surfaces/cli/host.js';
import type { Invocation } from '#surfaces/cli/invocation.js';

/**
 * Explains the consequences of a worker, and asks once about each published leader. Errors: `worker_not_agreed` if no
 * leader was agreed to, before or now.
 */
export async function agreeToLeaders({ host, screen, input }: Invocation, choice: LeaderChoice): Promise<void> {
  const known = choice.agreed();
  const added = (await choice.published()).filter(({ key }) => known?.some((leader) => leader.key === key) !== true);
  if (known === undefined)
    screen.aside(
      `A worker runs commands here, as ${inert(choice.user)}, for the leaders of ${inert(choice.database)}: whoever has a key that you agree to and can write there as leader runs commands on this machine.`,
    );
  const ask = async (question: string) => (input['yes'] === true ? 'y' : await host.ask(question));
  const agreed: LeaderCard[] = [];
  for (const leader of added) {
    screen.aside(`${inLeaderWords(leader)}, with the key ${inert(leader.key)}`);
    const answer = await ask('May it run commands here? [y/N] ');
    if (isYes(answer)) agreed.push(leader);
    if (answer !== undefined) continue;
    if (known !== undefined) screen.aside('Nobody is there to answer: nothing is taken from it.');
    break;
  }
  if (known === undefined && added.length === 0) {
    screen.aside('No machine has led there yet: `troupe worker agree` asks when one does.');
    if (!isYes(await ask('Agree to that? [y/N] '))) throw new TroupeError('worker_not_agreed');
  } else if (known === undefined && agreed.length === 0) throw new TroupeError('worker_not_agreed');
  if (known === undefined || agreed.length > 0) await choice.agree(agreed);
}

/** Implements `troupe worker agree`, before a worker is started or while one runs. */
export async function chooseLeaders(invocation: Invocation): Promise<number> {
  const { host, input, folder, screen, json } = invocation;
  const choice = await host.openLeaderChoice(folder);
  try {
    const key = input['forget'];
    if (typeof key !== 'string') await agreeToLeaders(invocation, choice);
    else if (!(await choice.forget(key)))
      throw new TroupeError('not_found', {
        what: `No leader with the key ${inert(key).slice(0, 64)} is agreed to here.`,
        hint: '`troupe worker agree` shows those that are.',
      });
    const leaders = choice.agreed() ?? [];
    if (json) screen.line(JSON.stringify({ leaders }));
    else if (leaders.length === 0) screen.line('No leader may run commands here.');
    else for (const { name, at, key: of } of leaders) screen.line(`${inert(name)} on ${inert(at)}  ${inert(of)}`);
    return 0;
  } finally {
    await choice.close();
  }
}

function inLeaderWords({ name, at, leads }: PublishedLeader): string {
  return `${inert(name)} on ${inert(at)} ${leads ? 'leads now' : 'has led, or may lead'}`;
}

function isYes(answer: string | undefined): boolean {
  return answer !== undefined && /^y(es)?$/i.test(answer.trim());
}
