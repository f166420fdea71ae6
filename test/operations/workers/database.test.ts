import { expect } from 'vitest';
import { check, databaseInUse, init, migrate, nameInDatabase, status, use } from '#operations/workers/database.js';
import type { StorageState } from '#ports/storage.js';
import { verifies } from '../../verifies.js';
import { KeptInMemory, moving, refused } from './kept-in-memory.js';

const PLACE = 'db.example.org:5432/troupe';
const STANDING = { place: PLACE, server: '15.8', tables: 'current', epoch: 3, leader: undefined };

const near = (done: string[], state: StorageState = 'in-use') => new KeptInMemory('near', done, state, ['{}', '{}']);

verifies(['fleet.db', 'fleet.address'], 'a person chooses the database of the project, or forgets it', async () => {
  const done: string[] = [];
  const databases = { '': near(done), near: near(done) };
  const { context, asked } = moving({ done, named: 'shop', databases });
  expect(await use.run(context, {})).toEqual({ project: 'shop', chosen: true, place: PLACE });
  expect(await use.run(context, { address: 'near', forget: false })).toEqual({
    ...{ project: 'shop', chosen: true, place: PLACE },
  });
  expect(asked).toEqual([{ project: 'shop' }, { project: 'shop', address: 'near' }]);
  expect(await use.run(context, { forget: true })).toEqual({ project: 'shop', chosen: false });
  expect(done).toEqual(['choose {"project":"shop"}', 'choose {"project":"shop","address":"near"}', 'forget']);
  done.length = 0;
  expect(await refused(use.run(context, { forget: true, address: 'near' }))).toMatchObject({ code: 'usage' });
  expect(await refused(use.run(moving({ done }).context, {}))).toMatchObject({ code: 'not_in_database' });
  for (const [state, code] of [
    ['none', 'not_found'],
    ['empty', 'not_found'],
    ['retired', 'storage_retired'],
  ] as const) {
    const other = moving({ done, named: 'shop', databases: { '': near(done, state) } });
    expect(await refused(use.run(other.context, {}))).toMatchObject({ code });
  }
  expect(done).toEqual([]);
});

verifies(['fleet.db', 'fleet.roles'], 'the tables of a project are made where none is kept', async () => {
  const done: string[] = [];
  for (const state of ['none', 'empty'] as const) {
    const { context, asked } = moving({ done, databases: { near: near(done, state) } });
    expect(await init.run(context, { address: 'near', project: 'market' })).toEqual({
      ...{ ...STANDING, project: 'market', state: 'empty', seq: 2, steps: ['0001.sql'], missing_roles: ['viewer'] },
    });
    expect(asked).toEqual([{ project: 'market', address: 'near' }]);
  }
  expect(done).toEqual(['migrate near', 'migrate near']);
  done.length = 0;
  const { context, asked } = moving({ done, databases: { '': near(done, 'retired') } });
  expect(await init.run(context, { sql: true })).toEqual({
    ...{ ...STANDING, project: 'my_shop', state: 'retired', seq: 2, steps: [], missing_roles: [], sql: 'CREATE ROLE' },
  });
  expect(asked).toEqual([{ project: 'my_shop' }]);
  for (const state of ['in-use', 'retired'] as const) {
    const other = moving({ done, databases: { '': near(done, state) } });
    expect(await refused(init.run(other.context, {}))).toMatchObject({ code: 'store_not_empty' });
  }
  expect(done).toEqual([]);
});

verifies(
  ['fleet.db', 'fleet.read'],
  'where a project is kept is told, and why it cannot be changed there',
  async () => {
    const done: string[] = [];
    expect(await status.run(moving({ done }).context, {})).toEqual({ kept: 'files' });
    const chosen = { project: 'shop', address: 'near' };
    const kept = near(done);
    const stateWith = async (reading: unknown) => {
      const { storage } = kept;
      const standing = async () => ({ ...(await storage.standing()), reading });
      const databases = { near: { storage: { ...storage, standing } } as unknown as KeptInMemory };
      return await status.run(moving({ done, named: 'shop', chosen, databases }).context, {});
    };
    const database = { ...STANDING, project: 'shop', state: 'in-use', seq: 2 };
    expect(await stateWith(undefined)).toEqual({ kept: 'database', database });
    expect(await stateWith({ by: 'login', ageMs: undefined })).toEqual({
      ...{ kept: 'database', database: { ...database, reading: { by: 'login' } } },
    });
    for (const [ageMs, age_seconds] of [
      [1_500, 2],
      [1_499, 1],
      [0, 0],
    ] as const)
      expect(await stateWith({ by: 'replica', ageMs })).toEqual({
        ...{ kept: 'database', database: { ...database, reading: { by: 'replica', age_seconds } } },
      });
  },
);

