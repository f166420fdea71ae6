import type { Catalog } from '#core/catalog/catalog.js';
import type { Blueprint, ReviewPolicy, SandboxProfile } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import type { TroupeError } from '#kernel/errors.js';

/** Shipped and project vocabulary, loaded on first use. Errors: `catalog_invalid`, `workflow_invalid`, `unreadable`. */
export interface CatalogSource {
  /** The catalog, read and validated once. */
  load(): Promise<Catalog>;
  /** Charter templates by archetype id, with LF line ends; archetypes without one are left out. */
  charterTemplates(archetypeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Content of `.squad/rai/policy.md`. */
  policyText(): Promise<string>;
  /** Shipped review policies, by id. */
  reviewPolicies(): Promise<ReadonlyMap<string, ReviewPolicy>>;
  /** Shipped sandbox profiles, by id. */
  sandboxProfiles(): Promise<ReadonlyMap<string, SandboxProfile>>;
  /** Shipped blueprints, by id. */
  blueprints(): Promise<ReadonlyMap<string, Blueprint>>;
  /** A shipped workflow. Errors: `unknown_workflow` if the manifest does not list it. */
  workflow(id: string): Promise<Workflow>;
  /** Number of files that the project adds, and all problems in them. */
  lint(): Promise<{ readonly files: number; readonly problems: readonly TroupeError[] }>;
}
