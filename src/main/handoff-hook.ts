import { judgeHere } from '#main/judge-call.js';
import { answerCall } from '#surfaces/cli/commands/hook-check-handoffs.js';

/**
 * Runs `troupe hook check-handoffs`, which a client starts before each agent, without loading the command table. The
 * build bundles it as one small file (`tooling/build.mjs`).
 */
export function main(): void {
  const { env: environment, stdin: input, stdout: out, stderr: err } = process;
  answerCall({ environment, input, out, err, folder: process.cwd(), judgeCall: judgeHere }).then((code) => {
    process.exitCode = code;
  });
}
