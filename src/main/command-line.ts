import { makeHost } from '#main/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';

/** Runs one command from its arguments to its exit code. */
export function main(): void {
  process.stdout.on('error', endQuietly);
  runCommandLine(process.argv.slice(2), makeHost()).then((code) => {
    process.exitCode = code;
  });
}

/** `troupe list | head` closes the pipe early; this is not an error. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
