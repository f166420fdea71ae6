import type { Catalog } from '#core/catalog/catalog.js';
import type { Blueprint, ReviewPolicy, SandboxProfile } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import type { TroupeError } from '#kernel/errors.js';

/** The vocabulary, shipped and of the project, read when it is first asked for. Errors: `catalog_invalid`, `workflow_invalid`, `unreadable`. */
export interface CatalogSource {
  /** The catalog, read and checked once. */
  load(): Promise<Catalog>;
  /** The charter templates of archetypes by their ids, line ends as LF; those that have none are left out. */
  charterTemplates(archetypeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The text for `.squad/rai/policy.md`. */
  policyText(): Promise<string>;
  /** The shipped review policies, by id. */
  reviewPolicies(): Promise<ReadonlyMap<string, ReviewPolicy>>;
  /** The shipped sandbox profiles, by id. */
  sandboxProfiles(): Promise<ReadonlyMap<string, SandboxProfile>>;
  /** The shipped blueprints, by id. */
  blueprints(): Promise<ReadonlyMap<string, Blueprint>>;
  /** A shipped workflow; `unknown_workflow` when the manifest does not name it. */
  workflow(id: string): Promise<Workflow>;
  /** Everything wrong with the entries the project adds, and how many files they are. */
  lint(): Promise<{ readonly files: number; readonly problems: readonly TroupeError[] }>;
}
