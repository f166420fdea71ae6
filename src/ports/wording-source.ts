import type { Wording } from '#core/runs/prompt-wording.js';

/** Our own words in what an attempt is told: `data/prompts`, a text a file. Errors: `catalog_invalid`, `unreadable`. */
export interface WordingSource {
  /** Read and checked once. */
  load(): Promise<Wording>;
}
