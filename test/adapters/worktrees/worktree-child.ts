import { worktreesOf } from './place.js';

/** Started by a test as a process of its own, with a git that may kill it: does one thing to the worktrees of a project. */
const [projectFolder = '', what = '', request = '{}'] = process.argv.slice(2);
const worktrees = worktreesOf(projectFolder);
const input = JSON.parse(request) as never;
if (what === 'create') await worktrees.create(input);
else if (what === 'merge') await worktrees.mergeBack(input);
else if (what === 'remove') await worktrees.remove(input);
else if (what === 'land') await worktrees.land((await worktrees.landing()).to);
else throw new Error(`Not known: ${what}`);
