import * as z from 'zod/mini';
import type { GraduationCandidate } from './candidates.js';
import type { IdentityProposal } from './identity.js';
import { LANES, type RoleRegistry } from './lane.js';
import { isUnwanted } from './lane-life.js';
import { evidenceSummary } from './session-context.js';

export const ROLE_MATTERS = ['proposal', 'graduate', 'retire'] as const;

/** An open decision about roles that only a person can make. */
export const roleMatterShape = z.object({
  kind: z.enum(ROLE_MATTERS),
  role: z.string(),
  /** One line for people. */
  text: z.string(),
  /** Command that shows the change and asks for the decision. */
  command: z.string(),
});
export type RoleMatter = z.infer<typeof roleMatterShape>;

/**
 * Open decisions about roles: proposals first, then lessons that several lanes learned or a run marked, then rows that
 * were cut so often that they could be retired. Candidates without a lesson are only shown on the page Talent.
 */
export function roleMatters(
  registry: RoleRegistry,
  candidates: readonly GraduationCandidate[],
  proposals: readonly IdentityProposal[],
): RoleMatter[] {
  return [
    ...proposals
      .filter(({ state }) => state === 'open')
      .map(({ id, role, section, by }) => ({
        kind: 'proposal' as const,
        role,
        text: `A new ${section} for ${role} was proposed by ${by}`,
        command: `troupe roles proposals ${id} --accept`,
      })),
    ...candidates.flatMap((candidate) =>
      'lesson' in candidate
        ? [
            {
              kind: 'graduate' as const,
              role: candidate.role,
              text: `${candidate.role} ${evidenceSummary(candidate)}`,
              command: `troupe roles graduate ${candidate.id}`,
            },
          ]
        : [],
    ),
    ...LANES.flatMap((lane) => registry.rows[lane].filter((row) => isUnwanted(lane, row))).map(
      ({ name, lane, runs }) => ({
        kind: 'retire' as const,
        role: name,
        text: `${name} was cut from ${runs.cuts} line-ups of the ${lane} lane`,
        command: `troupe roles retire ${name} --lane ${lane}`,
      }),
    ),
  ];
}
