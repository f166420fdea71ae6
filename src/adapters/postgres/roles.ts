import { isRefusal } from '#kernel/errors.js';
import type { PostgresDatabase, SqlQueries } from './database.js';

/** Functions a worker's login may call; it has no access to tables. */
const FOR_WORKERS = [
  ...['worker_arrive', 'worker_take', 'worker_beat', 'worker_append', 'worker_ends', 'worker_tells'],
  ...['worker_leave', 'worker_ask', 'worker_answer', 'worker_migrations', 'worker_leaders'],
];
/** Columns of workers visible to viewers, without the worker's secrets. */
const SHOWN_OF_WORKERS = [
  ...['name', 'login', 'at', 'version', 'slots', 'labels', 'executors', 'leaders', 'asked'],
  ...['arrived_at', 'seen_at', 'settled', 'gone', 'runs', 'reports', 'changed'],
];

/** Database roles of a project with minimal permissions. None can log in. The owner of the tables migrates them. */
export interface DatabaseRoles {
  readonly leader: string;
  readonly worker: string;
  readonly viewer: string;
}

export function rolesOf(schema: string): DatabaseRoles {
  return { leader: `${schema}_leader`, worker: `${schema}_worker`, viewer: `${schema}_viewer` };
}

/**
 * Grants each role of a project exactly what it needs, and creates missing roles if the login may. Returns the roles
 * that are still missing. Idempotent; requires the owner of the tables.
 */
export async function grantRoles(database: PostgresDatabase): Promise<readonly string[]> {
  const { schema } = database;
  const roles = rolesOf(schema);
  const missing = await missingRoles(database, roles);
  for (const role of missing) await createdRole(database, role);
  const left = await missingRoles(database, roles);
  const present = (Object.keys(roles) as (keyof DatabaseRoles)[]).filter((part) => !left.includes(roles[part]));
  await database.transaction(async (queries) => {
    for (const part of present) for (const grant of grantsOf(schema, part)) await queries.query(grant);
  });
  return left;
}

/** SQL for an administrator if the tables' owner may not create roles. Afterwards `database init` grants the rest. */
export function rolesSql(schema: string, owner: string): string {
  const roles = rolesOf(schema);
  return [
    `-- The roles of the project ${schema.replace('troupe_', '')}, and the schema in which ${owner} makes its tables.`,
    ...Object.values(roles).map((role) => `CREATE ROLE ${role} NOLOGIN;`),
    `CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${quoted(owner)};`,
    '-- One login for each machine, such as:',
    `-- CREATE ROLE box LOGIN PASSWORD '…' IN ROLE ${roles.worker};`,
    '',
  ].join('\n');
}

function grantsOf(schema: string, part: keyof DatabaseRoles): readonly string[] {
  const role = rolesOf(schema)[part];
  const usage = `GRANT USAGE ON SCHEMA ${schema} TO ${role}`;
  const tables = `ALL TABLES IN SCHEMA ${schema}`;
  const calls = `GRANT EXECUTE ON FUNCTION ${FOR_WORKERS.map((name) => `${schema}.${name}`).join(', ')} TO ${role}`;
  switch (part) {
    case 'leader':
      return [
        usage,
        `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables} TO ${role}`,
        `GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
        `REVOKE INSERT, UPDATE, DELETE ON ${schema}.migrations FROM ${role}`,
        calls, // it may also carry out attempts
      ];
    case 'worker':
      return [usage, calls];
    case 'viewer':
      return [
        usage,
        `GRANT SELECT ON ${tables} TO ${role}`,
        `REVOKE SELECT ON ${schema}.workers FROM ${role}`,
        `GRANT EXECUTE ON FUNCTION ${schema}.worker_leaders TO ${role}`,
        `GRANT SELECT (${SHOWN_OF_WORKERS.join(', ')}) ON ${schema}.workers TO ${role}`,
      ];
  }
}

async function missingRoles(queries: SqlQueries, roles: DatabaseRoles): Promise<readonly string[]> {
  const { rows } = await queries.query<{ name: string }>(
    'SELECT rolname AS name FROM pg_roles WHERE rolname = ANY($1)',
    [Object.values(roles)],
  );
  const present = new Set(rows.map(({ name }) => name));
  return Object.values(roles).filter((role) => !present.has(role));
}

/** Creates a role. Ignores one that exists meanwhile, and a missing permission. */
async function createdRole(database: PostgresDatabase, role: string): Promise<void> {
  try {
    await database.query(
      `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`,
    );
  } catch (error) {
    if (!isRefusal(error, 'database_refused')) throw error;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
