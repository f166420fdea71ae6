import * as z from 'zod/mini';
import { castable } from '#core/catalog/catalog.js';
import { gitFiles } from '#core/team/first-files.js';
import { operation } from '#operations/operation.js';
import { findWorkflow } from '#operations/workflows/workflow-source.js';
import { confirm } from './confirm.js';
import { outsideWishes, refuseUnexpected } from './outside-files.js';
import { analyze } from './proposals.js';

/** The team a workflow needs: the one there is, else one cast from what the repository shows and the workflow asks for. */
export const ensureTeam = operation({
  name: 'team.ensure',
  input: z.strictObject({ workflow: z.string(), outside: outsideWishes.outside }),
  output: z.object({
    cast: z.boolean(),
    universe: z.string(),
    members: z.number(),
    leader: z.string(),
    outside: z.array(z.string()),
  }),
  async run(context, input) {
    const [squad, { workflow }] = await Promise.all([context.squad(), findWorkflow(context, input.workflow)]);
    const present = await squad.readTeam();
    if (present) return { cast: false, outside: [], ...shapeOf(present) };
    const catalog = await (await context.catalog()).load();
    const wanted = workflow.nodes.flatMap((node) => {
      const first = typeof node.archetype === 'string' ? node.archetype : node.archetype?.[0];
      // A workflow of the project may name whom no catalog has: that step belongs to nobody then.
      return first !== undefined && castable(catalog, first) ? [first] : [];
    });
    const required = [...new Set(wanted)];
    // Who is cast changes nothing about what every cast writes: nobody is chosen before that was shown.
    // Agents and roles of the new members come on top, in the folder of the graph.
    const always = [
      ...gitFiles(await squad.texts()),
      { kind: 'create', path: '.workgraph/agency/', text: '' } as const,
    ];
    refuseUnexpected(input.outside, { changes: always }, 'untouched');
    // What runs next needs no model, so the team for it needs none either.
    await analyze.run(context, { offline: true, required, size: Math.max(TEAM_LEAST, required.length + 1) });
    // Files for clients are for the person to ask for, not for what runs next.
    const { outside } = await confirm.run(context, { clients: false, outside: input.outside });
    const team = await squad.readTeam();
    return { cast: true, outside: [...outside], ...shapeOf(team ?? { universe: '', members: [], leader: '' }) };
  },
});

/** A team smaller than this has nobody to disagree with its leader. */
const TEAM_LEAST = 5;

function shapeOf(team: { universe: string; leader: string; members: readonly { status: string; builtIn: boolean }[] }) {
  const members = team.members.filter((member) => member.status === 'Active' && !member.builtIn).length;
  return { universe: team.universe, members, leader: team.leader };
}
