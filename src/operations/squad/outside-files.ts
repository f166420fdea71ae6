import * as z from 'zod/mini';
import type { SquadPlan } from '#core/squad/file-change.js';
import { type ClientFiles, isForClients, pathsOutside } from '#core/squad/outputs.js';
import { TroupeError } from '#kernel/errors.js';
import { option } from '#operations/fields.js';

/** Inputs, common to all changes of the team, about files outside of `.squad/`. */
export const outsideWishes = {
  /** True: write client files; false: touch none; absent: follow the settings and `config.json`. */
  clients: option('Also write client files: AGENTS.md, .claude/agents, .github/agents', z.optional(z.boolean())),
  /** Paths outside of `.squad/` that the caller expects to be written; absent: no confirmation is needed. */
  outside: z.optional(z.array(z.string())),
};

/** Details of the error `outside_files`. */
export interface OutsideFiles {
  /** Paths outside of `.squad/` about to be written or removed. */
  readonly files: readonly string[];
  /** Client files among them that only the project's `config.json` requests, not the caller. */
  readonly configured: readonly string[];
  /** Client files that could be written on request. */
  readonly offered: readonly string[];
}

/**
 * Rejects a plan that would write unexpected files outside of `.squad/`, before it is carried out (`outside_files`).
 * `withClients` computes the plan with client files, to offer them to the user.
 */
export function refuseUnexpected(
  expected: readonly string[] | undefined,
  plan: OutsidePlan,
  clientFiles: ClientFiles,
  withClients: () => OutsidePlan = () => plan,
): void {
  if (expected === undefined) return;
  const files = pathsOutside(plan.changes);
  const isConfigured = clientFiles === 'configured';
  const forClients = files.filter(isForClients);
  const clientPaths = isConfigured && forClients.length === 0 ? pathsOutside(withClients().changes) : [];
  const offered = clientPaths.filter((path) => !files.includes(path));
  if (offered.length === 0 && files.every((path) => expected.includes(path))) return;
  const details: OutsideFiles = { files, configured: isConfigured ? forClients : [], offered };
  const what = `This writes outside .squad/: ${[...files, ...offered].join(', ')}.`;
  throw new TroupeError('outside_files', { what, details: { ...details } });
}

type OutsidePlan = Pick<SquadPlan<unknown>, 'changes'>;
