// The built program, kept loaded: does one command line after the other as a process of its own would, and answers when
// nothing is left to do for it, which is when that process would end.
const { Writable } = require('node:stream');

const CLI = process.argv[2];
/** Of the command line that is under way: what it has come to. */
let outcome;

/** Takes the place of an output of this process: a pipe that somebody reads to its end. */
function collect(name) {
  let text = '';
  const value = new Writable({
    decodeStrings: false,
    write(chunk, _, written) {
      text += chunk;
      written();
    },
  });
  Object.defineProperty(process, name, { value, configurable: true });
  return () => text;
}

process.on('message', ({ args, cwd, env }) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, CLI, ...args];
  process.exitCode = undefined;
  const [stdout, stderr] = [collect('stdout'), collect('stderr')];
  process.exit = () => undefined; // the program ends itself once nothing is left to do
  outcome = () => ({ code: process.exitCode ?? 0, signal: null, stdout: stdout(), stderr: stderr() });
  process.channel.unref();
  delete require.cache[CLI]; // it begins by being loaded; what it loads stays
  require(CLI);
});

const { exit } = process;
process.on('disconnect', () => exit.call(process));

process.on('beforeExit', () => {
  const answer = outcome();
  process.chdir('/'); // the folder of a test goes with the test
  process.channel.ref();
  process.send(answer);
});
