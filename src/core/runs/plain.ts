import { NO_USAGE } from './event.js';
import { exitText, type Reader, Tally, text } from './reader.js';

/** Output without a form, of programs that are not clients: every line is a sign of life, the exit code is the verdict. */
export function plainReader(): Reader {
  const tally = new Tally();
  return {
    line: (line) => [text(line)],
    verdict: (exit) =>
      exit.code === 0 && exit.signal === null
        ? tally.verdict('succeeded', 'The command ended with exit code 0.', NO_USAGE)
        : tally.verdict('failed', `The command ended with ${exitText(exit)}.`, NO_USAGE),
  };
}
