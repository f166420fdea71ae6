/**
 * Shared by every layer: errors and their codes, clock, durations, JSON, neutralised text, hashes, the persistent map.
 * @packageDocumentation
 */
import { type ErrorCode, makeErrorCodes } from '#kernel/error-codes.js';
import { withValues } from '#kernel/hints.js';

export interface ErrorFacts {
  /** Message that names the affected object. Replaces the general sentence of the code. */
  readonly what?: string;
  /** Reason, if known. */
  readonly why?: string;
  /** Suggested command or step. Replaces the general hint of the code. */
  readonly hint?: string;
  /** Machine-readable facts for `--json` and HTTP. They also replace placeholders in the hint: `id` replaces `ID`. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

let codes: ReturnType<typeof makeErrorCodes> | undefined;

/** Table of all error codes, made with the first error: most commands meet none, and it takes a millisecond. */
export function errorCodes(): ReturnType<typeof makeErrorCodes> {
  codes ??= makeErrorCodes();
  return codes;
}

/** The only error shown to people: a stable code, a message and a hint. Any other thrown value is a bug. */
export class TroupeError extends Error {
  override readonly name = 'TroupeError';
  readonly code: ErrorCode;
  readonly why: string | undefined;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(facts.what ?? errorCodes()[code].sentence, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.why = facts.why;
    this.details = facts.details ?? {};
    this.hint = withValues(facts.hint ?? errorCodes()[code].hint, (name) => this.details[name.toLowerCase()]);
  }

  /** Command that helps, if the error states one. */
  get command(): string | undefined {
    const { command } = this.details;
    return typeof command === 'string' ? command : undefined;
  }

  get exitCode(): number {
    return errorCodes()[this.code].exit;
  }

  get httpStatus(): number {
    return errorCodes()[this.code].http;
  }

  toJSON(): {
    code: ErrorCode;
    message: string;
    why?: string;
    hint: string;
    details: Readonly<Record<string, unknown>>;
  } {
    return {
      code: this.code,
      message: this.message,
      ...(this.why === undefined ? {} : { why: this.why }),
      hint: this.hint,
      details: this.details,
    };
  }
}

/** Whether an error is a TroupeError with this code. System errors have a `code` as well. */
export function isRefusal(error: unknown, code: ErrorCode): error is TroupeError {
  return error instanceof TroupeError && error.code === code;
}

/** System errors caused by a disk, folder or file, not by Troupe, and their codes. */
const SYSTEM_CODES = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EROFS: 'read_only',
  EACCES: 'read_only',
  EPERM: 'read_only',
  EIO: 'disk_failed',
  ENXIO: 'disk_failed',
  ENODEV: 'disk_failed',
  ESTALE: 'disk_failed',
} as const;

const SYSTEM_WORDS = {
  disk_full: 'No space is left on the disk.',
  read_only: 'Permission to a file or folder is denied.',
  disk_failed: 'The disk cannot be read or written.',
} as const;

/** Code for a system error about a disk; undefined for other errors. */
export function diskCode(error: unknown): keyof typeof SYSTEM_WORDS | undefined {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return Object.hasOwn(SYSTEM_CODES, code) ? SYSTEM_CODES[code as keyof typeof SYSTEM_CODES] : undefined;
}

/**
 * Converts any error to a TroupeError: disk errors by their cause, a missing piece of the program as `program_replaced`,
 * all other unknown errors as `internal`.
 */
export function asTroupeError(error: unknown): TroupeError {
  if (error instanceof TroupeError) return error;
  const { message, code: system } = error as NodeJS.ErrnoException;
  if (system === 'ERR_PROGRAM_REPLACED') return new TroupeError('program_replaced', { cause: error });
  const code = diskCode(error);
  if (code === undefined) return new TroupeError('internal', { why: message, cause: error });
  return new TroupeError(code, { what: SYSTEM_WORDS[code], why: message, cause: error });
}

/** Rebuilds an error received as JSON over the socket. An unknown code becomes `internal`; the text is kept. */
export function errorFromJson(value: unknown): TroupeError {
  const record = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const code =
    typeof record['code'] === 'string' && record['code'] in errorCodes() ? (record['code'] as ErrorCode) : 'internal';
  return new TroupeError(code, {
    ...(typeof record['message'] === 'string' ? { what: record['message'] } : {}),
    ...(typeof record['why'] === 'string' ? { why: record['why'] } : {}),
    ...(typeof record['hint'] === 'string' ? { hint: record['hint'] } : {}),
    ...(typeof record['details'] === 'object' && record['details'] !== null
      ? { details: record['details'] as Record<string, unknown> }
      : {}),
  });
}

/** Throws `internal` with the expectation if an invariant does not hold. */
export function assert(condition: unknown, expectation: string): asserts condition {
  if (!condition) throw new TroupeError('internal', { what: `Invariant broken: ${expectation}` });
}
