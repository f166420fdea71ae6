import { judgeHere } from '#main/judge-call.js';
import { answerCall } from '#surfaces/cli/commands/hook-check-handoffs.js';

/**
 * `troupe hook check-handoffs`, as a client starts it before each agent: from its words to the exit code without the tables of all
 * commands. The build makes one small file of it (`tooling/build.mjs`).
 */
export function main(): void {
  const { env: environment, stdin: input, stdout: out, stderr: err } = process;
  answerCall({ environment, input, out, err, folder: process.cwd(), judgeCall: judgeHere }).then((code) => {
    process.exitCode = code;
  });
}
