import type { PromptSkill, ResolvedSkill } from '#core/runs/prompt-facts.js';
import type { Wording } from '#core/runs/prompt-wording.js';

/** Troupe's own texts of prompts: `data/prompts`, one text per file. Errors: `catalog_invalid`, `unreadable`. */
export interface WordingSource {
  /** Read and validated once. */
  load(): Promise<Wording>;
}

/** Origin of the role that names the skills. */
export interface SkillOrigin {
  /**
   * Whether the role was imported, or found in a repository that has not been reviewed; then its skills must not leave
   * the project.
   */
  readonly imported: boolean;
  /** Hosts from which texts of an imported role may be fetched. */
  readonly allowHosts: readonly string[];
}

/** Texts of the skills of a role. */
export interface Skills {
  /**
   * Resolves skills, in the order requested. One that is unavailable has a warning instead of a text; it is not an
   * error.
   */
  resolve(refs: readonly PromptSkill[], origin: SkillOrigin): Promise<readonly ResolvedSkill[]>;
}

/**
 * Texts from the public internet. Only HTTPS and public addresses; the connection goes to the address that was checked,
 * also after each redirect; time and size are bounded. Errors: `unsafe_url`, `fetch_failed`.
 */
export interface PublicWeb {
  /** `hosts`: allowlist of hosts; undefined to allow any. */
  text(
    url: string,
    options: { readonly most: number; readonly hosts?: readonly string[] | undefined },
  ): Promise<string>;
}
