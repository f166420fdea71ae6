import type { PromptSkill, ResolvedSkill } from '#core/runs/prompt-facts.js';
import type { Wording } from '#core/runs/prompt-wording.js';

/** Our own words in what an attempt is told: `data/prompts`, a text a file. Errors: `catalog_invalid`, `unreadable`. */
export interface WordingSource {
  /** Read and checked once. */
  load(): Promise<Wording>;
}

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
  resolve(refs: readonly PromptSkill[], origin: SkillOrigin): Promise<readonly ResolvedSkill[]>;
}

/**
 * Texts from the public internet. Only https, only public addresses, and the address that was looked at is the one that is
 * asked, also after each redirect; time and size are bounded. Errors: `unsafe_url`, `fetch_failed`.
 */
export interface PublicWeb {
  /** `hosts`: no others may be asked; undefined when any may. */
  text(
    url: string,
    options: { readonly most: number; readonly hosts?: readonly string[] | undefined },
  ): Promise<string>;
}
