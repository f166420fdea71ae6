import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ConfigFile } from '#adapters/settings/config-file.js';
import { SECTIONS } from '#core/settings/schema.js';
import { agentCreate } from '#operations/agency/entities.js';
import { agencyInit } from '#operations/agency/init.js';
import { specNamed } from '#operations/named.js';
import { AGENCY_KEYS } from '#operations/settings/agency-options.js';
import { apply, set, setAgency } from '#operations/settings/config.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const coded = (code: string) => expect.objectContaining({ code });

async function configured() {
  const own = await stage({ settings: async () => file });
  const file = new ConfigFile({ folder: own.folder, processes: new ProcessTable(), clock: { now: () => 0 } });
  return { ...own, read: async () => (await file.read())['agency'] };
}

test('every setting of the agency has a flag', () => {
  expect([...AGENCY_KEYS].sort()).toEqual(Object.keys(SECTIONS.agency).sort());
  const options = specNamed('config.agency').options ?? [];
  expect(options.map(({ field }) => field)).toEqual([...AGENCY_KEYS, 'max_coordinators']);
  for (const { flag, summary, value } of options) expect(summary && value, flag).toMatch(/^[A-Z]/);
});

verifies('who.replay', 'the number of coordinator sessions has a flag of its own', async () => {
  const { call, store } = await configured();
  const { settings } = await call(setAgency, { max_coordinators: '6' });
  expect(settings).toEqual([{ key: 'coordinator.max_coordinators', value: 6, from: 'file' }]);
  await expect(call(setAgency, { max_coordinators: '0' })).rejects.toThrow(coded('bad_config'));
  await store.close();
});

test('several are set at once, or none when one of them cannot be', async () => {
  const { call, read, as, store } = await configured();
  const said = await call(setAgency, {
    flip_enabled: 'true',
    flip_verification_threshold: '0.5',
    evaluator_model: 'm',
  });
  expect(said.settings).toEqual([
    { key: 'agency.evaluator_model', value: 'm', from: 'file' },
    { key: 'agency.flip_enabled', value: true, from: 'file' },
    { key: 'agency.flip_verification_threshold', value: 0.5, from: 'file' },
  ]);
  const before = await read();
  for (const odd of [{ flip_verification_threshold: '1.1' }, { casting_provider: 'else' }])
    await expect(call(setAgency, { auto_assign: 'true', ...odd }), JSON.stringify(odd)).rejects.toThrow(
      coded('bad_config'),
    );
  await expect(call(setAgency, { auto_assign: 'true', flip_enabled: 'perhaps' })).rejects.toThrow('flip_enabled');
  await expect(call(setAgency, {})).rejects.toThrow(coded('usage'));
  as({ kind: 'run', name: 'agent-1', taskId: 't', fence: 1 });
  await expect(call(setAgency, { auto_assign: 'true' })).rejects.toThrow(coded('not_yours'));
  expect(await read()).toEqual(before);
  await store.close();
});

test('an agent that does not exist is refused when it is set, and one that does is stored by its whole id', async () => {
  const { call, read, store } = await configured();
  await call(agencyInit);
  const { id } = await call(agentCreate, { name: 'Judge', role: 'Evaluator', tradeoff: 'Thorough' });
  for (const field of ['creator_agent', 'evaluator_agent', 'evolver_agent']) {
    const refusal = { code: 'not_found', message: 'There is no agent Jugde.', hint: 'Did you mean Judge?' };
    const unknown = expect.objectContaining(refusal);
    await expect(call(setAgency, { auto_assign: 'true', [field]: 'Jugde' }), field).rejects.toEqual(unknown);
    await expect(call(set, { key: `agency.${field}`, value: 'Jugde' }), field).rejects.toEqual(unknown);
    await expect(call(apply, { settings: [`agency.${field}=Jugde`] }), field).rejects.toEqual(unknown);
    expect(await read(), field).toBeUndefined();
    expect(await call(set, { key: `agency.${field}`, value: id.slice(0, 8) })).toMatchObject({ value: id });
    expect(await call(setAgency, { [field]: 'Judge' })).toMatchObject({ settings: [{ value: id }] });
    await call(apply, { settings: [`agency.${field}=`] });
  }
  await store.close();
});
