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

/** What PostgreSQL says, by its SQLSTATE, and what the network says. */
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
  // A function that workers call: made by a version that knew none.
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

/** Codes of the network, of a connection that was lost, and of a server that starts or stops. */
const GONE = /^(?:E[A-Z_]+|08...|57P0[1235]|53200)$/;
/** What the driver says without a code. */
const GONE_WORDS = /terminated|timeout|not queryable|Client was closed|end on pool/i;
const WITHOUT_TLS = /does not support SSL/;

/** Errors that pass by themselves, or once its server is looked after: the same again may work. */
const PASSING = new Set(['database_away', 'database_unsure', 'locked', 'database_read_only', 'disk_full']);

/**
 * Any error of the driver as one of ours; `details.retriable` says whether the same again may work. Neither the address nor the password
 * is repeated, and the error of the driver is no cause: it names both.
 */
export function databaseError(error: unknown): unknown {
  if (error instanceof TroupeError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  const facts =
    FACTS[code] ?? (WITHOUT_TLS.test(error.message) ? CERTIFICATE : isConnectionLoss(error) ? AWAY : undefined);
  if (facts !== undefined) return told(facts, code);
  // What it says of a statement of ours is a fault of ours, and names no address.
  return isOfStatement(error)
    ? new TroupeError('internal', { why: cut(inert(`${code}: ${error.message}`), 500) })
    : error;
}

/** Whether the connection is gone: what was under way may have been carried out or not. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof Error && (GONE.test(codeOf(error)) || (codeOf(error) === '' && GONE_WORDS.test(error.message)))
  );
}

/** The commit was sent, and no answer came: only a look at the database tells. */
export function unsure(error: unknown): TroupeError {
  return told(['database_unsure', 'The database went away while it was asked to commit.'], codeOf(error));
}

function told([code, what, hint]: Facts, why: string): TroupeError {
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
