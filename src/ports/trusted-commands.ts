import type { CommandTrust } from '#core/graph/commands.js';

/**
 * The commands of one project that this person has agreed to, by their hashes, kept outside of every repository. In memory
 * once it was looked at; `add` is written down before it returns, so that what is committed after it is agreed to.
 */
export interface TrustedCommands extends CommandTrust {
  /** Takes in what other processes have added or withdrawn since. */
  look(): void;
  /** What cannot be written down counts as long as this process lives. */
  add(hashes: readonly string[]): void;
  /** Agrees to nothing any more. Errors as of changing trust. */
  clear(): void;
}
