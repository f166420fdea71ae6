/**
 * What a run of a client begins with. It holds nothing of the task: what to do lies beside it as data. Started by hand, from
 * anywhere, it does the same with the environment it finds. `runProgram` is the path of our own program.
 */
export function clientScript(runProgram: string): string {
  return `#!/usr/bin/env bash
unset CLAUDECODE CLAUDE_CODE_ENTRYPOINT
WG_RUN=$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd -P) || exit 1
export WG_RUN
program='${runProgram.replaceAll("'", `'\\''`)}'
exec "\${TROUPE_NODE:-node}" "\${TROUPE_RUN:-$program}" "$WG_RUN"
`;
}

/** The command of every such run: our own words, and what varies comes by environment. */
export const CLIENT_COMMAND = 'exec bash --noprofile --norc "$WG_RUN/run.sh"';
