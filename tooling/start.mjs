// npm start [-- REPOSITORY [FLAGS]]: from a fresh clone to a finished review of a repository, by default of this one.
import path from 'node:path';
import { HOME, prepare, run } from './prepare.mjs';

const typedIn = process.env.INIT_CWD ?? process.cwd();
const words = process.argv.slice(2);
const named = words[0] !== undefined && !words[0].startsWith('-');
const repository = named ? path.resolve(typedIn, words[0]) : HOME;

try {
  await prepare();
} catch (error) {
  process.stderr.write(
    `error[not_prepared]: ${error.message}\nhint: Read what is said above; installing needs the package registry.\n`,
  );
  process.exit(1);
}
// The program owns the terminal and handles Ctrl-C itself, so signals are only ignored here.
const wait = () => undefined;
process.on('SIGINT', wait);
process.on('SIGTERM', wait);
try {
  // Starting from this repository implies consent to run its checks; for another repository the program asks.
  const agreed = named ? [] : ['--yes'];
  await run(process.execPath, ['dist/cli.cjs', 'trial', repository, ...agreed, ...words.slice(named ? 1 : 0)], {
    stdio: 'inherit',
  });
} catch {
  process.exitCode = 1; // it has printed the reason
}
