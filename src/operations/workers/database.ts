import path from 'node:path';
import * as z from 'zod/mini';
import { foldAccents } from '#core/graph/slug.js';
import { DATABASE_PROJECT } from '#core/settings/database.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import type { ChosenDatabase, DatabaseStatus, DatabaseStorage, Storages } from '#ports/storage.js';

const standingShape = {
  project: z.string(),
  place: z.string(),
  server: z.string(),
  state: z.enum(['none', 'empty', 'in-use', 'retired']),
  tables: z.enum(['none', 'older', 'current']),
  seq: z.number(),
  epoch: z.number(),
  leader: z.optional(z.string()),
  /** Reason why this address is read-only; undefined if it is writable. */
  reading: z.optional(
    z.object({
      by: z.enum(['replica', 'server', 'login']),
      /** Age of the newest change that a replica has received. */
      age_seconds: z.optional(z.number()),
    }),
  ),
};

/** State of a database as output. */
function toldStanding({ reading, ...standing }: DatabaseStatus) {
  if (reading === undefined) return standing;
  const { by, ageMs } = reading;
  return { ...standing, reading: { by, ...(ageMs === undefined ? {} : { age_seconds: Math.round(ageMs / 1_000) }) } };
}

const migratedShape = {
  steps: z.readonly(z.array(z.string())),
  /** Roles that do not exist and that this login may not create. */
  missing_roles: z.readonly(z.array(z.string())),
};

/**
 * Chooses the database of this project for the person on this machine. The name in the repository is not sufficient.
 */
export const use = operation({
  name: 'database.use',
  command: 'database use',
  group: 'Storage',
  kind: 'write',
  where: 'caller',
  summary: 'Choose the database of this project, on this machine',
  examples: ['troupe database use postgresql://ann@localhost/troupe', 'troupe database use --forget'],
  input: z.strictObject({
    address: argument(
      'postgresql://USER:PASSWORD@HOST:5432/DATABASE (default: TROUPE_DATABASE_URL)',
      z.optional(z.string()),
    ),
    forget: option('Forget it', z.optional(z.boolean())),
  }),
  output: z.object({ project: z.string(), chosen: z.boolean(), place: z.optional(z.string()) }),
  async run(context: GraphContext, input) {
    const storages = await context.storages();
    const project = namedIn(storages);
    if (input.forget === true) {
      if (input.address !== undefined)
        throw new TroupeError('usage', { what: 'Give an address or --forget, not both.' });
      await storages.choice.forget();
      return { project, chosen: false };
    }
    const chosen = { project, ...(input.address === undefined ? {} : { address: input.address }) };
    const database = await storages.database(chosen);
    const { place, state } = await database.standing();
    if (state === 'none' || state === 'empty') throw notThere(project, place);
    if (state === 'retired') throw new TroupeError('storage_retired');
    await storages.choice.choose(chosen);
    return { project, chosen: true, place };
  },
});

/**
 * Creates the tables of a project in a database, and the roles of leaders, workers and viewers, so that moving the
 * project there does not require these permissions.
 */
export const init = operation({
  name: 'database.init',
  command: 'database init',
  group: 'Storage',
  kind: 'write',
  where: 'caller',
  graphless: true,
  summary: 'Make the tables of a project in a database',
  examples: [
    'troupe database init postgresql://ann@localhost/troupe --project shop',
    'troupe database init --project shop --sql',
  ],
  input: z.strictObject({
    address: argument(
      'postgresql://USER:PASSWORD@HOST:5432/DATABASE (default: TROUPE_DATABASE_URL)',
      z.optional(z.string()),
    ),
    project: option('The name of the project there', z.optional(z.string()), { value: 'NAME' }),
    sql: option('Print what an administrator is to run first', z.optional(z.boolean())),
  }),
  output: z.object({
    ...standingShape,
    ...migratedShape,
    /** SQL for an administrator; then nothing was done. */
    sql: z.optional(z.string()),
  }),
  async run(context: GraphContext, { address, project: asked, sql = false }) {
    const project = nameInDatabase(asked, context.projectFolder);
    const database = await (await context.storages()).database({
      project,
      ...(address === undefined ? {} : { address }),
    });
    const standing = await database.standing();
    if (sql) return { project, ...toldStanding(standing), steps: [], missing_roles: [], sql: database.rolesSql() };
    const { state, place } = standing;
    if (state === 'in-use' || state === 'retired')
      throw new TroupeError('store_not_empty', {
        what: `There is a project ${project} in ${place} already.`,
        hint: 'Choose another name, or join it with `troupe database use`.',
      });
    const { steps, missingRoles } = await database.migrate();
    return { project, ...toldStanding(await database.standing()), steps, missing_roles: missingRoles };
  },
});

