import * as z from 'zod/mini';
import { addTask } from '#core/graph/add.js';
import { soloTags } from '#core/playbooks/role-place.js';
import type { CoreRole } from '#core/roles/lane.js';
import { coreNameOf } from '#core/roles/registry.js';
import { isRoleName, roleName } from '#core/roles/role-name.js';
import { coreFile } from '#core/roles/role-paths.js';
import { STARTERS, starterNamed } from '#core/roles/starters.js';
import { STARTER_WRITER } from '#core/roles/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut } from '#kernel/text.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { plainLetters } from '#operations/plain-letters.js';
import { answer, moverOf } from '#operations/shapes.js';
import { changeRoles } from './change-roles.js';
import { fillSeats } from './fill-seat.js';
import { loadRoles } from './load-roles.js';
import { roleNotFound } from './solo-lesson.js';

/** Adds a task for a single role: a role of the repository, else a shipped one, which is copied into the repository. */
export const rolesAs = operation({
  name: 'roles.as',
  command: 'roles as',
  group: 'Roles',
  kind: 'write',
  summary: 'Have a single role review a target: one task, one run',
  examples: [
    'troupe roles as debugger "the login test that fails now and then"',
    'troupe roles as skeptic the plan in docs/plan.md --json',
  ],
  input: z.strictObject({
    name: argument('A role of the repository, or a shipped one', z.string()),
    target: argument('The target or job, in words', z.array(z.string())),
  }),
  output: z.object({
    id: z.string(),
    role: z.string(),
    from: z.enum(['repository', 'starter']),
    file: z.string(),
    seq: z.number(),
  }),
  async run(context: WorkContext & MachineContext, { name, target }) {
    const store = await context.graph();
    const words = target.join(' ').trim();
    if (words === '') throw new TroupeError('bad_input', { what: 'Describe what the role should do.' });
    const { role, from } = await resolveRole(context, name);
    const [assignment = {}] = await fillSeats(context, [{ row: undefined, core: await coreNamed(context, role) }]);
    const title = cut(`${role}: ${words.replace(/\s+/g, ' ')}`, WORK_LIMITS.titleCharacters);
    const draft = {
      title,
      plain_title: await plainLetters(title),
      description: words,
      tags: soloTags(role),
      ...assignment,
    };
    const commit = await store.commit(
      (view) => addTask(view, draft, { now: context.clock.now(), actor: context.caller.name, by: moverOf(context) }),
      context.request,
    );
    const { id, seq } = await answer(context, store, commit);
    return { id, role, from, file: coreFile(role), seq };
  },
});

/**
 * Resolves a role: a file of the repository, else a shipped one, which is copied unchanged. Lane files are not roles.
 * Errors: `bad_role_name`, `role_not_found` with all names and the closest one.
 */
async function resolveRole(
  context: WorkContext,
  word: string,
): Promise<{ role: string; from: 'repository' | 'starter' }> {
  const { texts } = await (await context.roleFiles()).read();
  const names = [...texts.keys()].flatMap((file) => coreNameOf(file) ?? []).filter(isRoleName);
  if (names.includes(word)) return { role: word, from: 'repository' };
  const starter = starterNamed(word);
  if (starter === undefined) throw roleNotFound(roleName(word), new Set([...names, ...STARTERS]));
  const text = await (await context.roleStarters()).text(starter);
  const file = coreFile(starter);
  await changeRoles(context, STARTER_WRITER, {}, ({ texts: now }) => ({
    texts: new Map(now.has(file) ? [] : [[file, text]]),
    events: [],
    result: undefined,
  }));
  return { role: starter, from: 'starter' };
}

async function coreNamed(context: Pick<Context, 'roleFiles'>, role: string): Promise<CoreRole | undefined> {
  return (await loadRoles(context)).cores.get(role);
}
