import path from 'node:path';
import * as z from 'zod/mini';
import { addPool } from '#core/casting/add-pool.js';
import { readUniverse } from '#core/catalog/catalog-file.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { teamUniverse } from '#core/squad/team.js';
import { allowedUniverses, poolOf } from '#core/squad/universe.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, TeamContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import type { SquadFiles } from '#ports/squad-files.js';

/** Lists the archetypes that can be cast, in catalog order. */
export const archetypes = operation({
  name: 'casting.archetypes',
  command: 'cast archetypes',
  group: 'Casting',
  kind: 'read',
  where: 'caller',
  instead: 'catalog show archetypes',
  summary: 'List the archetypes you can cast',
  examples: ['troupe cast archetypes', 'troupe cast archetypes --json'],
  input: z.strictObject({}),
  output: z.object({
    archetypes: z.array(
      z.object({ id: z.string(), title: z.string(), summary: z.string(), domain: z.string(), leads: z.boolean() }),
    ),
  }),
  async run(context: TeamContext) {
    const catalog = await (await context.catalog()).load();
    return {
      archetypes: catalog.menu.map(({ id, title, summary, domain, leads }) => ({ id, title, summary, domain, leads })),
    };
  },
});

/** Lists the universes this project may use, in order of preference; `add` adds one first. */
export const universes = operation({
  name: 'casting.universes',
  command: 'cast universes',
  group: 'Casting',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  instead: 'catalog show universes',
  summary: 'List the universes; add your own',
  examples: ['troupe catalog show universes --add our-names.yaml', 'troupe cast universes'],
  input: z.strictObject({
    add: option('A YAML file with name and names, to add as a universe', text, { value: 'FILE', path: 'always' }),
  }),
  output: z.object({
    universes: z.array(
      z.object({
        name: z.string(),
        names: z.readonly(z.array(z.string())),
        used: z.boolean(),
        current: z.boolean(),
      }),
    ),
  }),
  async run(context: TeamContext & FilesContext, { add }) {
    if (add !== undefined) await addNamePool(context, add);
    const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
    const [catalog, state] = await Promise.all([source.load(), readable(squad)]);
    const used = new Set(state.history.usage.map((name) => name.toLowerCase()));
    const current = teamUniverse(state.registry, state.history)?.toLowerCase();
    return {
      universes: allowedUniverses(state.policy, catalog.universes).allowed.map((name) => ({
        name,
        names: poolOf(name, catalog.universes)?.names ?? [],
        used: used.has(name.toLowerCase()),
        current: name.toLowerCase() === current,
      })),
    };
  },
});

/** If two layouts conflict, an empty state is used: names can still be listed. */
async function readable(squad: SquadFiles): Promise<SquadState> {
  try {
    return await squad.read();
  } catch (error) {
    if (isRefusal(error, 'layout_conflict')) return readSquadState(new Map());
    throw error;
  }
}

/** Adds a person's own name pool to the shipped ones. Errors: `not_yours` for a run. */
async function addNamePool(context: TeamContext & FilesContext, file: string): Promise<void> {
  if (context.caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'A run cannot change the universes: only a person can.' });
  const [source, squad, files] = await Promise.all([context.catalog(), context.squad(), context.files()]);
  const value = await files.data(path.resolve(context.projectFolder, file), TEAM_LIMITS.catalogFileBytes);
  const pool = readUniverse({ name: cut(inert(path.basename(file)), 120), value });
  const catalog = await source.load();
  await squad.apply((state) => addPool(state, catalog, pool));
}
