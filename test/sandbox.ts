import { spawnSync } from 'node:child_process';

/** Whether bubblewrap works on this machine, so that runs can be confined. */
export const hasBubblewrap =
  spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', '--', 'true'], { stdio: 'ignore' }).status === 0;
