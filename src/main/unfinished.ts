// Work that an earlier service left half done, brought to its end when the next one starts.
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

/** Notes and answers the trouble of teams.db with the command that helps; undefined when it is sound. */
export async function tellTeamsTrouble({ store, note, context }: UnfinishedParts): Promise<string | undefined> {
  const { teamsTrouble } = await import('#operations/teams-fault.js');
  const trouble = await teamsTrouble(context(), await store.view(), { thoroughly: false });
  if (!trouble) return undefined;
  const text = `${trouble.text} Run \`${trouble.command}\`.`;
  note(text);
  return text;
}

/** Notes and answers what worktrees of this project lack, with what helps. */
export async function tellWorktreeGaps({ note, context }: UnfinishedParts): Promise<readonly string[]> {
  const { worktreeGaps } = await import('#operations/worktrees/gaps.js');
  const texts = (await worktreeGaps(context())).map(({ text, remedy }) => `${text} ${remedy}`);
  for (const text of texts) note(text);
  return texts;
}

/** Rows of teams.db by a process that was killed before the graph knew of them. A broken database is no reason to run nothing. */
export async function relayKept({ project, note, context }: UnfinishedParts): Promise<void> {
  if (!existsSync(project.layout.teams)) return;
  const { relayOutbox } = await import('#operations/relay-outbox.js');
  try {
    await relayOutbox(context());
  } catch (error) {
    note(`the graph was not told what teams.db holds for it: ${(error as Error).message}`);
  }
}

/** Changes of roles by a process that was killed: undone, or followed where the log has them. */
export async function settleRoleChanges({ project, note, context }: UnfinishedParts): Promise<void> {
  if (!existsSync(project.layout.roleChanges)) return;
  try {
    await (await context().roleFiles()).read();
  } catch (error) {
    note(`the role files are not up to date: ${(error as Error).message}`);
  }
}

/** Trials of a role by a process that was killed: beside everything else, as their runs have to end first. */
export function throwAwayTrials({ store, note, context }: UnfinishedParts, isStopping: () => boolean): void {
  const work = async () => {
    const ids = trialsIn(await store.view());
    if (ids.length === 0) return;
    const { throwAway } = await import('#operations/evolution/trial.js');
    const own = context();
    const facts = own.coordinator?.();
    if (facts) await throwAway(own, facts, store, ids);
  };
  work().catch((error) => {
    if (!isStopping()) note(`the trial was not cleaned up: ${(error as Error).message}`);
  });
}
