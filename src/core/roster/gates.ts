/** Points at which work is judged by another participant than its author, and a person may be asked. */
export const GATES = ['plan', 'review'] as const;
export type Gate = (typeof GATES)[number];

/** Whether the owner decides, is asked by a reviewer who is unsure, or is not asked. */
export const ESCALATION_MODES = ['always', 'when_unsure', 'never'] as const;
export type EscalationMode = (typeof ESCALATION_MODES)[number];
export type Escalation = Readonly<Record<Gate, EscalationMode>>;

/** Used without any configuration. */
export const USUAL_ESCALATION: Escalation = { plan: 'when_unsure', review: 'when_unsure' };
/** Used if the configuration cannot be parsed. */
export const ALWAYS_ESCALATE: Escalation = { plan: 'always', review: 'always' };

/** As a project says it, gate by gate. */
export type EscalationWords = Readonly<Record<string, EscalationMode>>;

export function escalationOf(words: EscalationWords): Escalation {
  return { plan: words['plan'] ?? USUAL_ESCALATION.plan, review: words['review'] ?? USUAL_ESCALATION.review };
}

/** The words that name no gate, each as a sentence about it. */
export function unknownGates(project: string, words: EscalationWords): string[] {
  const unknown = Object.keys(words).filter((word) => !GATES.some((gate) => gate === word));
  return unknown.map((word) => `${word} is not a gate of ${project}: escalation has ${GATES.join(' and ')}`);
}
