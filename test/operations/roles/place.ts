import { LocalGit } from '#adapters/git/local-git.js';
import type { Operation } from '#operations/operation.js';
import { followAccepted } from '#operations/roles/acceptance.js';
import type { Caller } from '#ports/callers.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { StartersInMemory } from '../../roles-stage.js';
import { stage } from '../agency/place.js';

export const RUN = { kind: 'run', name: 'agent-7', taskId: 'own', fence: 1 } as const;

/** A project with these role files, and operations called by a person or another caller. */
export async function roleStage(texts: Iterable<readonly [file: string, text: string]> = []) {
  const files = new RolesInMemory(texts);
  const own = await stage({
    git: async () => new LocalGit(process.env),
    roleFiles: async () => files,
    roleStarters: async () => new StartersInMemory(),
  });
  const as = async <Given, Taken, Answer>(
    caller: Caller,
    operation: Operation<string, Given, Taken, Answer>,
    input: Taken,
  ) => await operation.run({ ...own.context(), caller }, input);
  const events = async () => {
    const all: { op: string; detail: Record<string, unknown> }[] = [];
    for await (const { op, detail } of own.store.entries(1)) all.push({ op, detail: { ...detail } });
    return all;
  };
  files.follow = (written, now) => followAccepted((caller) => ({ ...own.context(), caller }), written, now);
  return { ...own, files, as, events };
}

export type RoleStage = Awaited<ReturnType<typeof roleStage>>;
