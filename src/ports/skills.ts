import type { ResolvedSkill, SkillRef } from '#core/runs/prompt-facts.js';

/** Where the role comes from that names the skills. */
export interface SkillOrigin {
  /** From elsewhere, or found in a repository nobody has looked at: it reaches nothing outside of the project. */
  readonly imported: boolean;
  /** The hosts that an imported role may be fetched texts from. */
  readonly allowHosts: readonly string[];
}

/** The texts behind the skills of a role. */
export interface Skills {
  /** In the order asked for. What cannot be had comes with a warning instead of a text; nothing is thrown for it. */
  resolve(refs: readonly SkillRef[], origin: SkillOrigin): Promise<readonly ResolvedSkill[]>;
}
