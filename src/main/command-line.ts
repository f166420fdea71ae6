import { makeHost } from '#main/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';

/** Runs one command from its arguments to its exit code. The name it is called by decides whose scripts it serves. */
export async function main(): Promise<void> {
  process.stdout.on('error', endQuietly);
  const isOriginal = process.argv[1]?.endsWith('/wg');
  const run = isOriginal ? (await import('#main/original.js')).mainAsOriginal : runCommandLine;
  process.exitCode = await run(process.argv.slice(2), makeHost());
}

/** `troupe list | head` closes the pipe early; this is not an error. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
