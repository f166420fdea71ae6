import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { readiness } from '#core/graph/ready.js';
import { TroupeError } from '#kernel/errors.js';
import type { Output } from '#operations/map.js';
import type { Caller } from '#ports/callers.js';
import { type World, world } from '../../e2e/world.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { room } from '../../room.js';

type AnswerOf = Output<'playbook.status'>;

/** A project on disk with a graph in memory, whose runs the test plays: each holds its task while it acts. */
export function formationWorld(stage: World = world()) {
  const project = room('formations');
  const roles = new RolesInMemory();
  let ids = 0;
  const person: Caller = { kind: 'person', name: 'you' };
  Object.assign(stage.context, {
    projectFolder: project,
    freshId: () => `fresh-${++ids}`,
    formationFiles: async () => new FormationFolder(project),
    roleFiles: async () => roles,
    files: async () => new LocalFiles(project),
  });
  const context = stage.context as { caller: Caller };
  let claims = 0;

  /** Plays a run of the task from claim to end. It ends as done unless the act throws or `ends` differs. */
  async function play(id: string, act: () => Promise<unknown>, ends: 'done' | 'failed' = 'done'): Promise<unknown> {
    const ready = readiness(await stage.store.view(), id, stage.clock.now());
    expect(ready, `${id} may begin`).toMatchObject({ ready: true });
    const [name, fence] = [`agent-${++claims}`, ((await stage.store.view()).task(id)?.fence ?? 0) + 1];
    await stage.set(id, { status: 'in-progress', assigned: name, fence });
    context.caller = { kind: 'run', name, taskId: id, fence };
    try {
      const answer = await act();
      await stage.set(id, {
        status: ends,
        assigned: undefined,
        completed_at: new Date(stage.clock.now()).toISOString(),
      });
      return answer;
    } catch (error) {
      await stage.set(id, { status: 'open', assigned: undefined });
      throw error;
    } finally {
      context.caller = person;
    }
  }

  return {
    ...stage,
    project,
    roles,
    play,
    handIn: (id: string, content: string) => play(id, () => stage.call('formation.hand-in', { id, content })),
    step: (run: string, step: string) =>
      play(`${run}-${step}`, () => stage.call('formation.step', { run, step })) as Promise<{
        added: string[];
        said: string[];
      }>,
    shown: (run: string) => stage.call('playbook.status', { run }) as Promise<AnswerOf>,
    /** Answer to a run of another task that asks for the files of a formation. */
    shownToRun: async (run: string) => {
      context.caller = { kind: 'run', name: 'agent-0', taskId: 'other', fence: 1 };
      try {
        return ((await stage.call('playbook.status', { run })) as AnswerOf).delivered;
      } finally {
        context.caller = person;
      }
    },
    task: async (id: string) => (await stage.store.view()).task(id),
    text: (file: string) => {
      const place = path.join(project, file);
      return existsSync(place) ? readFileSync(place, 'utf8') : '';
    },
    /** Text of a role file or a log. */
    roleText: (file: string) => roles.texts.get(`.claude/${file}`) ?? '',
    /** Error code of a refusal. */
    refusal: async (call: Promise<unknown>) => {
      const error = await call.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return error instanceof TroupeError ? error.code : error;
    },
  };
}
