import { type AgencyDecision, assign } from '#core/coordinator/agency.js';
import { NO_AGENCY, type WithAgency } from '#core/coordinator/agency-facts.js';
import { flip } from '#core/coordinator/flip.js';
import type { Part } from '#core/coordinator/part.js';
import { evaluate } from '#core/coordinator/scoring.js';

/** Who does the work, and how good it was: phases 3 to 4.5. */
export const agency: Part<WithAgency, AgencyDecision> = {
  none: { agency: NO_AGENCY },
  decide: (tick) => {
    assign(tick);
    evaluate(tick);
    flip(tick);
  },
};
