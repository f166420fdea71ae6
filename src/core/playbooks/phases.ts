/** A step of a crew, with its handoff file. */
export interface Phase {
  readonly name: string;
  readonly file: string;
}

/** Default line of a crew. */
export const CREW_LINE: readonly Phase[] = [
  { name: 'architect', file: 'CONTRACT.md' },
  { name: 'dev', file: 'CHANGES.md' },
  { name: 'qa', file: 'QA.md' },
  { name: 'deployer', file: 'DEPLOY.md' },
];

/** Step after the last phase: the release needs the handoffs of all phases. */
export const RELEASE = 'release';

/** Second deliverable of the architect, beside the contract. */
export const PLAN_FILE = 'PLAN.md';
