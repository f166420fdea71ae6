// Recovery of work that a previous service left unfinished; called at the start of the next one.
import { existsSync } from 'node:fs';
import { trialsIn } from '#core/graph/trial.js';
import type { Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Project } from '#ports/project.js';

export interface UnfinishedParts {
  readonly project: Project;
  readonly store: GraphStore;
  readonly note: (text: string) => void;
  context(): Context;
}

/** Logs and returns the problem of teams.db with the command that repairs it; undefined if it is sound. */
export async function tellTeamsTrouble({ store, note, context }: UnfinishedParts): Promise<string | undefined> {
  const { teamsProblem: teamsTrouble } = await import('#operations/teams-fault.js');
  const trouble = await teamsTrouble(context(), await store.view(), { thoroughly: false });
  if (!trouble) return undefined;
  const text = `${trouble.text} Run \`${trouble.command}\`.`;
  note(text);
  return text;
}

/** Logs and returns the problems of this project's worktrees, with their remedies. */
export async function tellWorktreeGaps({ note, context }: UnfinishedParts): Promise<readonly string[]> {
  const { worktreeGaps } = await import('#operations/review/gaps.js');
  const texts = (await worktreeGaps(context())).map(({ text, remedy }) => `${text} ${remedy}`);
  for (const text of texts) note(text);
  return texts;
}

/**
 * Relays rows of teams.db whose process was killed before the graph recorded them. A broken database must not keep work
 * from running.
 */
export async function relayKept({ project, note, context }: UnfinishedParts): Promise<void> {
  if (!existsSync(project.layout.teams)) return;
  const { relayOutbox } = await import('#operations/relay-outbox.js');
  try {
    await relayOutbox(context());
  } catch (error) {
    note(`the graph was not told what teams.db holds for it: ${(error as Error).message}`);
  }
}

/** Completes role changes of a killed process: undoes them, or applies them if the log contains them. */
export async function settleRoleChanges({ project, note, context }: UnfinishedParts): Promise<void> {
  if (!existsSync(project.layout.roleChanges)) return;
  try {
    await (await context().roleFiles()).read();
  } catch (error) {
    note(`the role files are not up to date: ${(error as Error).message}`);
  }
}

/** Deletes trials of a role left by a killed process. Runs in the background, since their runs must end first. */
export function throwAwayTrials({ store, note, context }: UnfinishedParts, isStopping: () => boolean): void {
  const work = async () => {
    const ids = trialsIn(await store.view());
    if (ids.length === 0) return;
    const { discardTrials: throwAway } = await import('#operations/agency/trial.js');
    const own = context();
    const facts = own.coordinator?.();
    if (facts) await throwAway(own, facts, store, ids);
  };
  work().catch((error) => {
    if (!isStopping()) note(`the trial was not cleaned up: ${(error as Error).message}`);
  });
}
