import type { Catalog } from '#core/catalog/catalog.js';
import type { Workflow } from '#core/catalog/workflow.js';

/** The shipped vocabulary, read when it is first asked for. Errors: `catalog_invalid`, `workflow_invalid`, `unreadable`. */
export interface CatalogSource {
  /** The catalog, read and checked once. */
  load(): Promise<Catalog>;
  /** The charter template of an archetype, line ends as LF; undefined when it has none. */
  charterTemplate(archetypeId: string): Promise<string | undefined>;
  /** The text for `.squad/rai/policy.md`. */
  policyText(): Promise<string>;
  /** A shipped workflow; `unknown_workflow` when the manifest does not name it. */
  workflow(id: string): Promise<Workflow>;
}
