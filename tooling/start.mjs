// npm start [-- REPOSITORY [FLAGS]]: from a fresh clone to a finished review of a repository, this one by default.
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
// The program has the terminal to itself and ends by itself; Ctrl-C reaches it first, so we only wait.
const wait = () => undefined;
process.on('SIGINT', wait);
process.on('SIGTERM', wait);
try {
  // Whoever starts this program from its own repository has agreed to its checks; of another they are asked.
  const agreed = named ? [] : ['--yes'];
  await run(process.execPath, ['dist/cli.cjs', 'trial', repository, ...agreed, ...words.slice(named ? 1 : 0)], {
    stdio: 'inherit',
  });
} catch {
  process.exitCode = 1; // it has said why
}
