import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

type Facts = readonly [code: ConstructorParameters<typeof TroupeError>[0], what: string, hint?: string];

const AWAY: Facts = ['database_away', 'The database cannot be reached: nothing was changed.'];
const NO_HOST: Facts = [AWAY[0], AWAY[1], 'Check the host in the address, and the network.'];
const BUSY: Facts = ['locked', 'The database was busy for too long: nothing was changed.', 'Try again in a moment.'];
const CERTIFICATE: Facts = [
  'database_refused',
  'The database does not prove who it is: its certificate is missing, not trusted or for another name.',
  'Name the file of its certificate authority in the address: ?sslrootcert=FILE.',
];

/** Errors by SQLSTATE of PostgreSQL or by network error code. */
const FACTS: Readonly<Record<string, Facts>> = {
  '28P01': [
    'database_refused',
    'The database refuses the name or the password.',
    'Correct the name in the address, or the password in ~/.pgpass.',
  ],
  '28000': ['database_refused', 'The database does not let this user in from here.', 'Correct the address.'],
  '3D000': ['not_found', 'There is no such database on the server.', 'Correct the address, or create the database.'],
  '42501': ['database_refused', 'The database does not grant its user what this needs: nothing was changed.'],
  '42P01': ['not_initialized', 'The project is not in this database.', 'Check the name of the project.'],
  // Undefined function called by a worker: the schema is older than workers.
  '42883': [
    'database_older',
    'The project in the database was made by an older version of Troupe: nothing was changed.',
  ],
  '3F000': ['not_initialized', 'The project is not in this database.', 'Check the name of the project.'],
  '25006': ['database_read_only', 'The database can only be read: nothing was changed.'],
  '53100': ['disk_full', 'The disk of the database is full: nothing was changed.', 'Free some space on its server.'],
  '53300': ['database_away', 'The database has too many connections: nothing was changed.'],
  '40001': BUSY,
  '40P01': BUSY,
  '55P03': BUSY,
  '57014': BUSY,
  '25P03': BUSY,
  ENOTFOUND: NO_HOST,
  EHOSTUNREACH: NO_HOST,
  ENETUNREACH: NO_HOST,
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  CERT_HAS_EXPIRED: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
};

/** Codes of network errors, lost connections, and a starting or stopping server. */
const GONE = /^(?:E[A-Z_]+|08...|57P0[1235]|53200)$/;
/** Driver messages without a code. */
const GONE_WORDS = /terminated|timeout|not queryable|Client was closed|end on the pool/i;
const WITHOUT_TLS = /does not support SSL/;

/** Transient errors, and those that the server's administrator can fix: a retry may succeed. */
const PASSING = new Set(['database_away', 'database_unsure', 'locked', 'database_read_only', 'disk_full']);

/**
 * Converts driver errors to coded errors; `details.retriable` is true if a retry may succeed. Repeats neither address
 * nor password, and omits the driver's error as cause because it contains both.
 */
export function databaseError(error: unknown): unknown {
  if (error instanceof TroupeError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const facts =
    FACTS[code] ?? (WITHOUT_TLS.test(error.message) ? CERTIFICATE : isConnectionLoss(error) ? AWAY : undefined);
  if (facts !== undefined) return codedError(facts, code);
  // An error about a statement is a fault of Troupe and contains no address.
  return isOfStatement(error)
    ? new TroupeError('internal', { why: cut(inert(`${code}: ${error.message}`), 500) })
    : error;
}

/** Whether the connection was lost, which leaves the outcome of the current statement unknown. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof Error && (GONE.test(codeOf(error)) || (codeOf(error) === '' && GONE_WORDS.test(error.message)))
  );
}

/** Error for a commit without an answer: only a query can determine the outcome. */
export function unsure(error: unknown): TroupeError {
  return codedError(['database_unsure', 'The database went away while it was asked to commit.'], codeOf(error));
}

function codedError([code, what, hint]: Facts, why: string): TroupeError {
  return new TroupeError(code, {
    what,
    ...(why === '' ? {} : { why }),
    ...(hint === undefined ? {} : { hint }),
    details: { retriable: PASSING.has(code) },
  });
}

function codeOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

function isOfStatement(error: Error): boolean {
  return /^[0-9A-Z]{5}$/.test(codeOf(error));
}