verifies('fleet.db', 'the tables are brought up to date in the chosen database only', async () => {
  const done: string[] = [];
  const chosen = { project: 'shop', address: 'near' };
  const own = moving({ done, named: 'shop', chosen, databases: { near: near(done) } });
  expect(await migrate.run(own.context, {})).toEqual({
    ...{ project: 'shop', place: PLACE, steps: ['0001.sql'], missing_roles: ['viewer'] },
  });
  expect([done, own.asked]).toEqual([['migrate near'], [chosen]]);
  const inUse = await databaseInUse(await own.context.storages());
  expect([inUse.project, inUse.chosen]).toEqual(['shop', chosen]);
  for (const [options, code, details] of [
    [{ done }, 'not_in_database', {}],
    [{ done, named: 'shop' }, 'database_not_chosen', { project: 'shop' }],
    [{ done, named: 'shop', chosen: { project: 'other' } }, 'database_not_chosen', { project: 'shop' }],
  ] as const)
    expect(await refused(migrate.run(moving(options).context, {}))).toMatchObject({ code, details });
});

verifies('fleet.db', 'everything that a database keeps is read and counted; an error is not well', async () => {
  const done: string[] = [];
  const finding = (severity: string) => ({ severity, text: 'Something.', remedy: 'Do this.' });
  const examined = async (...severities: string[]) => {
    const kept = new KeptInMemory(
      'near',
      done,
      'in-use',
      ['{}'],
      [1, 2, 3].map((id) => ({ table: 'm', values: { id } })),
    );
    const { storage } = kept;
    const examine = async () => severities.map(finding);
    const graph = { ...storage.graph, doctor: async () => ({ examine }) };
    const databases = { '': { storage: { ...storage, graph } } as unknown as KeptInMemory };
    return await check.run(moving({ done, named: 'shop', chosen: { project: 'shop' }, databases }).context, {});
  };
  const counted = { project: 'shop', place: PLACE, seq: 1, rows: 3 };
  expect(await examined()).toEqual({ ...counted, ok: true, findings: [] });
  for (const [severities, ok] of [
    [['note', 'warning'], true],
    [['warning', 'error'], false],
    [['error'], false],
  ] as const)
    expect(await examined(...severities)).toEqual({ ...counted, ok, findings: severities.map(finding) });
});

verifies(
  'fleet.db',
  'the name of a project in a database is that of its folder, in letters that a database takes',
  () => {
    for (const [folder, name] of [
      ['/projects/shop', 'shop'],
      ['/projects/My Shop', 'my_shop'],
      ['/projects/Größe-2.0', 'gro_e_2_0'],
      ['/projects/Café', 'cafe'],
      ['/projects/2nd', 'p_2nd'],
      ['/projects/.dot', 'dot'],
      ['/projects/設計', 'p_'],
      ['/', 'p_'],
      [`/projects/${'x'.repeat(41)}`, 'x'.repeat(40)],
      [`/projects/${'1'.repeat(41)}`, `p_${'1'.repeat(38)}`],
    ] as const) {
      expect(nameInDatabase(undefined, folder)).toBe(name);
      expect(nameInDatabase(name, '/elsewhere'), 'a name that may be asked for').toBe(name);
    }
    for (const asked of ['', 'Shop', '2nd', 'my-shop', 'x'.repeat(41)])
      expect(() => nameInDatabase(asked, '/projects/shop')).toThrow(expect.objectContaining({ code: 'bad_input' }));
  },
);
