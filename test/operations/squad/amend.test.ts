import { expect } from 'vitest';
import type { Context } from '#operations/operation.js';
import { confirm } from '#operations/squad/confirm.js';
import { amend, manual, reject, show } from '#operations/squad/proposals.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

const coded = (code: string) => expect.objectContaining({ code });
const cast = (proposal: { members: { role: { id: string }; proposed_name: string }[] }) =>
  proposal.members.map((member) => `${member.role.id} ${member.proposed_name}`);

verifies(
  ['casting.amend', 'casting.proposal.ttl', 'cli.cast'],
  'the open proposal is changed by words or as a whole, kept, and holds from then on',
  async () => {
    const stage = new Stage();
    await expect(stage.call(amend, { add: ['writer'] })).rejects.toThrow(coded('no_proposal'));
    await stage.call(manual, { archetypes: ['writer', 'editor'], universe: 'The Matrix' });
    stage.now += 20 * 60_000;
    const typed = await stage.call(amend, { add: ['qa-engineer'], drop: ['Neo'], name: ['trinity=Tank'] });
    expect(cast(typed)).toEqual(['editor Tank', 'qa-engineer Neo']);
    expect(await stage.call(show)).toEqual(typed);
    stage.now += 20 * 60_000;
    const whole = await stage.call(amend, { members: [{ archetype_id: 'editor' }], universe: 'Firefly', revision: 2 });
    expect(cast(whole)).toEqual(['editor Mal']);
    expect(whole.revision).toBe(3);
    stage.now += 30 * 60_000;
    await expect(stage.call(amend, { universe: 'Dune' })).rejects.toThrow(coded('no_proposal'));
    expect(stage.files()).toEqual({});
  },
);

verifies('casting.amend', 'what was refused leaves the proposal as it was', async () => {
  const stage = new Stage();
  const first = await stage.call(manual, { archetypes: ['writer'], universe: 'The Matrix' });
  for (const [input, code] of [
    [{ revision: 7, universe: 'Dune' }, 'proposal_changed'],
    [{ name: ['Neo=Frodo'] }, 'name_invalid'],
    [{ add: ['plumber'] }, 'unknown_archetype'],
    [{ drop: ['Neo'] }, 'bad_input'],
    [{ drop: ['Nobody'] }, 'not_found'],
    [{}, 'bad_input'],
    [{ add: ['editor'], members: [] }, 'bad_input'],
    [{ universe: 'Dune', proposal_id: 'another' }, 'no_proposal'],
  ] as const)
    await expect(stage.call(amend, input), JSON.stringify(input)).rejects.toThrow(coded(code));
  expect(await stage.call(show)).toEqual(first);
});

verifies('casting.amend', 'what is confirmed is what was read: another revision is refused', async () => {
  const stage = new Stage();
  const first = await stage.call(manual, { archetypes: ['writer'], universe: 'The Matrix' });
  await stage.call(amend, { name: ['Neo=Tank'] });
  await expect(stage.call(confirm, { revision: first.revision })).rejects.toThrow(coded('proposal_changed'));
  await expect(stage.call(confirm, { proposal_id: 'another' })).rejects.toThrow(coded('no_proposal'));
  const done = await stage.call(confirm, { revision: 2, proposal_id: first.proposal_id });
  expect(done.added).toEqual(['Tank']);
  await expect(stage.call(amend, { add: ['editor'] })).rejects.toThrow(coded('no_proposal'));
});

verifies('cli.cast', 'a rejected proposal cannot be changed', async () => {
  const stage = new Stage();
  const { proposal_id } = await stage.call(manual, { archetypes: ['writer'] });
  await expect(stage.call(reject, { proposal_id: 'another' })).rejects.toThrow(coded('no_proposal'));
  expect(await stage.call(reject, { proposal_id })).toEqual({ proposal_id });
  await expect(stage.call(amend, { add: ['editor'] })).rejects.toThrow(coded('no_proposal'));
});

verifies(
  'casting.amend',
  'a proposal amended after it was read and before the lock is had is not confirmed',
  async () => {
    const stage = new Stage();
    const first = await stage.call(manual, { archetypes: ['writer'], universe: 'The Matrix' });
    const context = stage.context();
    const squad = await context.squad();
    // Whoever amends in between comes first to the lock: as two processes would, one reads, the other changes, the first confirms.
    const between: Context = {
      ...context,
      squad: async () =>
        Object.assign(Object.create(squad), {
          apply: async (...given: Parameters<typeof squad.apply>) => {
            await stage.call(amend, { add: ['editor'] });
            return await squad.apply(...given);
          },
        }),
    };
    await expect(confirm.run(between, { proposal_id: first.proposal_id })).rejects.toThrow(coded('proposal_changed'));
    expect(Object.keys(stage.files())).toEqual([]);
    expect((await stage.call(confirm)).members.filter(({ built_in }) => !built_in)).toHaveLength(2);
  },
);
