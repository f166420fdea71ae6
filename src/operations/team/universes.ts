import * as z from 'zod/mini';
import { readSquadState, type SquadState } from '#core/team/squad-state.js';
import { teamUniverse } from '#core/team/team.js';
import { allowedUniverses, poolOf } from '#core/team/universe.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import type { SquadFiles } from '#ports/squad-files.js';
import { text } from './casting-shapes.js';
import { addPool } from './proposals.js';

/** The universes a team of this project may come from, in the order in which they are chosen; one may be added first. */
export const universes = operation({
  name: 'casting.universes',
  input: z.strictObject({ add: text }),
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
  async run(context, { add }) {
    if (add !== undefined) await addPool(context, add);
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

/** Where two layouts disagree about the team, names still come from somewhere. */
async function readable(squad: SquadFiles): Promise<SquadState> {
  try {
    return await squad.read();
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'layout_conflict') return readSquadState(new Map());
    throw error;
  }
}
