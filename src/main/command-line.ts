import { makeHost } from '#main/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';

/** One command, from its words to the exit code. */
export function main(): void {
  process.stdout.on('error', endQuietly);
  runCommandLine(process.argv.slice(2), makeHost()).then((code) => {
    process.exitCode = code;
  });
}

/** `troupe list | head` closes the pipe early: that is no error of anybody. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