export const status = operation({
  name: 'database.status',
  command: 'database status',
  group: 'Storage',
  kind: 'read',
  where: 'caller',
  summary: 'Show where the project is kept, and who leads it',
  examples: ['troupe database status', 'troupe database status --json'],
  input: z.strictObject({}),
  output: z.object({
    /** Present storage of the project. */
    kept: z.enum(['files', 'database']),
    database: z.optional(z.object(standingShape)),
  }),
  async run(context: GraphContext) {
    const storages = await context.storages();
    if (storages.named === undefined) return { kept: 'files' as const };
    const { project, database } = await databaseInUse(storages);
    return { kept: 'database' as const, database: { project, ...toldStanding(await database.standing()) } };
  },
});

/** Upgrades the tables of this project to this version. */
export const migrate = operation({
  name: 'database.migrate',
  command: 'database migrate',
  group: 'Storage',
  kind: 'write',
  where: 'caller',
  summary: 'Bring the tables of this project up to this version',
  examples: ['troupe database migrate', 'troupe database migrate --json'],
  input: z.strictObject({}),
  output: z.object({ project: z.string(), place: z.string(), ...migratedShape }),
  async run(context: GraphContext) {
    const { project, database } = await databaseInUse(await context.storages());
    const { steps, missingRoles } = await database.migrate();
    return { project, place: (await database.standing()).place, steps, missing_roles: missingRoles };
  },
});

/** Reads and checks all data of this project in the database. */
export const check = operation({
  name: 'database.check',
  command: 'database check',
  group: 'Storage',
  kind: 'read',
  where: 'caller',
  summary: 'Read everything that the database keeps of this project, and compare it',
  examples: ['troupe database check', 'troupe database check --json'],
  input: z.strictObject({}),
  output: z.object({
    project: z.string(),
    place: z.string(),
    ok: z.boolean(),
    seq: z.number(),
    rows: z.number(),
    findings: z.readonly(
      z.array(z.object({ severity: z.enum(['note', 'warning', 'error']), text: z.string(), remedy: z.string() })),
    ),
  }),
  async run(context: GraphContext) {
    const { project, database } = await databaseInUse(await context.storages());
    const { place, seq } = await database.standing();
    const findings = await (await database.graph.doctor()).examine();
    let rows = 0;
    for await (const _row of database.rows()) rows++;
    const ok = findings.every(({ severity }) => severity !== 'error');
    return { project, place, ok, seq, rows, findings };
  },
});

/**
 * Database of this project, as chosen by the person on this machine. Errors: `not_in_database`, `database_not_chosen`.
 */
export async function databaseInUse(
  storages: Storages,
): Promise<{ readonly project: string; readonly chosen: ChosenDatabase; readonly database: DatabaseStorage }> {
  const project = namedIn(storages);
  const chosen = storages.choice.read();
  if (chosen?.project !== project) throw new TroupeError('database_not_chosen', { details: { project } });
  return { project, chosen, database: await storages.database(chosen) };
}

function namedIn({ named }: Storages): string {
  if (named === undefined) throw new TroupeError('not_in_database');
  return named;
}

function notThere(project: string, place: string): TroupeError {
  return new TroupeError('not_found', {
    what: `There is no project ${project} in ${place}.`,
    hint: 'Check the address; whoever moved the project there knows it.',
  });
}

/** The requested name of a project in a database, or one derived from the folder. Errors: `bad_input`. */
export function nameInDatabase(asked: string | undefined, folder: string): string {
  if (asked === undefined) {
    const letters = foldAccents(path.basename(folder)).toLowerCase();
    const name = letters.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
    return (/^[a-z]/.test(name) ? name : `p_${name}`).slice(0, 40);
  }
  if (DATABASE_PROJECT.test(asked)) return asked;
  throw new TroupeError('bad_input', {
    what: 'The name of a project in a database has up to 40 of a-z, 0-9 and _, and begins with a letter.',
    hint: 'Choose one with --project NAME.',
  });
}
