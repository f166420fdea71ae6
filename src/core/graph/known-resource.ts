import type { GraphNode } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { didYouMean, shellWord } from '#kernel/text.js';

/** A limited resource that tasks need: money, hours of a person, a machine. */
export interface Resource {
  readonly kind: 'resource';
  readonly id: string;
  readonly name?: string;
  readonly type?: string;
  /** Available amount, in `unit`. */
  readonly available?: number;
  readonly unit?: string;
  readonly [field: string]: unknown;
}

/** Whether a node is a resource. Its fields may be hand-edited. */
export function isResource(node: GraphNode): node is Resource {
  return node.kind === 'resource';
}

/** Warnings about resources that do not exist: a misspelt one counts nowhere. */
export function unknownResources(view: GraphView, ids: readonly string[] = []): string[] {
  const isKnown = (id: string) => {
    const node = view.node(id);
    return node !== undefined && isResource(node);
  };
  return [...new Set(ids)]
    .filter((id) => !isKnown(id))
    .map((id) => {
      const near = didYouMean(
        id,
        [...view.nodes()].filter(isResource).map((resource) => resource.id),
      );
      return `There is no resource ${id}: it limits nothing.${near ? ` Did you mean ${near}?` : ` \`troupe resource add ${shellWord(id)}\` adds it.`}`;
    });
}
