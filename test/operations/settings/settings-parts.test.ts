import { expect, test } from 'vitest';
import { NO_PARTS } from '#core/runs/own-parts.js';
import { settingsFrom } from '#core/settings/settings.js';
import { FORMATS, schema } from '#operations/settings/formats.js';
import { partsOfRun } from '#operations/settings/parts-of-run.js';
import { refuseUnknownExecutor, unknownExecutor } from '#operations/settings/usable-executors.js';
import { world } from '../../e2e/world.js';

test('which of the own parts of a person act in a run is said for each client', async () => {
  const parts = { ...NO_PARTS, hooks: ['mine'] };
  const context = { clientPrograms: async () => ({ ownParts: async () => parts }) as never };
  const { settings } = settingsFrom({});
  for (const on of [true, false]) {
    const { claude, codex } = settings.clients;
    const clients = { ...settings.clients, claude: { ...claude, own_hooks: on }, codex: { ...codex, own_hooks: !on } };
    const of = async (client: string | undefined) => await partsOfRun(context, client, { ...settings, clients });
    expect([await of('claude'), await of('codex')]).toEqual([
      { act: on, parts },
      { act: !on, parts },
    ]);
    for (const other of [undefined, 'shell', 'amp']) expect(await of(other)).toEqual({ act: true, parts: NO_PARTS });
  }
});

test('an executor that nobody has is refused, cut, with the name that is near', async () => {
  const files = {
    read: async (name: string) => (name === 'mine' ? {} : undefined),
    list: async () => [{ name: 'mine' }],
  };
  const context = { executorFiles: async () => files as never };
  for (const known of ['claude', 'mine']) await refuseUnknownExecutor(context, known);
  await expect(refuseUnknownExecutor(context, 'else', ['elsa'])).rejects.toMatchObject({
    ...{ code: 'unknown_executor', hint: 'Did you mean elsa?', details: { executor: 'else' } },
  });
  expect(await unknownExecutor(context, 'claud')).toMatchObject({ hint: 'Did you mean claude?' });
  expect(await unknownExecutor(context, 'mime')).toMatchObject({ hint: 'Did you mean mine?' });
  expect(await unknownExecutor(context, 'x'.repeat(90))).toMatchObject({
    ...{ message: `There is no executor "${'x'.repeat(60)}".`, details: { executor: 'x'.repeat(60) } },
    hint: expect.not.stringContaining('Did you mean'),
  });
});

test('formats are listed, each has a schema, and another name is refused with the one that is near', async () => {
  const { context } = world();
  const { formats } = await schema.run(context, {});
  expect(formats).toEqual(FORMATS.map(({ name, file, about }) => ({ name, file, about })));
  expect(formats?.map(({ name }) => name)).toEqual([
    'task',
    'resource',
    'operation',
    'config',
    'executor',
    'function',
    'review-plan',
    'evidence',
    'report',
    'casting-event',
    'casting-history',
    'memory-record',
    'casting-policy',
    'proposal',
    'archetype',
    'blueprint',
    'grouping',
    'universe',
    'workflow',
  ]);
  for (const { name, file, about } of FORMATS)
    expect(await schema.run(context, { name }), name).toMatchObject({
      ...{ $id: `troupe:${name}`, title: about, description: `Found in ${file}.`, $schema: expect.any(String) },
    });
  await expect(schema.run(context, { name: 'taks' })).rejects.toMatchObject({
    ...{ code: 'not_found', hint: 'Did you mean task?' },
  });
  await expect(schema.run(context, { name: 'z'.repeat(70) })).rejects.toMatchObject({
    ...{ message: `There is no format "${'z'.repeat(60)}".`, hint: 'Run `troupe schema` to see them.' },
  });
});
