import * as z from 'zod/mini';
import type { SquadPlan } from '#core/squad/file-change.js';
import { type ClientFiles, isForClients, outsideOf } from '#core/squad/outputs.js';
import { TroupeError } from '#kernel/errors.js';

/** Inputs of every change of the team about files outside of `.squad/`. */
export const outsideWishes = {
  /** Files for clients: wanted, or none touched; left out: as the settings and `config.json` have it. */
  clients: z.optional(z.boolean()),
  /** Paths outside of `.squad/` that whoever calls expects to be written; left out: nobody has to be shown them before. */
  outside: z.optional(z.array(z.string())),
};

/** What the error `outside_files` tells. */
export interface OutsideFiles {
  /** Every path outside of `.squad/` that is about to be written or removed. */
  readonly files: readonly string[];
  /** Those of them for clients that nobody here asked for: the project's `config.json` does. */
  readonly configured: readonly string[];
  /** What would also be written for clients, on request. */
  readonly offered: readonly string[];
}

/**
 * Refuses a plan that is about to be carried out, where it writes outside of `.squad/` what its caller does not expect. `withClients`:
 * the same with files for clients, where a person is to be asked for those.
 */
export function refuseUnexpected(
  expected: readonly string[] | undefined,
  plan: OutsidePlan,
  clientFiles: ClientFiles,
  withClients: () => OutsidePlan = () => plan,
): void {
  if (expected === undefined) return;
  const files = outsideOf(plan.changes);
  const isConfigured = clientFiles === 'configured';
  const forClients = files.filter(isForClients);
  const clientPaths = isConfigured && forClients.length === 0 ? outsideOf(withClients().changes) : [];
  const offered = clientPaths.filter((path) => !files.includes(path));
  if (offered.length === 0 && files.every((path) => expected.includes(path))) return;
  const details: OutsideFiles = { files, configured: isConfigured ? forClients : [], offered };
  const what = `This writes outside .squad/: ${[...files, ...offered].join(', ')}.`;
  throw new TroupeError('outside_files', { what, details: { ...details } });
}

type OutsidePlan = Pick<SquadPlan<unknown>, 'changes'>;
