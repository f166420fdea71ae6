import { spawnSync } from 'node:child_process';

/** Whether bubblewrap works on this machine, so that runs are kept to their places. */
export const hasBubblewrap =
  spawnSync('bwrap', ['--unshare-user', '--ro-bind', '/', '/', '--', 'true'], { stdio: 'ignore' }).status === 0;
