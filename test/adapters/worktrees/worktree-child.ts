import { joinedOver } from './apart.js';
import { worktreesOf } from './place.js';

/**
 * Started by a test as a process of its own, with a git that may kill it: performs one action on the worktrees of a
 * project.
 */
const [folder = '', what = '', request = '{}', worker, remote] = process.argv.slice(2);
const isApart = worker !== undefined && remote !== undefined;
const worktrees = isApart ? joinedOver({ folder, worker, remote }) : worktreesOf(folder);
const input = JSON.parse(request) as never;
if (what === 'create') await worktrees.create(input);
else if (what === 'merge') await worktrees.mergeBack(input);
else if (what === 'remove') await worktrees.remove(input);
else if (what === 'land') await worktrees.land((await worktrees.landing()).to);
else throw new Error(`Not known: ${what}`);
