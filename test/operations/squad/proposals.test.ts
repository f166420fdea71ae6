import { expect } from 'vitest';
import type { Context } from '#operations/operation.js';
import { confirm, ensureTeam } from '#operations/squad/confirm.js';
import { amend, analyze, manual, reject, scenarios, show } from '#operations/squad/proposals.js';
import { archetypes, universes } from '#operations/squad/sources.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const cast = (proposal: { members: readonly { role: { id: string } }[] }) =>
  proposal.members.map(({ role }) => role.id);

/** A caller before whom another process has the lock. */
async function after(stage: Stage, act: 'dropProposal' | 'amendProposal' | 'apply', first: () => Promise<unknown>) {
  const context = stage.context();
  const squad = await context.squad();
  const late = Object.assign(Object.create(squad), {
    [act]: async (...given: never[]) => {
      await first();
      return await (squad[act] as (...all: never[]) => Promise<unknown>).apply(squad, given);
    },
  });
  return { ...context, squad: async () => late } as Context;
}

verifies(
  ['casting.proposal.single', 'casting.amend'],
  'a proposal that another one replaced is neither rejected nor changed nor confirmed, and the other one stays',
  async () => {
    const stage = new Stage();
    const propose = (archetype: string) => () => stage.call(manual, { archetypes: [archetype] });
    await propose('writer')();
    const late = async (act: Parameters<typeof after>[1], id: string) => await after(stage, act, propose(id));
    await expect(reject.run(await late('dropProposal', 'editor'), {})).rejects.toThrow(coded('proposal_superseded'));
    expect(cast(await stage.call(show))).toEqual(['editor']);
    await expect(amend.run(await late('amendProposal', 'writer'), { add: ['qa-engineer'] })).rejects.toThrow(
      coded('proposal_superseded'),
    );
    expect(cast(await stage.call(show))).toEqual(['writer']);
    await expect(confirm.run(await late('apply', 'editor'), {})).rejects.toThrow(coded('proposal_superseded'));
    expect(cast(await stage.call(show))).toEqual(['editor']);
    for (const [act, work] of [
      ['amendProposal', (context: Context) => amend.run(context, { add: ['qa-engineer'] })],
      ['apply', (context: Context) => confirm.run(context, {})],
    ] as const) {
      await propose('writer')();
      const gone = await after(stage, act, () => stage.call(reject));
      await expect(work(gone), act).rejects.toThrow(coded('no_proposal'));
    }
    expect(stage.files()).toEqual({});
  },
);

verifies(
  'casting.amend',
  'typed changes are made to the revision that was shown only; a whole list of members replaces any',
  async () => {
    const stage = new Stage();
    await stage.call(manual, { archetypes: ['writer'] });
    const first = () => stage.call(amend, { add: ['editor'] });
    await expect(amend.run(await after(stage, 'amendProposal', first), { add: ['qa-engineer'] })).rejects.toThrow(
      coded('proposal_changed'),
    );
    expect(cast(await stage.call(show))).toEqual(['writer', 'editor']);
    const again = () => stage.call(amend, { drop: ['editor'] }).catch(() => stage.call(amend, { add: ['writer'] }));
    const whole = await amend.run(await after(stage, 'amendProposal', again), {
      members: [{ archetype_id: 'qa-engineer' }],
    });
    expect(cast(whole)).toEqual(['qa-engineer']);
    expect(whole.members[0]?.charter_markdown).toContain('QA Engineer');
    const moved = await stage.call(amend, { universe: 'Dune' });
    expect([moved.universe, cast(moved)]).toEqual(['Dune', ['qa-engineer']]);
    expect(moved.members[0]?.charter_markdown).toContain('QA Engineer');
  },
);

verifies(
  ['casting.proposal.ttl', 'casting.proposal.single'],
  'a proposal holds for less than half an hour, and no longer than until any confirmation of it',
  async () => {
    const stage = new Stage();
    const made = await stage.call(manual, { archetypes: ['writer'] });
    stage.now += 30 * 60_000 - 1;
    expect(await stage.call(show, { proposal_id: made.proposal_id })).toEqual(made);
    stage.now += 1;
    await expect(stage.call(show)).rejects.toMatchObject({ message: 'The proposal has expired.' });
    for (const archetype of ['writer', 'editor']) {
      const fresh = await stage.call(manual, { archetypes: [archetype] });
      expect(await stage.call(show), 'an earlier one was confirmed').toEqual(fresh);
      await stage.call(confirm, archetype === 'writer' ? {} : { intent: 'augment' });
      await expect(stage.call(show)).rejects.toMatchObject({ message: 'The last proposal was confirmed.' });
    }
  },
);

verifies(
  'catalog.menu',
  'archetypes, groupings and universes are told in full, in the order of the catalog',
  async () => {
    const stage = new Stage();
    const { menu, groupings } = await stage.catalog.load();
    expect((await stage.call(archetypes)).archetypes).toEqual(
      menu.map(({ id, title, summary, domain, leads }) => ({ id, title, summary, domain, leads })),
    );
    expect((await stage.call(scenarios)).scenarios).toEqual(
      [...groupings.values()].map(({ id, title, description, archetypes: ids }) => ({
        ...{ id, title, description, archetypes: ids },
      })),
    );
    expect((await stage.call(universes)).universes.filter(({ used, current }) => used || current)).toEqual([]);
    for (const [universe, intent] of [
      ['Dune', 'new'],
      ['Firefly', 'recast'],
    ] as const) {
      await stage.call(manual, { archetypes: ['writer'], universe, intent });
      await stage.call(confirm, { intent });
    }
    const { universes: all } = await stage.call(universes);
    expect(all.flatMap(({ name, used }) => (used ? [name] : [])).sort()).toEqual(['Dune', 'Firefly']);
    expect(all.every(({ names }) => names.length > 0)).toBe(true);
  },
);

verifies(
  'casting.analyze',
  'a team for a workflow has five members at least, those the workflow names among them',
  async () => {
    const stage = new Stage();
    const { nodes } = await stage.catalog.workflow('bug-fix');
    const first = (archetype: string | readonly string[] | undefined) =>
      typeof archetype === 'string' ? archetype : archetype?.[0];
    const named = new Set(nodes.flatMap(({ archetype }) => first(archetype) ?? []));
    const made = await stage.call(ensureTeam, { workflow: 'bug-fix' });
    expect(made.members).toBe(Math.max(5, named.size + 1));
    expect(made.universe).not.toBe('');
    const larger = await stage.call(analyze, { size: 2, required: ['writer', 'editor'] });
    expect(cast(larger)).toEqual(expect.arrayContaining(['writer', 'editor']));
  },
);
