/** Points at which a participant other than the author judges work, and a person may be asked. */
export const GATES = ['plan', 'review'] as const;
export type Gate = (typeof GATES)[number];

/** Escalation to the owner at a gate: always, only if the reviewer is unsure, or never. */
export const ESCALATION_MODES = ['always', 'when_unsure', 'never'] as const;
export type EscalationMode = (typeof ESCALATION_MODES)[number];
export type Escalation = Readonly<Record<Gate, EscalationMode>>;

/** Default without any configuration. */
export const USUAL_ESCALATION: Escalation = { plan: 'when_unsure', review: 'when_unsure' };
/** Used if the configuration cannot be parsed. */
export const ALWAYS_ESCALATE: Escalation = { plan: 'always', review: 'always' };

/** Modes as a project configures them, by gate name; unknown names are possible. */
export type EscalationWords = Readonly<Record<string, EscalationMode>>;

export function escalationOf(words: EscalationWords): Escalation {
  return { plan: words['plan'] ?? USUAL_ESCALATION.plan, review: words['review'] ?? USUAL_ESCALATION.review };
}

/** One message per configured name that is not a gate. */
export function unknownGates(project: string, words: EscalationWords): string[] {
  const unknown = Object.keys(words).filter((word) => !GATES.some((gate) => gate === word));
  return unknown.map((word) => `${word} is not a gate of ${project}: escalation has ${GATES.join(' and ')}`);
}
