import { TroupeError } from '#kernel/errors.js';
import { plural } from '#kernel/text.js';
import type { Input } from '#operations/map.js';
import { specNamed } from '#operations/named.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { printTable } from '#surfaces/cli/table.js';
import { callNamed } from './call-named.js';
import { startFormation } from './start-formation.js';

/**
 * With a goal: a research sweep. Without: lists tasks in progress that no run works on, and releases them after
 * consent.
 */
export async function execute(invocation: Invocation): Promise<number> {
  return invocation.input['goal'] === undefined ? await giveBack(invocation) : await discover(invocation);
}

/** Researches a goal: `sweep` is also the command that releases tasks, and a goal tells them apart. */
async function discover(invocation: Invocation): Promise<number> {
  const { dry_run, ...wish } = invocation.input;
  if (dry_run === true)
    throw new TroupeError('usage', {
      what: 'A sweep for a goal has no --dry-run: nothing runs before you accept its line-up.',
      hint: 'Leave --dry-run out.',
    });
  return await startFormation(invocation, 'sweep', wish as Input<'formation.sweep'>);
}

async function giveBack({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const { yes: _yes, dry_run: _dryRun, ...ofGoals } = input;
  if (Object.keys(ofGoals).length > 0)
    throw new TroupeError('usage', {
      what: 'Without a goal, a sweep takes --yes and --dry-run only.',
      hint: 'Name the goal: `troupe sweep "GOAL"`.',
    });
  const { orphans } = await host.call(specNamed('agent.orphans'), {}, folder);
  if (!json) print(orphans);
  const confirmed = orphans.length > 0 && input['dry_run'] !== true && (input['yes'] === true || (await isMeant()));
  const released: string[] = [];
  if (confirmed) {
    for (const { id, reason } of orphans) {
      await callNamed(host, 'task.unclaim', { id, reason: `swept: ${reason}` }, folder);
      released.push(id);
    }
  }
  if (json) screen.line(JSON.stringify({ orphans, released }));
  else if (released.length > 0) screen.line(`Released ${plural(released.length, 'task')}.`);
  else if (orphans.length > 0) screen.aside('Nothing was changed: `troupe sweep --yes` releases them.');
  return 0;

  function print(rows: typeof orphans): void {
    if (rows.length === 0) {
      screen.line('Every task in progress has an active run.');
      return;
    }
    printTable(screen, rows, [['TASK=id', 'HELD BY=holder', 'WHY=reason…']]);
  }

  /** Without a terminal there is no consent, and nothing changes. */
  async function isMeant(): Promise<boolean> {
    const reply = json ? undefined : await host.ask(`Release ${orphans.length === 1 ? 'it' : 'them'}? [y/N] `);
    return reply !== undefined && /^y(es)?$/i.test(reply.trim());
  }
}
